import styles from './progress.module.css';

/** Long work under way. Without `value` nobody knows yet how long. */
export function Progress({ label, value }: { label: string; value?: number }) {
  return <progress className={styles.progress} aria-label={label} max={1} {...(value !== undefined && { value })} />;
}
