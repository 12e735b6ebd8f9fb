import type { WireView } from '@perfume/contract/views';
import type { ViewPage } from '@perfume/domain/views';
import { paths } from '../../paths.ts';
import type { Key } from '../../words/catalogues.ts';

/** Names the opened view in the address of its page. It stays there when the filters change, so the view can be updated. */
export const VIEW = 'view';
/** The instant of the time machine. A view shows the present, so it is not a part of one. */
const INSTANT = 'at';

export const pageNames = {
  manageInventory: 'sidebar.manageInventory',
  myItems: 'sidebar.myItems',
  history: 'palette.history',
  analysetic: 'sidebar.analytics',
} as const satisfies Record<ViewPage, Key>;

/** The address of a view: its page with its filters. */
export function viewLink({ id, page, query }: Pick<WireView, 'id' | 'page' | 'query'>): string {
  return `${paths[page]}?${query}${query && '&'}${VIEW}=${id}`;
}

/** Returns what a view of this address stores. */
export function queryOf(search: URLSearchParams): string {
  const query = new URLSearchParams(search);
  query.delete(VIEW);
  query.delete(INSTANT);
  return query.toString();
}

/** Whether two query strings say the same, in whatever order. */
export function isSameQuery(one: string, other: string): boolean {
  return sorted(one) === sorted(other);
}

function sorted(query: string): string {
  const params = new URLSearchParams(query);
  params.sort();
  return params.toString();
}
