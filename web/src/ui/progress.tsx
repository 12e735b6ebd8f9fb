import styles from './progress.module.css';

/** Without `value`, the progress is indeterminate. */
export function Progress({ label, value }: { label: string; value?: number }) {
  return <progress className={styles.progress} aria-label={label} max={1} {...(value !== undefined && { value })} />;
}
