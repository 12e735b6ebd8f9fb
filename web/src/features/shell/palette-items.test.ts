import type { Item } from '@perfume/domain/items';
import { expect, test } from 'vitest';
import { queryClient } from '../../api/query-client.ts';
import { type ListFilters, listPageQuery, removeCachedItem, updateCachedItem } from '../../live/item-cache.ts';
import { paletteItemsQuery } from './palette-items.ts';

const item = (id: string, quantity = 1): Item => ({
  id,
  name: id,
  supplierName: 'Verrière',
  email: 'a@example.com',
  quantity,
  priceCents: 100,
  description: '',
  imageUrl: '',
  version: quantity,
  createdAt: 0,
  updatedAt: 0,
  reorderPoint: null,
  lowAt: 10,
});

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
