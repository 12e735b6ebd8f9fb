import { lazyPart } from '../../parts/lazy-part.tsx';
import styles from './bell-button.module.css';

/** How many alerts are not seen, and the way to them. It comes after the page it stands above. */
export const AlertBell = lazyPart(async () => (await import('./bell.tsx')).Bell, {
  words: 'alerts',
  fallback: <span className={styles.place} />,
  as: 'extra',
});
