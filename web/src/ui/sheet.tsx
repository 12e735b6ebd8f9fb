import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';
import styles from './sheet.module.css';

type SheetProps = {
  trigger: ReactNode;
  title: string;
  closeLabel: string;
  /** Renders the content. Links inside it call `close` to close the sheet. */
  children: (close: () => void) => ReactNode;
};

/**
 * A panel at the end edge of the page, for small screens. It starts open, because it is loaded and mounted only when
 * its button is pressed for the first time.
 */
export function Sheet({ trigger, title, closeLabel, children }: SheetProps) {
  const [open, setOpen] = useState(true);
  return (
    <Radix.Root open={open} onOpenChange={setOpen}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <div className={styles.scrim} data-holds-page="">
          <Radix.Content className={styles.sheet} aria-describedby={undefined}>
            <header className={styles.head}>
              <Radix.Title className={styles.title}>{title}</Radix.Title>
              <Radix.Close asChild>
                <IconButton label={closeLabel}>
                  <Icon of={X} size={24} />
                </IconButton>
              </Radix.Close>
            </header>
            {children(() => setOpen(false))}
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  );
}
