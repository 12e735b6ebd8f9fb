import { readItemFilters } from '@perfume/domain/list-filters';
import { listScope, type ViewPage } from '@perfume/domain/views';
import type { ListRequest } from '../items/items.list.ts';

type ViewList = Pick<ListRequest, 'house' | 'emailKey' | 'q' | 'stock' | 'sort'>;

/** The list of items that a view shows to the person with `emailKey`; null for a view of another page. */
export function listOfView(view: { house: number; page: ViewPage; query: string; emailKey: string }): ViewList | null {
  const scope = listScope(view.page);
  if (scope === null) return null;
  const { q, sort, stock } = readItemFilters(new URLSearchParams(view.query), scope);
  return { house: view.house, emailKey: scope === 'mine' ? view.emailKey : null, q: q || null, stock, sort };
}
