import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FigureCell, FigureHead, Table } from '../../ui/table.tsx';
import { useWords } from '../../words/words.tsx';
import { InsightSection } from './insight-section.tsx';
import { type InsightsScope, MAX_ROWS, type Suppliers as SuppliersData, suppliersQuery } from './insights-query.ts';
import { QueryResult } from './query-result.tsx';
import styles from './suppliers.module.css';

const SHOWN = 12;

type SuppliersProps = { scope: InsightsScope; onChoose: (supplier: string) => void };

export function Suppliers({ scope, onChoose }: SuppliersProps) {
  const { say } = useWords();
  // The supplier filter uses the same query, so one request serves the filter and this table.
  const query = useQuery(suppliersQuery(scope, MAX_ROWS));
  const { from, to } = scope;
  return (
    <InsightSection heading={say('suppliers.heading')} file={{ path: '/exports/suppliers', query: { from, to } }}>
      <QueryResult query={query} height="24rem">
        {(data) =>
          data.suppliers.length === 0 ? (
            <EmptyState text={say('suppliers.none')} />
          ) : (
            <SuppliersTable data={data} chosen={scope.supplier} onChoose={onChoose} />
          )
        }
      </QueryResult>
    </InsightSection>
  );
}

type TableProps = { data: SuppliersData; chosen: string; onChoose: (supplier: string) => void };

function SuppliersTable({ data, chosen, onChoose }: TableProps) {
  const { say, number, money } = useWords();
  const { total } = data;
  const suppliers = data.suppliers.slice(0, SHOWN);
  const most = suppliers[0]?.valueCents || 1;
  const others = total.suppliers - suppliers.length;
  const rest = (part: 'items' | 'unitsOnHand' | 'valueCents' | 'delivered') =>
    total[part] - suppliers.reduce((sum, line) => sum + line[part], 0);
  return (
    <Table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{say('suppliers.supplier')}</th>
          <FigureHead>{say('suppliers.value')}</FigureHead>
          <FigureHead className={styles.wide}>{say('suppliers.units')}</FigureHead>
          <FigureHead className={styles.wide}>{say('suppliers.items')}</FigureHead>
          <FigureHead>{say('suppliers.delivered')}</FigureHead>
        </tr>
      </thead>
      <tbody>
        {suppliers.map((line) => {
          const name = line.supplierName;
          const isChosen = isSame(name, chosen);
          return (
            <tr key={name} aria-current={isChosen || undefined}>
              <th scope="row">
                <button
                  type="button"
                  className={styles.name}
                  aria-label={say('suppliers.only', { name })}
                  onClick={() => onChoose(isChosen ? '' : name)}
                >
                  <bdi>{name}</bdi>
                </button>
                <span className={styles.bar} style={{ inlineSize: `${(line.valueCents / most) * 100}%` }} />
              </th>
              <FigureCell>{money(line.valueCents)}</FigureCell>
              <FigureCell className={styles.wide}>{number(line.unitsOnHand)}</FigureCell>
              <FigureCell className={styles.wide}>{number(line.items)}</FigureCell>
              <FigureCell>{number(line.delivered)}</FigureCell>
            </tr>
          );
        })}
        {others > 0 && (
          <tr className={styles.others}>
            <th scope="row">{say('suppliers.others', { count: others })}</th>
            <FigureCell>{money(rest('valueCents'))}</FigureCell>
            <FigureCell className={styles.wide}>{number(rest('unitsOnHand'))}</FigureCell>
            <FigureCell className={styles.wide}>{number(rest('items'))}</FigureCell>
            <FigureCell>{number(rest('delivered'))}</FigureCell>
          </tr>
        )}
      </tbody>
    </Table>
  );
}

/** Compares two supplier names as the server does: ignoring case and accents. */
export function isSame(one: string, other: string): boolean {
  return one.localeCompare(other, undefined, { sensitivity: 'base' }) === 0;
}
