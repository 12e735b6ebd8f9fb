import { fromWire } from '@perfume/contract/wire-item';
import type { Item } from '@perfume/domain/items';
import { ApiProblem, call } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { newIdempotencyKey, retryUntilAnswered } from '../../api/retry.ts';
import { itemQuery, refetchLists, updateCachedItem } from '../../live/item-cache.ts';
import { entryAction } from '../../live/undo-entry.ts';
import { performed } from '../../live/undo-stack.ts';

/**
 * Sets the item's own reorder point; with null, the item uses the warehouse's. The server refuses the change if
 * somebody else has changed the reorder point meanwhile.
 */
export async function changeReorderPoint(item: Item, reorderPoint: number | null): Promise<void> {
  const key = newIdempotencyKey();
  try {
    const { data } = await retryUntilAnswered((signal) =>
      call('POST /inventory-items/:id/edit', {
        params: { id: item.id },
        body: { changes: { reorderPoint }, seen: { reorderPoint: item.reorderPoint } },
        headers: { 'idempotency-key': key },
        signal,
      }),
    );
    updateCachedItem(fromWire(data));
    refetchLists();
    performed(entryAction({ id: key, itemId: item.id, what: { kind: 'edit', name: item.name } }));
  } catch (problem) {
    if (problem instanceof ApiProblem) void queryClient.invalidateQueries({ queryKey: itemQuery(item.id).queryKey });
    throw problem;
  }
}
