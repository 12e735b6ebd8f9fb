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
import { HistoryBatchRow } from './history-batch-row.tsx';
import { HistoryDay, HistoryHead } from './history-head.tsx';
import { type Line, linesOf } from './history-lines.ts';
import type { History } from './history-live.ts';
import { previewQuery } from './history-query.ts';
import { HistoryRow, type Layout } from './history-row.tsx';
import { usePlace, useReturnTo, useTop } from './history-scroll.ts';
import styles from './history-table.module.css';

/** Lines drawn beyond the window, so that a turn of the wheel finds them there. */
const BEYOND = 10;
/** This many lines before the end the next page is asked for. */
const AHEAD = 20;
/** About how high a line is, until it is drawn. */
const HEIGHTS: Record<Line['kind'], [wide: number, narrow: number]> = {
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

/** The ledger, of any length: only the lines in sight are drawn. The window scrolls; spacers stand for the rest. */
export function HistoryTable({ label, history, narrow, named, onUndo, onUndoAll }: TableProps) {
  const { entries, arrived, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = history;
  const { language } = useWords();
  const body = useRef<HTMLTableSectionElement>(null);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const lines = useMemo(() => linesOf(entries, opened), [entries, opened]);
  const byId = useMemo(() => new Map(entries.map((entry) => [entry.id, entry])), [entries]);
  const top = useTop(body);
  const focus = useFocusedLine(lines);
  const { kept, keep } = usePlace();

  const rangeExtractor = useCallback(
    (range: Range) => withKept(defaultRangeExtractor(range), [dayAbove(lines, range.startIndex), focus.line]),
    [lines, focus.line],
  );
  const virtualizer = useWindowVirtualizer<HTMLTableRowElement>({
    count: top === null ? 0 : lines.length,
    estimateSize: (index) => HEIGHTS[lines[index]?.kind ?? 'entry'][narrow ? 1 : 0],
    getItemKey: (index) => lines[index]?.key ?? index,
    overscan: BEYOND,
    scrollMargin: top ?? 0,
    rangeExtractor,
    initialMeasurementsCache: kept?.sizes ?? [],
  });
  useReturnTo(kept, top !== null);

  const leave = useRef(() => {});
  leave.current = () => keep({ scrollY: virtualizer.scrollOffset ?? 0, sizes: virtualizer.takeSnapshot() });
  // With the layout, not after it: once the lines are off the page, the window scrolls by itself.
  useLayoutEffect(() => () => leave.current(), []);

  // Other words and other columns have other heights. Not at first: that would forget the heights one comes back to.
  const measured = useRef(`${narrow} ${language}`);
  useEffect(() => {
    const now = `${narrow} ${language}`;
    if (measured.current !== now) virtualizer.measure();
    measured.current = now;
  }, [narrow, language, virtualizer]);

  const last = virtualizer.getVirtualItems().at(-1)?.index ?? -1;
  const nearEnd = last >= 0 && last >= lines.length - AHEAD;
  useEffect(() => {
    if (nearEnd && hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage();
  }, [nearEnd, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage]);

  const toggle = useCallback((key: string) => setOpened((now) => toggled(now, key)), []);

  const columns = narrow ? 2 : named ? 7 : 6;
  const layout = { narrow, named };
  const drawn: ReactNode[] = [];
  let end = 0;
  for (const { index, start, end: to, key } of virtualizer.getVirtualItems()) {
    const line = lines[index];
    if (!line) continue;
    const from = start - (top ?? 0);
    if (from > end) drawn.push(<Spacer key={`space before ${key}`} height={from - end} columns={columns} />);
    end = to - (top ?? 0);
    const place = { ref: virtualizer.measureElement, index, ...layout };
    if (line.kind === 'day') drawn.push(<HistoryDay key={line.key} {...place} at={line.at} columns={columns} />);
    else if (line.kind === 'batch') {
      drawn.push(<HistoryBatchRow key={line.key} {...place} line={line} onToggle={toggle} onUndoAll={onUndoAll} />);
    } else {
      drawn.push(
        <HistoryRow
          key={line.key}
          {...place}
          entry={line.entry}
          undoing={line.entry.undoneBy === null ? undefined : byId.get(line.entry.undoneBy)}
          inBatch={line.inBatch}
          glows={arrived.has(line.entry.id)}
          onUndo={onUndo}
          onNear={lookAhead}
        />,
      );
    }
  }
  const height = virtualizer.getTotalSize();
  if (height > end) drawn.push(<Spacer key="space below" height={height - end} columns={columns} />);

  return (
    <table className={styles.table} aria-label={label} aria-rowcount={hasNextPage ? -1 : lines.length + 1}>
      <HistoryHead {...layout} />
      <tbody ref={body} {...focus.watch}>
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
function lookAhead({ id }: WireEntry): void {
  void queryClient.prefetchQuery(previewQuery(id));
}

/** The line that has the focus stays drawn, however far one scrolls away from it. */
function useFocusedLine(lines: Line[]): { line: number | null; watch: object } {
  const [key, setKey] = useState<string | null>(null);
  const line = key === null ? -1 : lines.findIndex((one) => one.key === key);
  return {
    line: line < 0 ? null : line,
    watch: {
      onFocus: ({ target }: FocusEvent) => {
        const index = Number(target.closest<HTMLElement>('[data-index]')?.dataset.index ?? -1);
        setKey(lines[index]?.key ?? null);
      },
      onBlur: () => setKey(null),
    },
  };
}

/** The head of the day one is in stays in sight. */
function dayAbove(lines: Line[], index: number): number | null {
  for (let at = Math.min(index, lines.length - 1); at >= 0; at--) if (lines[at]?.kind === 'day') return at;
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
