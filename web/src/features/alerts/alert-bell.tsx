import { withWords } from '../../words/with-words.tsx';
import styles from './bell-button.module.css';

/** How many alerts are not seen, and the way to them. It comes after the page it stands above. */
export const AlertBell = withWords(
  'alerts',
  async () => {
    // Without it, the page is still good to work with.
    const bell = await import('./bell.tsx').catch(() => null);
    return bell ? bell.Bell : () => null;
  },
  <span className={styles.place} />,
);
