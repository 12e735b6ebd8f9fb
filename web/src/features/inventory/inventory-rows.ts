import type { Item } from '@perfume/domain/items';
import { useQueries } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { type ListFilters, type ListPage, listPageQuery, PAGE_ROWS } from '../../live/item-cache.ts';
import { filtersKey, scrollKey } from './list-filters.ts';

/** How long scrolling has to rest on a page before the page is fetched. */
const REST_MS = 80;

/** The rows of one list, as far as they are loaded. */
export type Rows = {
  filters: ListFilters;
  total: number;
  at: (index: number) => Item | undefined;
  /** Returns the index of an item, if it is on a loaded page. */
  indexOf: (id: string) => number | undefined;
  /** The loaded pages. As long as they are the same objects, no row has changed. */
  pages: readonly ListPage[];
};

export type Inventory = {
  /** Null until the first page is loaded. While new filters load, these are still the rows for the previous filters. */
  rows: Rows | null;
  /** Whether the rows still belong to the previous filters. */
  waiting: boolean;
  /** Why a page failed to load. */
  problem: unknown;
  retry: () => void;
  /** Has to be called with the visible rows. `kept` is the focused row, whose page must stay loaded. */
  onRowsInView: (first: number, last: number, kept: number | null) => void;
};

type Start = { row: number; total: number | null };

/** Loads the pages in view. `start` is the first row to load, and the total number of rows at the last visit. */
export function useInventoryRows(filters: ListFilters, start: Start): Inventory {
  const list = scrollKey(filters);
  const [visible, setVisible] = useState<{ list: string; pages: number[] } | null>(null);
  const pages = visible?.list === list ? visible.pages : [pageOf(Math.max(0, start.row))];
  const results = useQueries({ queries: pages.map((page) => listPageQuery(filters, page)) });

  const failed = results.find(({ isError, data }) => isError && data === undefined);
  const problem = failed?.error ?? null;
  const total = useTotal(filters, problem === null ? start.total : null, results);
  const loaded = new Map<number, ListPage>();
  pages.forEach((page, at) => {
    const data = results[at]?.data;
    if (data) loaded.set(page, data);
  });
  const rows = total === null ? null : rowsOf(filters, total, loaded);
  const last = useRef<Rows | null>(null);
  if (rows) last.current = rows;

  return {
    rows: rows ?? last.current,
    waiting: rows === null,
    problem,
    retry: () => results.forEach(({ isError, refetch }) => void (isError && refetch())),
    onRowsInView: useRowsInView(list, rows?.total ?? 0, pages, setVisible),
  };
}

type PageResult = { data: ListPage | undefined; dataUpdatedAt: number };

/** Returns the total of the most recently loaded page; while pages load, the last known total. */
function useTotal(filters: ListFilters, before: number | null, results: PageResult[]): number | null {
  const known = useRef<{ key: string; list: string; total: number } | null>(null);
  const [key, list] = [filtersKey(filters), scrollKey(filters)];
  const latest = results.filter(({ data }) => data).sort((a, b) => b.dataUpdatedAt - a.dataUpdatedAt)[0];
  if (latest?.data) known.current = { key, list, total: latest.data.total };
  if (known.current?.key === key) return known.current.total;
  // The same list at another instant of the time machine: the previous rows stay until the new ones are loaded.
  return known.current?.list === list ? null : before;
}

function rowsOf(filters: ListFilters, total: number, loaded: Map<number, ListPage>): Rows {
  let indexes: Map<string, number> | null = null;
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
      indexes ??= new Map(
        [...loaded].flatMap(([page, { items }]) => items.map((item, at) => [item.id, page * PAGE_ROWS + at] as const)),
      );
      return indexes.get(id);
    },
  };
}

/** Returns a function that fetches the visible pages and the nearer neighbour page, once scrolling rests on them. */
function useRowsInView(
  list: string,
  total: number,
  now: number[],
  fetchPages: (visible: { list: string; pages: number[] }) => void,
) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const scheduled = useRef('');
  const fetched = `${list} ${now}`;
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(
    (first: number, last: number, kept: number | null) => {
      const pages = pagesFor(first, last, total, kept);
      const next = `${list} ${pages}`;
      if (next === scheduled.current) return;
      scheduled.current = next;
      clearTimeout(timer.current);
      if (next !== fetched) timer.current = setTimeout(() => fetchPages({ list, pages }), REST_MS);
    },
    [list, total, fetched, fetchPages],
  );
}

/** Returns the pages with these rows and with the kept row, and the next page that scrolling would reach first. */
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
