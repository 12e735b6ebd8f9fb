import { fromWire } from '@perfume/contract/wire-item';
import type { Item } from '@perfume/domain/items';
import { call } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { newIdempotencyKey, retryUntilAnswered } from '../../api/retry.ts';
import { itemQuery, refetchLists, removeCachedItem, updateCachedItem } from '../../live/item-cache.ts';
import { holdUpdates } from '../../live/live-items.ts';

/**
 * Deletes an item. It disappears from every list at once; if the server refuses, it is put back and the problem is
 * thrown. Returns the id of the history entry, or null if somebody else had already deleted the item.
 */
export async function deleteItem(item: Item): Promise<string | null> {
  const release = holdUpdates(item.id);
  const putBack = hideForNow(item.id);
  try {
    const key = newIdempotencyKey();
    const { data } = await retryUntilAnswered((signal) =>
      call('DELETE /inventory-items/:id', { params: { id: item.id }, headers: { 'idempotency-key': key }, signal }),
    );
    return data.deletedCount === 0 ? null : key;
  } catch (problem) {
    putBack();
    // The item may have changed on the server meanwhile, so it is refetched. Offline, the cached item stays.
    void queryClient.invalidateQueries({ queryKey: itemQuery(item.id).queryKey });
    throw problem;
  } finally {
    release();
    refetchLists();
  }
}

/** Restores a deleted item with the stock it had. Returns the id of the history entry. */
export async function restoreItem(id: string): Promise<string> {
  const key = newIdempotencyKey();
  const { data } = await retryUntilAnswered((signal) =>
    call('POST /inventory-items/:id/restore', { params: { id }, headers: { 'idempotency-key': key }, signal }),
  );
  updateCachedItem(fromWire(data));
  refetchLists();
  return key;
}

/** Removes the item from every list, and returns a function that puts it back without a request. */
function hideForNow(id: string): () => void {
  const alone = queryClient.getQueryData<Item | null>(itemQuery(id).queryKey);
  const lists = queryClient.getQueryCache().findAll({ queryKey: ['list'] });
  const before = lists.map((list) => list.state.data);
  removeCachedItem(id);
  const after = lists.map((list) => list.state.data);
  return () => {
    if (alone) queryClient.setQueryData(itemQuery(id).queryKey, alone);
    for (const [index, list] of lists.entries()) {
      // A list page that was refetched meanwhile is newer than `before` and stays.
      if (list.state.data === after[index]) list.setState({ data: before[index] });
    }
  };
}
