import type { Item } from '@perfume/domain/items';
import type { SortOrder } from '@perfume/domain/list-filters';
import { type MouseEvent, useCallback, useEffect, useRef, useState } from 'react';
import { useMay } from '../../live/may.ts';
import { useNavigate } from '../../ui/router.tsx';
import { prepareToasts } from '../../ui/toast.ts';
import type { StartPosition } from '../../ui/windowed-table/scroll-position.ts';
import { useTableGeometry } from '../../ui/windowed-table/table-geometry.ts';
import { useRowKeys } from '../../ui/windowed-table/use-row-keys.ts';
import { useScrollAnchor } from '../../ui/windowed-table/use-scroll-anchor.ts';
import { useScrollPosition } from '../../ui/windowed-table/use-scroll-position.ts';
import { useWindowedRows } from '../../ui/windowed-table/use-windowed-rows.ts';
import { WindowedTable } from '../../ui/windowed-table/windowed-table.tsx';
import { useWords } from '../../words/words.tsx';
import { deliver, receive } from '../ledger/stock-actions.ts';
import { StockPanel } from '../ledger/stock-panel.tsx';
import { useSlideIn } from '../time-machine/use-slide-in.ts';
import type { ResizeColumns } from './columns/column-resizer.tsx';
import type { Chosen } from './columns/columns.ts';
import { InventoryHead } from './inventory-head.tsx';
import { InventoryRow, type Layout, RowPlaceholder } from './inventory-row.tsx';
import type { Inventory, Rows } from './inventory-rows.ts';
import styles from './inventory-table.module.css';
import { scrollKey } from './list-filters.ts';
import { isSelected, type Selection } from './selection.ts';
import { useListKeys } from './use-list-keys.ts';

export type TableProps = Layout & {
  labelledBy: string;
  rows: Rows;
  waiting: boolean;
  onRowsInView: Inventory['onRowsInView'];
  start: StartPosition;
  chosen: readonly Chosen[];
  onResize: ResizeColumns;
  selection: Selection;
  selectedState: 'none' | 'some' | 'all';
  onSelectAll: (on: boolean) => unknown;
  onSelectRow: (index: number, item: Item, on: boolean, range: boolean) => void;
  onSort: (sort: SortOrder) => void;
  onDelete: (item: Item) => void;
};

/** The table of all matching items. Only the rows in view are drawn, so it can have 100,000 rows and more. */
export function InventoryTable(props: TableProps) {
  const { rows, waiting, onRowsInView, selection, onSelectRow, narrow, selecting, past } = props;
  const { columns, isDefault, chosen } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const geometry = useTableGeometry(body, narrow);
  const toggle = (index: number) => {
    const item = rows.at(index);
    if (item && !past) onSelectRow(index, item, !isSelected(selection, item), false);
  };
  const { total, indexOf } = rows;
  const { kept, goTo, onKeyDown, onFocus, onBlur } = useRowKeys({ body, geometry, total, indexOf, onToggle: toggle });

  const words = useWords();
  const may = useMay();
  const [canMove, canChange] = [may('moveStock'), may('changeItems')];
  const screen = narrow ? 'phone' : 'desktop';
  const [panel, setPanel] = useState<OpenPanel | null>(null);
  const deliverUnits = useCallback(
    (item: Item, units = 1) => void deliver(item, units, screen, words),
    [screen, words],
  );
  const toggleStock = useCallback(
    (item: Item, anchor: HTMLElement) =>
      setPanel((open) => (open?.item.id === item.id ? null : { item, anchor, show: 'all' })),
    [],
  );
  function openCount(item: Item): void {
    const control = (name: string) =>
      body.current?.querySelector<HTMLElement>(`[data-id="${item.id}"] [data-control="${name}"]`);
    // A person may have hidden the column with the buttons.
    const anchor = control('stock') ?? control('open');
    if (anchor) setPanel({ item, anchor, show: 'count' });
  }
  useListKeys({
    rows,
    geometry,
    current: kept,
    active: !past && panel === null,
    canMove,
    hasSelection: props.selectedState !== 'none',
    goTo,
    onToggle: toggle,
    onDeliver: deliverUnits,
    onReceive: (item, units) => void receive(item, units, words),
    onCount: openCount,
  });
  const rowHeight = geometry?.row ?? 1;
  const drawn = useWindowedRows({
    top: geometry?.top ?? null,
    count: total,
    height: () => rowHeight,
    heightsKey: rowHeight,
    rowsPerBlock: 3,
    overscan: 2,
    keep: () => [kept],
  });
  const { first, last } = drawn;

  useEffect(() => void prepareToasts().catch(() => {}), []);
  const list = scrollKey(rows.filters);
  useScrollPosition(geometry, { list, total }, props.start);
  useScrollAnchor(geometry, { ...rows, key: list }, first, last);
  useSlideIn(body, rows.filters.at);
  useEffect(() => {
    if (!waiting && last >= first) onRowsInView(first, last, kept);
  }, [waiting, onRowsInView, first, last, kept]);

  const navigate = useNavigate();
  function followLink(event: MouseEvent<HTMLElement>): void {
    const link = event.target instanceof Element && event.target.closest('a');
    const opensElsewhere = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (!link || opensElsewhere) return;
    event.preventDefault();
    navigate(link.pathname);
  }

  const columnCount = narrow ? 2 : columns.length + (past ? 0 : 1);
  const used = new Set<string>();
  let placeholders = 0;
  function renderRow(index: number) {
    const item = rows.at(index);
    // While pages are refetched one by one, an item can be on two of them for a moment. It is drawn only once.
    if (item === undefined || used.has(item.id)) {
      return <RowPlaceholder key={`placeholder-${placeholders++}`} index={index} columns={columnCount} />;
    }
    used.add(item.id);
    return (
      <InventoryRow
        key={item.id}
        index={index}
        item={item}
        selected={isSelected(selection, item)}
        narrow={narrow}
        selecting={selecting}
        past={past}
        columns={columns}
        isDefault={isDefault}
        canMove={canMove}
        canChange={canChange}
        onSelect={onSelectRow}
        onDeliver={deliverUnits}
        onStock={toggleStock}
        onDelete={props.onDelete}
      />
    );
  }

  const panelRow = panel && indexOf(panel.item.id);
  const table = (
    <WindowedTable
      className={narrow ? styles.narrow : styles.wide}
      aria-labelledby={props.labelledBy}
      aria-rowcount={total + 1}
      aria-busy={waiting || undefined}
      head={
        <InventoryHead
          narrow={narrow}
          selecting={selecting}
          past={past}
          columns={columns}
          isDefault={isDefault}
          chosen={chosen}
          onResize={props.onResize}
          sort={rows.filters.sort}
          onSort={props.onSort}
          selectedState={props.selectedState}
          onSelectAll={props.onSelectAll}
        />
      }
      body={{ ref: body, onClick: followLink, onKeyDown, onFocus, onBlur }}
      columns={columnCount}
      rows={drawn.rows}
      totalHeight={drawn.totalHeight}
      renderRow={renderRow}
    />
  );
  return (
    <>
      <div className={styles.frame}>{table}</div>
      {panel && (
        <StockPanel
          key={panel.item.id}
          item={(panelRow != null && rows.at(panelRow)) || panel.item}
          anchor={panel.anchor}
          screen={screen}
          show={panel.show}
          onClose={() => setPanel(null)}
        />
      )}
    </>
  );
}

/** The panel of a row. `item` is the row as it was when the panel opened. */
type OpenPanel = { item: Item; anchor: HTMLElement; show: 'all' | 'count' };
