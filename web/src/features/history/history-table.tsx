import type { WireEntry } from '@perfume/contract/history';
import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  type FocusEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { queryClient } from '../../api/query-client.ts';
import { useWords } from '../../words/words.tsx';
import { type DisplayRow, displayRows } from './display-rows.ts';
import { HistoryBatchRow } from './history-batch-row.tsx';
import { HistoryDay, HistoryHead } from './history-head.tsx';
import { previewQuery } from './history-query.ts';
import { HistoryRow, type Layout } from './history-row.tsx';
import { usePlace, useReturnTo, useTop } from './history-scroll.ts';
import styles from './history-table.module.css';
import type { History } from './use-history.ts';

/** Lines drawn beyond the window, so that a turn of the wheel finds them there. */
const BEYOND = 10;
/** This many rows before the end the next page is asked for. */
const AHEAD = 20;
/** About how high a row is, until it is drawn. */
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

/** The ledger, of any length: only the rows in sight are drawn. The window scrolls; spacers stand for the rest. */
export function HistoryTable({ label, history, narrow, named, onUndo, onUndoAll }: TableProps) {
  const { entries, arrived, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = history;
  const { language } = useWords();
  const body = useRef<HTMLTableSectionElement>(null);
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => displayRows(entries, expanded), [entries, expanded]);
  const byId = useMemo(() => new Map(entries.map((entry) => [entry.id, entry])), [entries]);
  const top = useTop(body);
  const focus = useFocusedLine(rows);
  const { kept, keep } = usePlace();

  const rangeExtractor = useCallback(
    (range: Range) => withKept(defaultRangeExtractor(range), [dayAbove(rows, range.startIndex), focus.row]),
    [rows, focus.row],
  );
  const virtualizer = useWindowVirtualizer<HTMLTableRowElement>({
    count: top === null ? 0 : rows.length,
    estimateSize: (index) => HEIGHTS[rows[index]?.kind ?? 'entry'][narrow ? 1 : 0],
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: BEYOND,
    scrollMargin: top ?? 0,
    rangeExtractor,
    initialMeasurementsCache: kept?.sizes ?? [],
  });
  useReturnTo(kept, top !== null);

  const leave = useRef(() => {});
  leave.current = () => keep({ scrollY: virtualizer.scrollOffset ?? 0, sizes: virtualizer.takeSnapshot() });
  // With the layout, not after it: once the rows are off the page, the window scrolls by itself.
  useLayoutEffect(() => () => leave.current(), []);

  // Other words and other columns have other heights. Not at first: that would forget the heights one comes back to.
  const measured = useRef(`${narrow} ${language}`);
  useEffect(() => {
    const now = `${narrow} ${language}`;
    if (measured.current !== now) virtualizer.measure();
    measured.current = now;
  }, [narrow, language, virtualizer]);

  const last = virtualizer.getVirtualItems().at(-1)?.index ?? -1;
  const nearEnd = last >= 0 && last >= rows.length - AHEAD;
  useEffect(() => {
    if (nearEnd && hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage();
  }, [nearEnd, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage]);

  const toggle = useCallback((key: string) => setExpanded((now) => toggled(now, key)), []);

  const columns = narrow ? 2 : named ? 7 : 6;
  const layout = { narrow, named };
  const drawn: ReactNode[] = [];
  let end = 0;
  for (const { index, start, end: to, key } of virtualizer.getVirtualItems()) {
    const row = rows[index];
    if (!row) continue;
    const from = start - (top ?? 0);
    if (from > end) drawn.push(<Spacer key={`space before ${key}`} height={from - end} columns={columns} />);
    end = to - (top ?? 0);
    const place = { ref: virtualizer.measureElement, index, ...layout };
    if (row.kind === 'day') drawn.push(<HistoryDay key={row.key} {...place} at={row.at} columns={columns} />);
    else if (row.kind === 'batch') {
      drawn.push(<HistoryBatchRow key={row.key} {...place} row={row} onToggle={toggle} onUndoAll={onUndoAll} />);
    } else {
      drawn.push(
        <HistoryRow
          key={row.key}
          {...place}
          entry={row.entry}
          undoing={row.entry.undoneBy === null ? undefined : byId.get(row.entry.undoneBy)}
          inBatch={row.inBatch}
          isNew={arrived.has(row.entry.id)}
          onUndo={onUndo}
          onHover={prefetchPreview}
        />,
      );
    }
  }
  const height = virtualizer.getTotalSize();
  if (height > end) drawn.push(<Spacer key="space below" height={height - end} columns={columns} />);

  return (
    <table className={styles.table} aria-label={label} aria-rowcount={hasNextPage ? -1 : rows.length + 1}>
      <HistoryHead {...layout} />
      <tbody ref={body} {...focus.watchForChanges}>
        {drawn}
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

/** What undoing would do is known before the button is pressed. */
function prefetchPreview({ id }: WireEntry): void {
  void queryClient.prefetchQuery(previewQuery(id));
}

/** The row that has the focus stays drawn, however far one scrolls away from it. */
function useFocusedLine(rows: DisplayRow[]): { row: number | null; watchForChanges: object } {
  const [key, setKey] = useState<string | null>(null);
  const row = key === null ? -1 : rows.findIndex((one) => one.key === key);
  return {
    row: row < 0 ? null : row,
    watchForChanges: {
      onFocus: ({ target }: FocusEvent) => {
        const index = Number(target.closest<HTMLElement>('[data-index]')?.dataset.index ?? -1);
        setKey(rows[index]?.key ?? null);
      },
      onBlur: () => setKey(null),
    },
  };
}

/** The head of the day one is in stays in sight. */
function dayAbove(rows: DisplayRow[], index: number): number | null {
  for (let at = Math.min(index, rows.length - 1); at >= 0; at--) if (rows[at]?.kind === 'day') return at;
  return null;
}

function withKept(indexes: number[], kept: (number | null)[]): number[] {
  const all = new Set([...indexes, ...kept.filter((index) => index !== null)]);
  return [...all].sort((a, b) => a - b);
}

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
}
