import styles from './loading-view.module.css';
import { Spinner } from './spinner.tsx';

/** Stands in for a whole page. It waits a moment before it shows, so a quick page does not flash it. */
export function LoadingView({ text, stay }: { text: string; stay: string }) {
  return (
    <div className={styles.view}>
      <Spinner large label={text} />
      <p>{stay}</p>
    </div>
  );
}
