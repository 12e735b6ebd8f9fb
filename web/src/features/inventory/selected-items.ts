import type { Item } from '@perfume/domain/items';
import { queryClient } from '../../api/query-client.ts';
import { cachedItem, eachMatching, itemQuery } from '../../live/item-cache.ts';
import type { BulkSelection } from './bulk-actions.ts';
import { isSelected } from './selection.ts';

/** Up to this many selected items are fetched one by one. For more, the whole list is read. */
const MAX_SINGLE_FETCHES = 300;
const CONCURRENT = 6;

/** Reads the selected items, part by part. Those that were deleted are left out. */
export async function* selectedItems(
  { selection, filters }: Pick<BulkSelection, 'selection' | 'filters'>,
  signal: AbortSignal,
): AsyncGenerator<Item[]> {
  if (selection.kind === 'some' && selection.ids.size <= MAX_SINGLE_FETCHES) {
    const ids = [...selection.ids];
    for (let at = 0; at < ids.length; at += CONCURRENT) {
      const found = await Promise.all(ids.slice(at, at + CONCURRENT).map((id) => findItem(id)));
      yield found.filter((item) => item !== null);
    }
    return;
  }
  // The rows may have been selected in several searches, so they are looked up in the whole list.
  const where = selection.kind === 'all' ? filters : { ...filters, q: '', stock: null };
  // Sorted by creation time, which never changes: in another order, concurrent changes could skip or repeat rows.
  for await (const { items } of eachMatching({ ...where, sort: 'newest' }, signal))
    yield items.filter((item) => isSelected(selection, item));
}

function findItem(id: string): Promise<Item | null> {
  return queryClient.fetchQuery({ ...itemQuery(id), initialData: () => cachedItem(id) ?? undefined });
}
