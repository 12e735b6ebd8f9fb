import type { Item } from '@perfume/domain/items';
import { useCallback, useRef } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { beginJob, endJob, showProgress } from '../../live/bulk-job.ts';
import { eachInRange, type ListFilters, listPageQuery } from '../../live/item-cache.ts';
import { useWords } from '../../words/words.tsx';
import { notifyBusy, notifyProblem } from './bulk-actions.ts';
import type { Rows } from './inventory-rows.ts';
import { matchKey } from './list-filters.ts';
import { countSelected, type Row, type Selection, select, selectionFor } from './selection.ts';
import { type SelectionName, useSelection } from './selection-store.ts';

/** Returns the selection of a list, and functions that select one row, a range of rows, or all that match. */
export function useRowSelection(name: SelectionName, filters: ListFilters, rows: Rows | null) {
  const words = useWords();
  const store = useSelection(name);
  const match = matchKey(filters);
  const selection = selectionFor(match, store.selection);
  const count = countSelected(selection);
  /** The row where a Shift-click range starts. */
  const anchor = useRef<{ match: string; index: number; id: string } | null>(null);
  const latest = useRef({ rows, filters, words, match, change: store.change, clear: store.clear });
  latest.current = { rows, filters, words, match, change: store.change, clear: store.clear };

  const selectRow = useCallback((index: number, item: Item, on: boolean, range: boolean) => {
    const { rows, match, change } = latest.current;
    const from = anchor.current?.match === match ? (rows?.indexOf(anchor.current.id) ?? anchor.current.index) : null;
    anchor.current = { match, index, id: item.id };
    const selectRows = (chosen: readonly Row[]) => change((now) => select(selectionFor(match, now), chosen, on));
    if (range && from !== null && rows) void rowsBetween(rows, from, index, latest.current.words).then(selectRows);
    else selectRows([item]);
  }, []);

  const selectAll = useCallback(async (on: boolean) => {
    const { filters, match, words, change, clear } = latest.current;
    if (!on) return clear();
    try {
      const { items, total } = await queryClient.fetchQuery(listPageQuery({ ...filters, sort: 'newest' }, 0));
      const upTo = items[0]?.createdAt ?? 0;
      const everything: Selection = { kind: 'all', match, count: total, upTo, except: new Set(), also: new Set() };
      change(() => everything);
    } catch (problem) {
      notifyProblem(problem, words);
    }
  }, []);

  const isAll = selection.kind === 'all' && count === rows?.total;
  const selectedState = count === 0 ? ('none' as const) : isAll ? ('all' as const) : ('some' as const);
  return { selection, count, selectedState, selectRow, selectAll, clear: store.clear };
}

/** Returns the rows between two indexes, both included. Rows that are not loaded are fetched. */
async function rowsBetween(
  rows: Rows,
  one: number,
  other: number,
  words: Parameters<typeof notifyBusy>[0],
): Promise<Row[]> {
  const [first, last] = one < other ? [one, other] : [other, one];
  const known = Array.from({ length: last - first + 1 }, (_, at) => rows.at(first + at));
  if (known.every((item) => item !== undefined)) return known;
  const signal = beginJob('range', known.length);
  if (signal === null) {
    notifyBusy(words);
    return [];
  }
  const found: Row[] = [];
  try {
    for await (const items of eachInRange(rows.filters, first, last, signal)) {
      found.push(...items.map(({ id, createdAt }) => ({ id, createdAt })));
      showProgress(found.length);
    }
    return found;
  } catch (problem) {
    if (!signal.aborted) notifyProblem(problem, words);
    return [];
  } finally {
    endJob();
  }
}
