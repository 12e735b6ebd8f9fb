import { fromWire } from '@perfume/contract/wire-item';
import type { Item } from '@perfume/domain/items';
import { call } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { newIdempotencyKey, retryUntilAnswered } from '../../api/retry.ts';
import { itemQuery, refetchLists, removeCachedItem, updateCachedItem } from '../../live/item-cache.ts';
import { holdUpdates } from '../../live/live-items.ts';

/**
 * Off every list at the click; when the server refuses, it comes back to its place and the problem is thrown. Answers
 * what it stands under in the history; null when somebody else had deleted it before.
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
    // What the server has of it by now may be another thing; without a connection this stays as it was.
    void queryClient.invalidateQueries({ queryKey: itemQuery(item.id).queryKey });
    throw problem;
  } finally {
    release();
    refetchLists();
  }
}

/** Brings a deleted item back with the stock it had. Answers what that stands under in the history. */
export async function restoreItem(id: string): Promise<string> {
  const key = newIdempotencyKey();
  const { data } = await retryUntilAnswered((signal) =>
    call('POST /inventory-items/:id/restore', { params: { id }, headers: { 'idempotency-key': key }, signal }),
  );
  updateCachedItem(fromWire(data));
  refetchLists();
  return key;
}

/** Takes the item off every list, and answers how to put it back without asking anyone. */
function hideForNow(id: string): () => void {
  const alone = queryClient.getQueryData<Item | null>(itemQuery(id).queryKey);
  const lists = queryClient.getQueryCache().findAll({ queryKey: ['list'] });
  const before = lists.map((list) => list.state.data);
  removeCachedItem(id);
  const after = lists.map((list) => list.state.data);
  return () => {
    if (alone) queryClient.setQueryData(itemQuery(id).queryKey, alone);
    for (const [index, list] of lists.entries()) {
      // A page that has been read since knows better.
      if (list.state.data === after[index]) list.setState({ data: before[index] });
    }
  };
}
