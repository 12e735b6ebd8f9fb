import type { ReactNode } from 'react';
import styles from './kbd.module.css';
import { keyLabels } from './key-strokes.ts';
import { isMac } from './shortcuts.ts';

export function Kbd({ children }: { children: ReactNode }) {
  return <kbd className={styles.key}>{children}</kbd>;
}

/** The keys of a shortcut as labelled on the user's keyboard. `then` is the word between the keys of a sequence. */
export function ShortcutKeys({ keys, then }: { keys: string; then: string }) {
  return (
    <span className={styles.keys}>
      {keyLabels(keys, isMac()).map((held, i) => (
        <span key={held.join()} className={styles.keys}>
          {i > 0 && <span className={styles.then}>{then}</span>}
          <span dir="ltr" className={styles.keys}>
            {held.map((label) => (
              <Kbd key={label}>{label}</Kbd>
            ))}
          </span>
        </span>
      ))}
    </span>
  );
}
