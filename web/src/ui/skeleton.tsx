import styles from './skeleton.module.css';

/** Keeps the place of what is coming, so nothing moves when it does. */
export function Skeleton({ width = '100%', height = '1em' }: { width?: string; height?: string }) {
  return <span className={styles.skeleton} style={{ width, height }} aria-hidden="true" />;
}
