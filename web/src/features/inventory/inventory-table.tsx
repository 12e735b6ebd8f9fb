import type { SortOrder } from '@perfume/contract/items';
import type { Item } from '@perfume/domain/items';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { useSlideIn } from '../time-machine/use-slide-in.ts';
import { type Geometry, useGeometry } from './inventory-geometry.ts';
import { InventoryHead } from './inventory-head.tsx';
import { useRowKeys } from './inventory-keys.ts';
import type { Place } from './inventory-place.ts';
import { InventoryRow, type Layout, RowPlaceholder } from './inventory-row.tsx';
import type { Inventory, Rows } from './inventory-rows.ts';
import { useAnchor, useKeptPlace } from './inventory-scroll.ts';
import styles from './inventory-table.module.css';
import { isSelected, type Selection } from './selection.ts';

/** Rows come and go by so many at a time: most frames of a scroll then change nothing on the page. */
const TOGETHER = 3;
/** So many times more are drawn on either side of the window, where a turn of the wheel finds them. */
const BEYOND = 2;

export type TableProps = Layout & {
  labelledBy: string;
  rows: Rows;
  waiting: boolean;
  onRowsInView: Inventory['onRowsInView'];
  start: Place & { entry: string };
  selection: Selection;
  selectedState: 'none' | 'some' | 'all';
  onSelectAll: (on: boolean) => unknown;
  onSelectRow: (index: number, item: Item, on: boolean, range: boolean) => void;
  onSort: (sort: SortOrder) => void;
  onDelete: (item: Item) => void;
};

/**
 * A page of the ledger with any number of lines, of which only those in sight are drawn. The window scrolls; spacers
 * stand for the rest, so that the scroll bar tells the truth.
 */
export function InventoryTable(props: TableProps) {
  const {
    labelledBy,
    rows,
    waiting,
    onRowsInView,
    start,
    selection,
    selectedState,
    onSelectAll,
    onSelectRow,
    onSort,
    onDelete,
  } = props;
  const { narrow, selecting, past } = props;
  const head = useRef<HTMLTableSectionElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const geometry = useGeometry({ body, head }, narrow);
  const toggle = (index: number) => {
    const item = rows.at(index);
    if (item && !past) onSelectRow(index, item, !isSelected(selection, item), false);
  };
  const { total, indexOf } = rows;
  const keys = useRowKeys({ body, geometry, total, indexOf, onToggle: toggle });
  const { inSight, drawn, height } = useDrawnRows(geometry, total, keys.kept);

  useKeptPlace(geometry, rows, start);
  useAnchor(geometry, rows, inSight.first, inSight.last);
  useSlideIn(body, rows.filters.at);
  useEffect(() => {
    if (!waiting && inSight.last >= inSight.first) onRowsInView(inSight.first, inSight.last, keys.kept);
  }, [waiting, onRowsInView, inSight.first, inSight.last, keys.kept]);

  const navigate = useNavigate();
  function followLink(event: MouseEvent<HTMLElement>): void {
    const link = event.target instanceof Element && event.target.closest('a');
    const elsewhere = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (!link || elsewhere) return;
    event.preventDefault();
    void navigate(link.pathname);
  }

  const columns = narrow ? 2 : past ? 5 : 6;
  const lines: ReactNode[] = [];
  const used = new Set<string>();
  let end = 0;
  for (const { index, from, to } of drawn) {
    if (from > end)
      lines.push(
        <Spacer key={`space-${lines.length === 0 ? 'above' : 'between'}`} height={from - end} columns={columns} />,
      );
    end = to;
    const item = rows.at(index);
    // While pages are read again one after the other, an item may stand on two of them for a moment.
    if (item === undefined || used.has(item.id)) {
      lines.push(<RowPlaceholder key={`coming-${lines.length}`} index={index} columns={columns} />);
      continue;
    }
    used.add(item.id);
    lines.push(
      <InventoryRow
        key={item.id}
        index={index}
        item={item}
        selected={isSelected(selection, item)}
        narrow={narrow}
        selecting={selecting}
        past={past}
        onSelect={onSelectRow}
        onDelete={onDelete}
      />,
    );
  }
  if (height > end) lines.push(<Spacer key="space-below" height={height - end} columns={columns} />);

  return (
    <table
      className={narrow ? styles.narrow : styles.wide}
      aria-labelledby={labelledBy}
      aria-rowcount={total + 1}
      aria-busy={waiting || undefined}
    >
      <InventoryHead
        ref={head}
        narrow={narrow}
        selecting={selecting}
        past={past}
        sort={rows.filters.sort}
        onSort={onSort}
        selectedState={selectedState}
        onSelectAll={onSelectAll}
      />
      <tbody ref={body} onClick={followLink} onKeyDown={keys.onKeyDown} onFocus={keys.onFocus} onBlur={keys.onBlur}>
        {lines}
      </tbody>
    </table>
  );
}

function Spacer({ height, columns }: { height: number; columns: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus.
    <tr aria-hidden="true" className={styles.spacer}>
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
}

type Drawn = { index: number; from: number; to: number };

/** The rows to draw, and where they are: counted from the first row, in pixels. */
function useDrawnRows(geometry: Geometry | null, total: number, kept: number | null) {
  const top = geometry?.top ?? 0;
  const row = geometry?.row ?? 1;
  const virtualizer = useWindowVirtualizer({
    count: geometry ? Math.ceil(total / TOGETHER) : 0,
    estimateSize: () => row * TOGETHER,
    overscan: BEYOND,
    scrollMargin: top,
  });
  const measured = useRef(row);
  useEffect(() => {
    if (measured.current === row) return;
    measured.current = row;
    virtualizer.measure();
  }, [row, virtualizer]);

  const indexes = virtualizer
    .getVirtualIndexes()
    .flatMap(rowsOfBlock)
    .filter((index) => index < total);
  const [first = 0, last = -1] = [indexes[0], indexes.at(-1)];
  if (kept !== null && kept < first) indexes.unshift(kept);
  if (kept !== null && kept > last && kept < total) indexes.push(kept);
  const drawn = indexes.map((index): Drawn => ({ index, from: index * row, to: (index + 1) * row }));
  const range = virtualizer.range;
  const inSight = range
    ? { first: range.startIndex * TOGETHER, last: Math.min(total, (range.endIndex + 1) * TOGETHER) - 1 }
    : { first: 0, last: -1 };
  return { inSight, drawn, height: total * row };
}

function rowsOfBlock(block: number): number[] {
  return Array.from({ length: TOGETHER }, (_, at) => block * TOGETHER + at);
}
