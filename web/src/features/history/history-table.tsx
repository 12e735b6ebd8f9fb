import type { WireEntry } from '@perfume/contract/history';
import { type FocusEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { useLocation } from '../../ui/router.tsx';
import { useStartPosition } from '../../ui/windowed-table/scroll-position.ts';
import { useTableGeometry } from '../../ui/windowed-table/table-geometry.ts';
import { useScrollPosition } from '../../ui/windowed-table/use-scroll-position.ts';
import { measuredRowAtTop, scrollToMeasuredRow, useWindowedRows } from '../../ui/windowed-table/use-windowed-rows.ts';
import { WindowedTable } from '../../ui/windowed-table/windowed-table.tsx';
import { useWords } from '../../words/words.tsx';
import { type DisplayRow, displayRows } from './display-rows.ts';
import { HistoryBatchRow } from './history-batch-row.tsx';
import { HistoryDay, HistoryHead } from './history-head.tsx';
import { previewQuery } from './history-query.ts';
import { HistoryRow, type Layout } from './history-row.tsx';
import styles from './history-table.module.css';
import type { History } from './use-history.ts';

/** The next page is fetched when fewer than this many loaded rows follow the last drawn row. */
const FETCH_AHEAD = 20;
/** Estimated row heights in pixels, used until a row is drawn and measured. */
const HEIGHTS: Record<DisplayRow['kind'], [wide: number, narrow: number]> = {
  day: [56, 56],
  entry: [56, 112],
  batch: [70, 120],
};

type TableProps = Layout & {
  label: string;
  history: History;
  onUndo: (entry: WireEntry) => void;
  onUndoAll: (entry: WireEntry) => void;
};

/** The table of entries, grouped by day. It fetches the next page when the reader comes close to the end. */
export function HistoryTable({ label, history, narrow, named, onUndo, onUndoAll }: TableProps) {
  const { entries, arrived, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = history;
  const { language } = useWords();
  const body = useRef<HTMLTableSectionElement>(null);
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => displayRows(entries, expanded), [entries, expanded]);
  const byId = useMemo(() => new Map(entries.map((entry) => [entry.id, entry])), [entries]);
  const geometry = useTableGeometry(body, narrow);
  const focus = useFocusedRow(rows);

  const rowKey = useCallback((index: number) => rows[index]?.key ?? `${index}`, [rows]);
  const drawn = useWindowedRows({
    top: geometry?.top ?? null,
    count: rows.length,
    height: (index) => HEIGHTS[rows[index]?.kind ?? 'entry'][narrow ? 1 : 0],
    rowKey,
    heightsKey: `${narrow} ${language}`,
    overscan: 10,
    keep: (firstVisible) => [dayAbove(rows, firstVisible), focus.index],
  });
  const { virtualizer } = drawn;
  const { pathname, search } = useLocation();
  const list = `${pathname}${search}`;
  const start = useStartPosition(list, { resume: false });
  useScrollPosition(
    geometry,
    {
      list,
      total: rows.length,
      rowAtTop: (geometry) => measuredRowAtTop(virtualizer, geometry),
      scrollToRow: (geometry, row) => scrollToMeasuredRow(virtualizer, geometry, row),
    },
    // After a reload only the first page is loaded. If the saved row is not on it, the list starts at the top.
    start.row < rows.length ? start : { ...start, row: 0, total: null },
  );

  const lastDrawn = drawn.rows.at(-1)?.index ?? -1;
  const nearEnd = lastDrawn >= 0 && lastDrawn >= rows.length - FETCH_AHEAD;
  useEffect(() => {
    if (nearEnd && hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage();
  }, [nearEnd, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage]);

  const toggle = useCallback((key: string) => setExpanded((now) => toggled(now, key)), []);

  const columns = narrow ? 2 : named ? 7 : 6;
  function renderRow(index: number) {
    const row = rows[index];
    if (!row) return null;
    const common = { ref: virtualizer.measureElement, index, narrow, named };
    if (row.kind === 'day') return <HistoryDay key={row.key} {...common} at={row.at} columns={columns} />;
    if (row.kind === 'batch') {
      return <HistoryBatchRow key={row.key} {...common} row={row} onToggle={toggle} onUndoAll={onUndoAll} />;
    }
    return (
      <HistoryRow
        key={row.key}
        {...common}
        entry={row.entry}
        undoing={row.entry.undoneBy === null ? undefined : byId.get(row.entry.undoneBy)}
        inBatch={row.inBatch}
        isNew={arrived.has(row.entry.id)}
        onUndo={onUndo}
        onHover={prefetchPreview}
      />
    );
  }

  return (
    <WindowedTable
      className={styles.table}
      aria-label={label}
      aria-rowcount={hasNextPage ? -1 : rows.length + 1}
      head={<HistoryHead narrow={narrow} named={named} />}
      body={{ ref: body, onFocus: focus.onFocus, onBlur: focus.onBlur }}
      columns={columns}
      rows={drawn.rows}
      totalHeight={drawn.totalHeight}
      renderRow={renderRow}
    />
  );
}

/** Prefetches the preview of an undo, so that the dialog can show it at once. */
function prefetchPreview({ id }: WireEntry): void {
  void queryClient.prefetchQuery(previewQuery(id));
}

/** Tracks the focused row. It has to stay drawn while it is scrolled out of sight, or it would lose the focus. */
function useFocusedRow(rows: DisplayRow[]) {
  const [key, setKey] = useState<string | null>(null);
  const index = key === null ? -1 : rows.findIndex((row) => row.key === key);
  return {
    index: index < 0 ? null : index,
    onFocus: ({ target }: FocusEvent) => {
      const focused = Number(target.closest<HTMLElement>('[data-index]')?.dataset.index ?? -1);
      setKey(rows[focused]?.key ?? null);
    },
    onBlur: () => setKey(null),
  };
}

/** Returns the index of the day heading at or above a row. The heading is sticky, so it has to stay drawn. */
function dayAbove(rows: DisplayRow[], index: number): number | null {
  for (let at = Math.min(index, rows.length - 1); at >= 0; at--) if (rows[at]?.kind === 'day') return at;
  return null;
}

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
}
