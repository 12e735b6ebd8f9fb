import { dayOf, parseDay } from '@perfume/domain/insights';
import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FigureCell, FigureHead, Table } from '../../ui/table.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './dead-stock.module.css';
import { useFigureWords } from './figure-words.ts';
import { InsightSection } from './insight-section.tsx';
import { type DeadStock as DeadStockData, deadStockQuery, of } from './insights-query.ts';
import { ItemCell } from './item-cell.tsx';
import { QueryResult } from './query-result.tsx';

const SHOWN = 12;

/** The table of dead stock: items without a delivery from the start of the period until today. */
export function DeadStock({ days, supplier }: { days: number; supplier: string }) {
  const { say } = useWords();
  const query = useQuery(deadStockQuery(days, supplier, SHOWN));
  const file = { path: '/exports/dead-stock', query: { days: String(days), ...of(supplier) } } as const;
  return (
    <InsightSection heading={say('deadStock.heading')} file={file}>
      <QueryResult query={query} height="18rem">
        {(data) => <DeadStockTable data={data} />}
      </QueryResult>
    </InsightSection>
  );
}

function DeadStockTable({ data }: { data: DeadStockData }) {
  const { say, number, money } = useWords();
  const figures = useFigureWords();
  const since = figures.fullDay(dayOf(Date.now()) - data.days + 1);
  if (data.items.length === 0) return <EmptyState text={say('deadStock.none', { day: since })} />;
  const { items: count, valueCents } = data.total;
  return (
    <>
      <p className={styles.bound}>{say('deadStock.summary', { count, value: money(valueCents), day: since })}</p>
      <Table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{say('sellers.item')}</th>
            <FigureHead className={styles.wide}>{say('deadStock.last')}</FigureHead>
            <FigureHead className={styles.wide}>{say('deadStock.idle')}</FigureHead>
            <FigureHead>{say('deadStock.onHand')}</FigureHead>
            <FigureHead>{say('deadStock.value')}</FigureHead>
          </tr>
        </thead>
        <tbody>
          {data.items.map((item) => (
            <tr key={item.id}>
              <th scope="row">
                <ItemCell item={item} />
              </th>
              <FigureCell className={styles.wide}>
                {item.lastDelivered === null
                  ? say('deadStock.never')
                  : figures.fullDay(parseDay(item.lastDelivered) ?? 0)}
              </FigureCell>
              <FigureCell className={styles.wide}>{say('sellers.days', { count: item.idleDays })}</FigureCell>
              <FigureCell>{number(item.onHand)}</FigureCell>
              <FigureCell>{money(item.valueCents)}</FigureCell>
            </tr>
          ))}
        </tbody>
      </Table>
      {data.items.length < count && (
        <p className={styles.first}>{say('deadStock.limited', { count: data.items.length })}</p>
      )}
    </>
  );
}
