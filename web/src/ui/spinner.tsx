import styles from './spinner.module.css';

/** A turning ring. Screen readers announce it if it has a `label`, and skip it otherwise. */
export function Spinner({ label, large = false }: { label?: string | undefined; large?: boolean }) {
  const ring = <span className={large ? styles.large : styles.ring} aria-hidden="true" />;
  if (label === undefined) return ring;
  return (
    <span role="status" className={styles.status}>
      {ring}
      <span>{label}</span>
    </span>
  );
}
