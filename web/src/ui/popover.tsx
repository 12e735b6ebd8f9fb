import { Popover as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import styles from './popover.module.css';

type PopoverProps = {
  trigger: ReactNode;
  /** The name of the panel for screen readers. */
  label: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  children: ReactNode;
};

/** A panel below its button. The rest of the page stays usable; Escape or a click outside closes the panel. */
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
