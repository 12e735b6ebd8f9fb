import { lazyPart } from '../../lazy/lazy-part.tsx';
import styles from './reorder-editor.module.css';

/** When the item counts as low on stock, and a way to change it. */
export const ReorderPoint = lazyPart(async () => (await import('./reorder-editor.tsx')).ReorderEditor, {
  fallback: <div className={styles.line} />,
});
