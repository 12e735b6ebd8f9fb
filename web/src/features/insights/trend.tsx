import { trendOf } from '@perfume/domain/insights';
import { useWords } from '../../words/words.tsx';
import { useFigureWords } from './figure-words.ts';
import styles from './trend.module.css';

/** The change since the previous period: an arrow and a percentage on screen, a sentence for screen readers. */
export function Trend({ units, before }: { units: number; before: number }) {
  const { say } = useWords();
  const figures = useFigureWords();
  const { direction, percent } = trendOf(units, before);
  if (direction === 'same') {
    return (
      <p className={styles.change}>
        <span aria-hidden="true">{say('figures.same')}</span>
        <span className="visually-hidden">{say('figures.sameAsBefore')}</span>
      </p>
    );
  }
  const sign = direction === 'up' ? '▲' : '▼';
  if (percent === null) {
    return (
      <p className={styles.change}>
        <span className={styles.sign} aria-hidden="true">
          {sign}
        </span>
        {say('figures.new')}
      </p>
    );
  }
  const amount = figures.percent(percent);
  return (
    <p className={styles.change}>
      <span aria-hidden="true">
        <span className={styles.sign}>{sign}</span> <strong>{amount}</strong>{' '}
        <span className={styles.before}>{say('figures.before', { count: before })}</span>
      </span>
      <span className="visually-hidden">
        {say(direction === 'up' ? 'figures.more' : 'figures.less', { percent: amount })}
      </span>
    </p>
  );
}
