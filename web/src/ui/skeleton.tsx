import styles from './skeleton.module.css';

/** Reserves the space of content that is loading, so that nothing shifts. */
export function Skeleton({ width = '100%', height = '1em' }: { width?: string; height?: string }) {
  return <span className={styles.skeleton} style={{ width, height }} aria-hidden="true" />;
}
