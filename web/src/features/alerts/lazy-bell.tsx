import { lazyPart } from '../../lazy/lazy-part.tsx';
import styles from './bell-button.module.css';

/** The bell with the number of unseen alerts. Its code is loaded after the page. */
export const LazyBell = lazyPart(async () => (await import('./bell.tsx')).Bell, {
  words: 'alerts',
  fallback: <span className={styles.place} />,
  as: 'extra',
});
