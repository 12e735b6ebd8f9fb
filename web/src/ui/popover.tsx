import { Popover as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import styles from './popover.module.css';

type PopoverProps = {
  trigger: ReactNode;
  /** For screen readers. */
  label: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  children: ReactNode;
};

/** A panel below its button. The page stays usable; Escape and a click elsewhere close it. */
export function Popover({ trigger, label, open, onOpenChange, children }: PopoverProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className={styles.popover} aria-label={label} align="end" sideOffset={8} collisionPadding={12}>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
