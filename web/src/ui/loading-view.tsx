import styles from './loading-view.module.css';
import { Spinner } from './spinner.tsx';

/** Shown while a page loads. It appears after a short delay, so it does not flash before a page that loads fast. */
export function LoadingView({ text, stay }: { text: string; stay: string }) {
  return (
    <div className={styles.view}>
      <Spinner large label={text} />
      <p>{stay}</p>
    </div>
  );
}
