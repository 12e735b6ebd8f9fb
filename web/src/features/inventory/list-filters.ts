import { useCallback, useEffect, useMemo } from 'react';
import { useBoot } from '../../api/boot.ts';
import { expectedUser } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { type ListFilters, listPageQuery } from '../../live/item-cache.ts';
import { filtersOf } from '../../live/list-query.ts';
import { useNavigate, useSearchParams } from '../../ui/router.tsx';
import { parseInstant } from '../time-machine/instant.ts';
import type { SetInstant } from '../time-machine/use-time-travel.ts';
import { saveLastSearch } from './manage-inventory-link.ts';

export type ListScope = ListFilters['scope'];
export type Stock = ListFilters['stock'];

/** Reads the filters from the query string, and the instant of the time machine. Unknown values are ignored. */
export function readListFilters(
  search: URLSearchParams,
  scope: ListScope,
  email: string,
  now = Date.now(),
): ListFilters {
  const at = scope === 'all' ? parseInstant(search.get('at'), now) : null;
  return { ...filtersOf(search, scope, email), ...(at !== null && { at }) };
}

const MAX_WAIT_MS = 50;

/** Fetches the first rows of the list in the URL. Resolves when they have arrived, or after `MAX_WAIT_MS`. */
export async function prefetchFirstRows(): Promise<void> {
  if (expectedUser() === null) return;
  const filters = readListFilters(new URLSearchParams(location.search), 'all', '');
  const timeout = new Promise<void>((resolve) => setTimeout(resolve, MAX_WAIT_MS));
  await Promise.race([queryClient.prefetchQuery(listPageQuery(filters, 0)), timeout]);
}

export type FilterChange = Partial<Pick<ListFilters, 'q' | 'sort' | 'stock'>> & {
  at?: string | null;
  columns?: string | null;
};

/** Returns the query string with some filters changed. Default values are left out. */
export function withListFilters(search: URLSearchParams, change: FilterChange): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(change)) {
    if (value === null || value === '' || value === 'newest') next.delete(name);
    else next.set(name, value);
  }
  return next;
}

/** Identifies the set of matching rows, whatever their order. "Select all" applies to one such set. */
export function matchKey({ scope, email, q, stock }: ListFilters): string {
  return JSON.stringify([scope, email, q, stock]);
}

/** Identifies a list for its scroll position. The instant is left out, so that the time machine keeps the position. */
export function scrollKey(filters: ListFilters): string {
  return JSON.stringify([matchKey(filters), filters.sort]);
}

export function filtersKey(filters: ListFilters): string {
  return JSON.stringify([scrollKey(filters), filters.at]);
}

export function useListFilters(scope: ListScope) {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const email = useBoot().user?.email ?? '';
  const queryString = search.toString();
  // Other columns show the same rows.
  const filterString = withListFilters(search, { columns: null }).toString();
  const filters = useMemo(
    () => readListFilters(new URLSearchParams(filterString), scope, email),
    [filterString, scope, email],
  );

  useEffect(() => {
    if (scope !== 'all') return;
    // Links back to the list show it as it is today, not as it was in the time machine.
    saveLastSearch(withListFilters(new URLSearchParams(queryString), { at: null }));
  }, [scope, queryString]);

  const navigateTo = useCallback(
    (change: FilterChange, replace: boolean) => {
      // Reads the URL from `window`, because React may not have rendered the last navigation yet.
      const next = withListFilters(new URLSearchParams(window.location.search), change);
      // The prefetch lets the request run while the page renders.
      if (change.columns === undefined)
        void queryClient.prefetchQuery(listPageQuery(readListFilters(next, scope, email), 0));
      // Colons and commas need no escaping in a query string. Without it, links are easier to read and share.
      navigate({ search: next.toString().replaceAll('%3A', ':').replaceAll('%2C', ',') }, { replace });
    },
    [scope, email, navigate],
  );
  /** A choice adds to the browser history; typing replaces the current history entry. */
  const choose = useCallback((change: FilterChange) => navigateTo(change, false), [navigateTo]);
  const type = useCallback((q: string) => navigateTo({ q }, true), [navigateTo]);
  const setInstant = useCallback<SetInstant>((at, replace) => navigateTo({ at }, replace), [navigateTo]);
  const setColumns = useCallback((columns: string | null) => navigateTo({ columns }, true), [navigateTo]);
  return { filters, choose, type, setInstant, setColumns };
}
