import { readItemFilters } from '@perfume/domain/list-filters';
import type { ListFilters } from './item-cache.ts';

/** Reads the filters of a list of today's items from a query string. Unknown values are ignored. */
export function filtersOf(search: URLSearchParams, scope: ListFilters['scope'], email: string): ListFilters {
  // The list of all items is the same for every user.
  return { scope, email: scope === 'mine' ? email : '', ...readItemFilters(search, scope) };
}
