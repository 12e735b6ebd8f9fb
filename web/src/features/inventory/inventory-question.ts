import type { SortOrder } from '@perfume/contract/items';
import { isSafeText } from '@perfume/domain/text';
import { useCallback, useEffect, useMemo } from 'react';
import { useNavigate } from 'react-router';
import { useBoot } from '../../api/boot.ts';
import { queryClient } from '../../api/query-client.ts';
import { listPageQuery, type Question } from '../../live/item-cache.ts';
import { useSearchParams } from '../../ui/router.tsx';
import { readAt } from '../time-machine/time-machine-instant.ts';
import type { Travel } from '../time-machine/time-machine-travel.ts';
import { remember } from './inventory-memory.ts';

export type Shelf = Question['shelf'];
export type Stock = Question['stock'];

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
export function readQuestion(search: URLSearchParams, shelf: Shelf, email: string, now = Date.now()): Question {
  const sort = search.get('sort') ?? '';
  const stock = search.get('stock') ?? '';
  const q = (search.get('q') ?? '').trim().slice(0, LONGEST);
  const at = shelf === 'all' ? readAt(search.get('at'), now) : null;
  return {
    shelf,
    // The list of all items is the same for everybody.
    email: shelf === 'mine' ? email : '',
    q: shelf === 'all' && isSafeText(q) ? q : '',
    sort: Object.hasOwn(sorts, sort) ? (sort as SortOrder) : 'newest',
    stock: Object.hasOwn(stocks, stock) ? (stock as Stock) : null,
    ...(at !== null && { at }),
  };
}

export type Change = Partial<Pick<Question, 'q' | 'sort' | 'stock'>> & { at?: string | null };

/** The address with something of the question changed; what is as usual is not written. */
export function withQuestion(search: URLSearchParams, change: Change): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(change)) {
    if (value === null || value === '' || value === 'newest') next.delete(name);
    else next.set(name, value);
  }
  return next;
}

/** What rows there are, whatever their order: a selection of all of them is bound to this. */
export function matchKey({ shelf, email, q, stock }: Question): string {
  return JSON.stringify([shelf, email, q, stock]);
}

/** Whatever the instant: who leafs through time stays where they are in the list. */
export function placeKey(question: Question): string {
  return JSON.stringify([matchKey(question), question.sort]);
}

export function questionKey(question: Question): string {
  return JSON.stringify([placeKey(question), question.at]);
}

/** Where the sidebar finds the last search, to come back to it. */
const LAST_SEARCH = 'manage-inventory';

export function useQuestion(shelf: Shelf) {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const email = useBoot().user?.email ?? '';
  const asked = search.toString();
  const question = useMemo(() => readQuestion(new URLSearchParams(asked), shelf, email), [asked, shelf, email]);

  useEffect(() => {
    if (shelf !== 'all') return;
    // Who comes back to the list means the list of today.
    const ofToday = withQuestion(new URLSearchParams(asked), { at: null }).toString();
    remember(LAST_SEARCH, ofToday === '' ? '' : `?${ofToday}`);
  }, [shelf, asked]);

  const ask = useCallback(
    (change: Change, replace: boolean) => {
      // From the window: the page may not have turned yet to what was asked for last.
      const next = withQuestion(new URLSearchParams(window.location.search), change);
      // The answer is on its way while the page still turns to the new question.
      void queryClient.prefetchQuery(listPageQuery(readQuestion(next, shelf, email), 0));
      // A colon may stand in an address as it is, and the one that names an instant is passed on.
      void navigate({ search: next.toString().replaceAll('%3A', ':') }, { replace });
    },
    [shelf, email, navigate],
  );
  /** Choosing is a step one can go back over; typing is not, letter by letter. */
  const choose = useCallback((change: Change) => ask(change, false), [ask]);
  const type = useCallback((q: string) => ask({ q }, true), [ask]);
  const travel = useCallback<Travel>((at, replace) => ask({ at }, replace), [ask]);
  return { question, choose, type, travel, email };
}
