import type { Item } from '@perfume/domain/items';
import { listBadge } from '@perfume/domain/stock-level';
import type { ReactNode } from 'react';
import { LiveNumber } from '../../../ui/live-number.tsx';
import { useWords, type Words } from '../../../words/words.tsx';
import { StockBadges } from '../../items/stock-badges.tsx';
import { type Column, isNumber } from './columns.ts';
import styles from './item-cell.module.css';

/** The columns without controls. */
type CellColumn = Exclude<Column, 'name' | 'update'>;

/** The cell of an item in one column. */
export function ItemCell({ column, item }: { column: CellColumn; item: Item }) {
  return <td className={isNumber(column) ? styles.number : styles.text}>{contentOf(column, item)}</td>;
}

function contentOf(column: CellColumn, item: Item): ReactNode {
  if (column === 'stock') return <StockBadges item={item} word={listBadge(item.quantity)} />;
  if (column === 'price') return <Price cents={item.priceCents} />;
  if (column === 'quantity') return <Quantity item={item} />;
  if (column !== 'dealer') return <Line column={column} item={item} />;
  return (
    <>
      <Line column="supplier" item={item} />
      <Available item={item} />
    </>
  );
}

function Line({ column, item }: { column: CellColumn; item: Item }) {
  const text = textOf(column, item, useWords());
  const isInherited = column === 'reorderPoint' && item.reorderPoint === null;
  return (
    <div className={isInherited ? styles.inherited : styles.line}>
      <bdi>{text}</bdi>
    </div>
  );
}

function Quantity({ item }: { item: Item }) {
  const { number } = useWords();
  return <LiveNumber value={item.quantity} format={number} />;
}

/** What a column says about an item, in one line. */
function textOf(column: CellColumn, item: Item, { money, number, date }: Words): string {
  const texts: Partial<Record<CellColumn, () => string>> = {
    dealer: () => item.supplierName,
    supplier: () => item.supplierName,
    price: () => money(item.priceCents),
    sku: () => item.sku ?? '',
    barcodes: () => item.barcodes.join(', '),
    reorderPoint: () => number(item.lowAt),
    value: () => money(item.priceCents * item.quantity),
    email: () => item.email,
    updated: () => date(item.updatedAt),
    added: () => date(item.createdAt),
  };
  return texts[column]?.() ?? '';
}

/** In a narrow list, which has no columns: the chosen fields in one line, as far as they fit. */
export function ItemFacts({ columns, item }: { columns: readonly Column[]; item: Item }) {
  const words = useWords();
  const facts = columns.flatMap((column) => {
    if (column === 'name' || column === 'update') return [];
    const text = textOf(column, item, words);
    return text === '' ? [] : [{ column, text }];
  });
  return (
    <div className={styles.facts}>
      {facts.map(({ column, text }) => (
        <span key={column}>
          {needsLabel.has(column) && `${words.say(`columns.${column as Labelled}`)} `}
          <bdi>{text}</bdi>
        </span>
      ))}
    </div>
  );
}

type Labelled = 'sku' | 'reorderPoint' | 'value' | 'updated' | 'added';
/** The fields that nobody would recognise without their name. */
const needsLabel = new Set<Column>(['sku', 'reorderPoint', 'value', 'updated', 'added'] satisfies Labelled[]);

export function Available({ item, children }: { item: Item; children?: ReactNode }) {
  const words = useWords();
  const [before, after] = aroundQuantity(words);
  return (
    <div className={styles.available}>
      {children}
      {before}
      <strong>
        <LiveNumber value={item.quantity} format={words.number} />
      </strong>
      {after}
    </div>
  );
}

const HOLE = '\u0000';

function aroundQuantity({ say }: Words): string[] {
  return say('inventory.available', { quantity: HOLE }).split(HOLE);
}

function Price({ cents }: { cents: number }) {
  const { say, money } = useWords();
  return (
    <>
      <div>{say('inventory.amount', { price: money(cents).replace('$', '').trim() })}</div>
      <div className={styles.currency}>{say('inventory.currency')}</div>
    </>
  );
}
