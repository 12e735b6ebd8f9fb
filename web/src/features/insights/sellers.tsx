import { useQuery } from '@tanstack/react-query';
import { Fragment, useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FigureCell, FigureHead, Table } from '../../ui/table.tsx';
import { useWords } from '../../words/words.tsx';
import { useFigureWords } from './figure-words.ts';
import { InsightSection } from './insight-section.tsx';
import { type InsightsScope, type Seller, type SellerOrder, scopeParams, sellersQuery } from './insights-query.ts';
import { ItemCell } from './item-cell.tsx';
import { QueryResult } from './query-result.tsx';
import styles from './sellers.module.css';

const SHOWN = 8;

export function Sellers({ scope, order }: { scope: InsightsScope; order: SellerOrder }) {
  const { say } = useWords();
  const query = useQuery(sellersQuery(scope, order, SHOWN));
  return (
    <InsightSection
      heading={say(`sellers.${order}`)}
      file={{ path: '/exports/sellers', query: { ...scopeParams(scope), order } }}
    >
      <QueryResult query={query} height="24rem">
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState text={say(order === 'fastest' ? 'sellers.none' : 'sellers.noneInStock')} />
          ) : (
            <SellersTable items={items} />
          )
        }
      </QueryResult>
    </InsightSection>
  );
}

function SellersTable({ items }: { items: Seller[] }) {
  const { say } = useWords();
  return (
    <Table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{say('sellers.item')}</th>
          <FigureHead>{say('sellers.delivered')}</FigureHead>
          <FigureHead className={styles.wide}>{say('sellers.onHand')}</FigureHead>
          <FigureHead>{say('sellers.left')}</FigureHead>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <SellerRows key={item.id} item={item} />
        ))}
      </tbody>
    </Table>
  );
}

function SellerRows({ item }: { item: Seller }) {
  const { say, number } = useWords();
  const [why, setWhy] = useState(false);
  const id = useId();
  return (
    <Fragment>
      <tr>
        <th scope="row">
          <ItemCell item={item} />
        </th>
        <FigureCell>{number(item.delivered)}</FigureCell>
        <FigureCell className={styles.wide}>{number(item.onHand)}</FigureCell>
        <FigureCell className={styles.left}>
          {item.daysLeft === null ? (
            <span className={styles.noEnd}>{say('sellers.noDeliveries')}</span>
          ) : (
            <>
              <span className={styles.days}>{say('sellers.days', { count: item.daysLeft })}</span>
              <Button
                look="plain"
                size="s"
                className={styles.why}
                aria-expanded={why}
                aria-controls={id}
                aria-label={say('sellers.why.of', { name: item.name })}
                onClick={() => setWhy(!why)}
              >
                {say('sellers.why')}
              </Button>
            </>
          )}
        </FigureCell>
      </tr>
      {why && item.daysLeft !== null && (
        <tr id={id} className={styles.because}>
          <td colSpan={4}>
            <Sum item={item} left={item.daysLeft} />
          </td>
        </tr>
      )}
    </Fragment>
  );
}

/** Shows how the number of days left in stock was calculated. */
function Sum({ item, left }: { item: Seller; left: number }) {
  const { say, number } = useWords();
  const { decimal } = useFigureWords();
  const pace = decimal(item.perDay);
  return (
    <dl className={styles.sum}>
      <div>
        <dt>{say('sellers.sum.delivered')}</dt>
        <dd>{number(item.delivered)}</dd>
      </div>
      <div>
        <dt>{say('sellers.sum.days')}</dt>
        <dd>{decimal(item.days)}</dd>
      </div>
      <div>
        <dt>{say('sellers.sum.pace')}</dt>
        <dd dir="ltr">
          {number(item.delivered)} ÷ {decimal(item.days)} = {pace}
        </dd>
      </div>
      <div>
        <dt>{say('sellers.sum.left')}</dt>
        <dd dir="ltr">
          {number(item.onHand)} ÷ {pace} = <strong>{number(left)}</strong>
        </dd>
      </div>
    </dl>
  );
}
