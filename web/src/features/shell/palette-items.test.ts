import { expect, test } from 'vitest';
import { queryClient } from '../../api/query-client.ts';
import { type ListFilters, listPageQuery, removeCachedItem, updateCachedItem } from '../../live/item-cache.ts';
import { testItem } from '../../testing.ts';
import { paletteItemsQuery } from './palette-items.ts';

const item = (id: string, quantity = 1) => testItem({ id, name: id, quantity, version: quantity });

test("the palette's results follow every change, next to a table with the same search", () => {
  const filters: ListFilters = { scope: 'all', email: '', q: 'oud', sort: 'newest', stock: null };
  const table = listPageQuery(filters, 0).queryKey;
  const palette = paletteItemsQuery('oud').queryKey;
  for (const key of [table, palette])
    queryClient.setQueryData(key, { items: [item('a'), item('b'), item('c')], total: 3 });
  removeCachedItem('a');
  updateCachedItem(item('c', 7));
  for (const key of [table, palette])
    expect(queryClient.getQueryData(key)).toEqual({ items: [item('b'), item('c', 7)], total: 2 });
});
