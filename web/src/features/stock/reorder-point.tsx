import { withWords } from '../../words/with-words.tsx';
import styles from './reorder-editor.module.css';

/** From how many units on an item is low, and a way to change it. */
export const ReorderPoint = withWords(
  'alerts',
  async () => (await import('./reorder-editor.tsx')).ReorderEditor,
  <div className={styles.line} />,
);
