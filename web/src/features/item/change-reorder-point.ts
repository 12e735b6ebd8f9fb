import type { editItem } from '@perfume/contract/items';
import { fromWire } from '@perfume/contract/wire-item';
import type { Item } from '@perfume/domain/items';
import { ApiProblem, call } from '../../api/client.ts';
import { insist, newKey } from '../../api/insist.ts';
import { queryClient } from '../../api/query-client.ts';
import { itemQuery, readListsAgain, showItem } from '../../live/item-cache.ts';
import { entryDeed } from '../../live/undo-entry.ts';
import { did } from '../../live/undo-stack.ts';

/** Gives an item a reorder point of its own, or with null the warehouse's. Refused if another was given meanwhile. */
export async function changeReorderPoint(item: Item, reorderPoint: number | null): Promise<void> {
  const key = newKey();
  try {
    const { data } = await insist((signal) =>
      call<typeof editItem>(
        { method: 'POST', path: '/inventory-items/:id/edit' },
        {
          params: { id: item.id },
          body: { changes: { reorderPoint }, seen: { reorderPoint: item.reorderPoint } },
          headers: { 'idempotency-key': key },
          signal,
        },
      ),
    );
    showItem(fromWire(data));
    readListsAgain();
    did(entryDeed({ id: key, itemId: item.id, what: { kind: 'edit', name: item.name } }));
  } catch (problem) {
    if (problem instanceof ApiProblem) void queryClient.invalidateQueries({ queryKey: itemQuery(item.id).queryKey });
    throw problem;
  }
}
