import type { SortOrder } from '@perfume/contract/items';
import { isSafeText } from '@perfume/domain/text';
import { useCallback, useEffect, useMemo } from 'react';
import { useNavigate } from 'react-router';
import { useBoot } from '../../api/boot.ts';
import { queryClient } from '../../api/query-client.ts';
import { type ListFilters, listPageQuery } from '../../live/item-cache.ts';
import { useSearchParams } from '../../ui/router.tsx';
import { parseInstant } from '../time-machine/instant.ts';
import type { SetInstant } from '../time-machine/use-time-travel.ts';
import { writeSession } from './session-memory.ts';

export type ListScope = ListFilters['scope'];
export type Stock = ListFilters['stock'];

const sorts: Record<SortOrder, true> = {
  newest: true,
  '-newest': true,
  name: true,
  '-name': true,
  price: true,
  '-price': true,
  quantity: true,
  '-quantity': true,
};
const stocks: Record<NonNullable<Stock>, true> = { in: true, low: true, out: true };
const LONGEST = 200;

/** What the address asks for. Anything it says that we do not know is as if it said nothing. */
export function readListFilters(
  search: URLSearchParams,
  scope: ListScope,
  email: string,
  now = Date.now(),
): ListFilters {
  const sort = search.get('sort') ?? '';
  const stock = search.get('stock') ?? '';
  const q = (search.get('q') ?? '').trim().slice(0, LONGEST);
  const at = scope === 'all' ? parseInstant(search.get('at'), now) : null;
  return {
    scope,
    // The list of all items is the same for everybody.
    email: scope === 'mine' ? email : '',
    q: scope === 'all' && isSafeText(q) ? q : '',
    sort: Object.hasOwn(sorts, sort) ? (sort as SortOrder) : 'newest',
    stock: Object.hasOwn(stocks, stock) ? (stock as Stock) : null,
    ...(at !== null && { at }),
  };
}

export type Change = Partial<Pick<ListFilters, 'q' | 'sort' | 'stock'>> & { at?: string | null };

/** The address with something of the filters changed; what is as usual is not written. */
export function withListFilters(search: URLSearchParams, change: Change): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(change)) {
    if (value === null || value === '' || value === 'newest') next.delete(name);
    else next.set(name, value);
  }
  return next;
}

/** What rows there are, whatever their order: a selection of all of them is bound to this. */
export function matchKey({ scope, email, q, stock }: ListFilters): string {
  return JSON.stringify([scope, email, q, stock]);
}

/** Whatever the instant: who leafs through time stays where they are in the list. */
export function scrollKey(filters: ListFilters): string {
  return JSON.stringify([matchKey(filters), filters.sort]);
}

export function filtersKey(filters: ListFilters): string {
  return JSON.stringify([scrollKey(filters), filters.at]);
}

/** Where the sidebar finds the last search, to come back to it. */
const LAST_SEARCH = 'manage-inventory';

export function useListFilters(scope: ListScope) {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const email = useBoot().user?.email ?? '';
  const asked = search.toString();
  const filters = useMemo(() => readListFilters(new URLSearchParams(asked), scope, email), [asked, scope, email]);

  useEffect(() => {
    if (scope !== 'all') return;
    // Who comes back to the list means the list of today.
    const ofToday = withListFilters(new URLSearchParams(asked), { at: null }).toString();
    writeSession(LAST_SEARCH, ofToday === '' ? '' : `?${ofToday}`);
  }, [scope, asked]);

  const ask = useCallback(
    (change: Change, replace: boolean) => {
      // From the window: the page may not have turned yet to what was asked for last.
      const next = withListFilters(new URLSearchParams(window.location.search), change);
      // The answer is on its way while the page still turns to the new filters.
      void queryClient.prefetchQuery(listPageQuery(readListFilters(next, scope, email), 0));
      // A colon may stand in an address as it is, and the one that names an instant is passed on.
      void navigate({ search: next.toString().replaceAll('%3A', ':') }, { replace });
    },
    [scope, email, navigate],
  );
  /** Choosing is a step one can go back over; typing is not, letter by letter. */
  const choose = useCallback((change: Change) => ask(change, false), [ask]);
  const type = useCallback((q: string) => ask({ q }, true), [ask]);
  const setInstant = useCallback<SetInstant>((at, replace) => ask({ at }, replace), [ask]);
  return { filters, choose, type, setInstant, email };
}
