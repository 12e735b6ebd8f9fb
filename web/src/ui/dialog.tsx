import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import styles from './dialog.module.css';
import { Icon } from './icon.tsx';
import { useReturnFocus } from './keyboard/return-focus.ts';

type DialogProps = {
  title: string;
  description?: string;
  closeLabel: string;
  onClose: () => void;
  wide?: boolean;
  children: ReactNode;
};

/**
 * A modal dialog, open while mounted. It does not use Radix's Overlay, which adds a style tag that the
 * Content-Security-Policy blocks.
 */
export function Dialog({ title, description, closeLabel, onClose, wide = false, children }: DialogProps) {
  const returnFocus = useReturnFocus();
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <div className={styles.scrim} data-holds-page="">
          <Radix.Content
            onCloseAutoFocus={returnFocus}
            className={wide ? `${styles.box} ${styles.wide}` : styles.box}
            {...(description === undefined && { 'aria-describedby': undefined })}
          >
            <header className={styles.head}>
              <Radix.Title className={styles.title}>{title}</Radix.Title>
              <Radix.Close asChild>
                <IconButton label={closeLabel}>
                  <Icon of={X} />
                </IconButton>
              </Radix.Close>
            </header>
            {description !== undefined && (
              <Radix.Description className={styles.description}>{description}</Radix.Description>
            )}
            {children}
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  );
}
