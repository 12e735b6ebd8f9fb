import type { Ref } from 'react';
import { useWords } from '../../words/words.tsx';
import styles from './history-head.module.css';
import type { Layout } from './history-row.tsx';
import { dayText, isSameDay } from './history-time.tsx';

export function HistoryHead({ narrow, named }: Layout) {
  const { say } = useWords();
  if (narrow) {
    return (
      <thead className={styles.head}>
        <tr aria-rowindex={1}>
          <th scope="col">{say('history.what')}</th>
          <th scope="col" className={styles.stock}>
            {say('history.stock')}
          </th>
        </tr>
      </thead>
    );
  }
  return (
    <thead className={styles.head}>
      <tr aria-rowindex={1}>
        <th scope="col" className={styles.when}>
          {say('history.when')}
        </th>
        <th scope="col" className={named ? styles.what : undefined}>
          {say('history.what')}
        </th>
        {named && <th scope="col">{say('history.item')}</th>}
        <th scope="col" className={styles.figure}>
          {say('history.change')}
        </th>
        <th scope="col" className={styles.figure}>
          {say('history.onHand')}
        </th>
        <th scope="col" className={styles.who}>
          {say('history.who')}
        </th>
        <th scope="col" className={styles.undo}>
          {say('history.undo')}
        </th>
      </tr>
    </thead>
  );
}

type DayProps = Layout & { ref: Ref<HTMLTableRowElement>; index: number; at: number; columns: number };

const DAY_MS = 24 * 60 * 60_000;

/** The heading of a day. It is sticky while the entries of that day scroll by. */
export function HistoryDay({ ref, index, at, columns }: DayProps) {
  const { say, locale } = useWords();
  const now = Date.now();
  const near = isSameDay(at, now)
    ? say('history.today')
    : isSameDay(at, now - DAY_MS)
      ? say('history.yesterday')
      : null;
  const date = dayText(at, locale);
  return (
    <tr ref={ref} data-index={index} aria-rowindex={index + 2}>
      <th scope="rowgroup" colSpan={columns} className={styles.day}>
        <span className={styles.name}>{near ?? date}</span>
        {near !== null && <span className={styles.date}>{date}</span>}
      </th>
    </tr>
  );
}
