import styles from './progress.module.css';

/** A progress bar. `value` is between 0 and 1; without it, the bar is indeterminate. */
export function Progress({ label, value }: { label: string; value?: number }) {
  return <progress className={styles.progress} aria-label={label} max={1} {...(value !== undefined && { value })} />;
}
