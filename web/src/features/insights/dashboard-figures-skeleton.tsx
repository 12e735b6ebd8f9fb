import { Skeleton } from '../../ui/skeleton.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './dashboard-figures-skeleton.module.css';

const PLACES = ['a', 'b', 'c', 'd', 'e'];

/** Reserves the space of the figures while they load. */
export function DashboardFiguresSkeleton() {
  const { say } = useWords();
  return (
    <div className={styles.waiting} role="status">
      <span className="visually-hidden">{say('figures.loading')}</span>
      {PLACES.map((place) => (
        <div key={place} className={styles.place}>
          <Skeleton width="6rem" height="1.1rem" />
          <Skeleton width="70%" height="3rem" />
        </div>
      ))}
      <div className={styles.chart}>
        <Skeleton height="26rem" />
      </div>
    </div>
  );
}
