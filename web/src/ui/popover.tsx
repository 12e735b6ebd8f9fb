import { Popover as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { useReturnFocus } from './keyboard/return-focus.ts';
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

type AnchoredProps = {
  anchor: HTMLElement;
  dir: 'ltr' | 'rtl';
  label: string;
  onClose: () => void;
  children: ReactNode;
};

/**
 * A panel before an element that is already on the page, open while mounted. One panel can serve all rows of a table. It
 * stands beside the element, not below it, so that it may be as high as the window. A click on the element itself does
 * not close it, so that its button can.
 */
export function AnchoredPopover({ anchor, dir, label, onClose, children }: AnchoredProps) {
  const returnFocus = useReturnFocus();
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Anchor virtualRef={{ current: anchor }} />
      <Radix.Portal>
        <Radix.Content
          className={`${styles.popover} ${styles.anchored}`}
          aria-label={label}
          side={dir === 'rtl' ? 'right' : 'left'}
          sideOffset={8}
          collisionPadding={12}
          onCloseAutoFocus={returnFocus}
          onInteractOutside={(event) => {
            if (event.target instanceof Node && anchor.contains(event.target)) event.preventDefault();
          }}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
