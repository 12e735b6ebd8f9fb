import styles from './chart-legend.module.css';

type LegendProps = { name: string; value: string; mark: 'line' | 'up' | 'down'; tone: 'plum' | 'amber' };

/** The mark of a series, its name, and its value at the current point. */
export function Legend({ name, value, mark, tone }: LegendProps) {
  return (
    <span className={styles.legend}>
      <svg viewBox="0 0 12 12" className={`${styles.mark} ${styles[tone]}`} aria-hidden="true">
        {mark === 'line' && <path d="M0 6h12" className={styles.line} />}
        {mark === 'up' && <path d="M6 1l5 10H1z" className={styles.shape} />}
        {mark === 'down' && <path d="M6 11L1 1h10z" className={styles.shape} />}
      </svg>
      <span className={styles.name}>{name}</span>
      <bdi className={styles.value}>{value}</bdi>
    </span>
  );
}
