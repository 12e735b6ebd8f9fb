import { lazyPart } from '../../lazy/lazy-part.tsx';
import styles from './reorder-editor.module.css';

/** The item's reorder point with a button to change it. Its code is loaded separately. */
export const ReorderPoint = lazyPart(async () => (await import('./reorder-editor.tsx')).ReorderEditor, {
  fallback: <div className={styles.line} />,
});
