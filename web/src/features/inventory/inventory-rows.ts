import type { Item } from '@perfume/domain/items';
import { useQueries } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { type ListFilters, type ListPage, listPageQuery, PAGE_ROWS } from '../../live/item-cache.ts';
import { filtersKey, scrollKey } from './list-filters.ts';

/** Pages that are only flown over are not asked for: one has to rest on them this long. */
const REST_MS = 80;

/** The rows of one filters, as far as they are known. */
export type Rows = {
  filters: ListFilters;
  total: number;
  at: (index: number) => Item | undefined;
  /** Where an item stands among the rows in sight. */
  indexOf: (id: string) => number | undefined;
  /** What the rows were made of: the same answers are the same rows. */
  pages: readonly ListPage[];
};

export type Inventory = {
  /** Null until the first answer. While a new filters is on its way, the rows of the one before. */
  rows: Rows | null;
  /** The rows are not those of the filters any more. */
  waiting: boolean;
  /** Why rows are missing. */
  problem: unknown;
  retry: () => void;
  /** These rows are in sight now; `kept` is one that has to stay known although it may be elsewhere. */
  onRowsInView: (first: number, last: number, kept: number | null) => void;
};

type Start = { row: number; total: number | null };

/** `start`: where to begin, and how many rows there were when one was here last. */
export function useInventoryRows(filters: ListFilters, start: Start): Inventory {
  const place = scrollKey(filters);
  const [wanted, setWanted] = useState<{ place: string; pages: number[] } | null>(null);
  const pages = wanted?.place === place ? wanted.pages : [pageOf(Math.max(0, start.row))];
  const answers = useQueries({ queries: pages.map((page) => listPageQuery(filters, page)) });

  const failed = answers.find(({ isError, data }) => isError && data === undefined);
  const problem = failed?.error ?? null;
  const total = useTotal(filters, problem === null ? start.total : null, answers);
  const loaded = new Map<number, ListPage>();
  pages.forEach((page, at) => {
    const data = answers[at]?.data;
    if (data) loaded.set(page, data);
  });
  const rows = total === null ? null : rowsOf(filters, total, loaded);
  const last = useRef<Rows | null>(null);
  if (rows) last.current = rows;

  return {
    rows: rows ?? last.current,
    waiting: rows === null,
    problem,
    retry: () => answers.forEach(({ isError, refetch }) => void (isError && refetch())),
    onRowsInView: useRowsInView(place, rows?.total ?? 0, pages, setWanted),
  };
}

type Answer = { data: ListPage | undefined; dataUpdatedAt: number };

/** As many as the latest answer says; while pages are on their way, as many as the last one said. */
function useTotal(filters: ListFilters, before: number | null, answers: Answer[]): number | null {
  const known = useRef<{ key: string; place: string; total: number } | null>(null);
  const [key, place] = [filtersKey(filters), scrollKey(filters)];
  const latest = answers.filter(({ data }) => data).sort((a, b) => b.dataUpdatedAt - a.dataUpdatedAt)[0];
  if (latest?.data) known.current = { key, place, total: latest.data.total };
  if (known.current?.key === key) return known.current.total;
  // Another instant of the same list: until it is there, the rows of the one before stay.
  return known.current?.place === place ? null : before;
}

function rowsOf(filters: ListFilters, total: number, loaded: Map<number, ListPage>): Rows {
  let places: Map<string, number> | null = null;
  return {
    filters,
    total,
    pages: [...loaded.values()],
    at: (index) => {
      const page = pageOf(index);
      const data = loaded.get(page) ?? queryClient.getQueryData(listPageQuery(filters, page).queryKey);
      return data?.items[index % PAGE_ROWS];
    },
    indexOf: (id) => {
      places ??= new Map(
        [...loaded].flatMap(([page, { items }]) => items.map((item, at) => [item.id, page * PAGE_ROWS + at] as const)),
      );
      return places.get(id);
    },
  };
}

/** Asks for the pages in sight and the nearer neighbour, once one rests on them. */
function useRowsInView(
  place: string,
  total: number,
  now: number[],
  ask: (wanted: { place: string; pages: number[] }) => void,
) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const coming = useRef('');
  const asked = `${place} ${now}`;
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(
    (first: number, last: number, kept: number | null) => {
      const pages = pagesFor(first, last, total, kept);
      const next = `${place} ${pages}`;
      if (next === coming.current) return;
      coming.current = next;
      clearTimeout(timer.current);
      if (next !== asked) timer.current = setTimeout(() => ask({ place, pages }), REST_MS);
    },
    [place, total, asked, ask],
  );
}

/** The pages of these rows, the neighbour that would come into sight first, and the page of the row that is kept. */
export function pagesFor(first: number, last: number, total: number, kept: number | null): number[] {
  const from = pageOf(Math.max(0, first));
  const to = Math.max(from, pageOf(last));
  const pages = new Set(Array.from({ length: to - from + 1 }, (_, at) => from + at));
  const above = first - from * PAGE_ROWS;
  const below = (to + 1) * PAGE_ROWS - last;
  if (above < below && from > 0) pages.add(from - 1);
  else if ((to + 1) * PAGE_ROWS < total) pages.add(to + 1);
  if (kept !== null) pages.add(pageOf(kept));
  return [...pages].sort((a, b) => a - b);
}

function pageOf(index: number): number {
  return Math.floor(index / PAGE_ROWS);
}
