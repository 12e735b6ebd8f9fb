import { AlertDialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import { useReturnFocus } from './keyboard/return-focus.ts';

type ConfirmProps = {
  title: string;
  text: string;
  confirmLabel: string;
  cancelLabel: string;
  busy?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
  /** Content between the question and the buttons. */
  children?: ReactNode;
};

/** A dialog that asks before an action that is hard to undo. It is open while mounted; Escape cancels. */
export function Confirm(props: ConfirmProps) {
  const { title, text, confirmLabel, cancelLabel, busy = false, onConfirm, onCancel, children } = props;
  const returnFocus = useReturnFocus();
  return (
    <Radix.Root open onOpenChange={(open) => !open && onCancel()}>
      <Radix.Portal>
        <div className={styles.scrim} data-holds-page="">
          <Radix.Content className={styles.box} onCloseAutoFocus={returnFocus}>
            <Radix.Title className={styles.title}>{title}</Radix.Title>
            <Radix.Description className={styles.question}>{text}</Radix.Description>
            {children}
            <div className={styles.actions}>
              <Radix.Cancel asChild>
                <Button>{cancelLabel}</Button>
              </Radix.Cancel>
              <Button look="primary" busy={busy} onClick={onConfirm}>
                {confirmLabel}
              </Button>
            </div>
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  );
}
