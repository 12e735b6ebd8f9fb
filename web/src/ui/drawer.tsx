import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import styles from './drawer.module.css';
import { Icon } from './icon.tsx';
import { useReturnFocus } from './keyboard/return-focus.ts';

type DrawerProps = { title: string; closeLabel: string; onClose: () => void; children: ReactNode };

/** A narrow panel at the start edge of the page. It is open while mounted; Escape or a click outside closes it. */
export function Drawer({ title, closeLabel, onClose, children }: DrawerProps) {
  const returnFocus = useReturnFocus();
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <div className={styles.scrim} data-holds-page="">
          <Radix.Content className={styles.drawer} aria-describedby={undefined} onCloseAutoFocus={returnFocus}>
            <header className={styles.head}>
              <Radix.Close asChild>
                <IconButton label={closeLabel}>
                  <Icon of={X} size={24} />
                </IconButton>
              </Radix.Close>
              <Radix.Title className={styles.title}>{title}</Radix.Title>
            </header>
            {children}
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  );
}
