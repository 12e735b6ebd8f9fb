import type { deleteItem as del, restoreItem as restore } from '@perfume/contract/items';
import { fromWire } from '@perfume/contract/wire-item';
import type { Item } from '@perfume/domain/items';
import { call } from '../../api/client.ts';
import { insist, newKey } from '../../api/insist.ts';
import { queryClient } from '../../api/query-client.ts';
import { hideItem, itemQuery, readListsAgain, showItem } from '../../live/item-cache.ts';
import { holdItem } from '../../live/live-items.ts';

/**
 * Off every list at the click; when the server refuses, it comes back to its place and the problem is thrown. Answers
 * what it stands under in the history; null when somebody else had deleted it before.
 */
export async function deleteItem(item: Item): Promise<string | null> {
  const release = holdItem(item.id);
  const putBack = hideForNow(item.id);
  try {
    const key = newKey();
    const { data } = await insist((signal) =>
      call<typeof del>(
        { method: 'DELETE', path: '/inventory-items/:id' },
        { params: { id: item.id }, headers: { 'idempotency-key': key }, signal },
      ),
    );
    return data.deletedCount === 0 ? null : key;
  } catch (problem) {
    putBack();
    // What the server has of it by now may be another thing; without a connection this stays as it was.
    void queryClient.invalidateQueries({ queryKey: itemQuery(item.id).queryKey });
    throw problem;
  } finally {
    release();
    readListsAgain();
  }
}

/** Brings a deleted item back with the stock it had. Answers what that stands under in the history. */
export async function restoreItem(id: string): Promise<string> {
  const key = newKey();
  const { data } = await insist((signal) =>
    call<typeof restore>(
      { method: 'POST', path: '/inventory-items/:id/restore' },
      { params: { id }, headers: { 'idempotency-key': key }, signal },
    ),
  );
  showItem(fromWire(data));
  readListsAgain();
  return key;
}

/** Takes the item off every list, and answers how to put it back without asking anyone. */
function hideForNow(id: string): () => void {
  const alone = queryClient.getQueryData<Item | null>(itemQuery(id).queryKey);
  const lists = queryClient.getQueryCache().findAll({ queryKey: ['list'] });
  const before = lists.map((list) => list.state.data);
  hideItem(id);
  const after = lists.map((list) => list.state.data);
  return () => {
    if (alone) queryClient.setQueryData(itemQuery(id).queryKey, alone);
    for (const [index, list] of lists.entries()) {
      // A page that has been read since knows better.
      if (list.state.data === after[index]) list.setState({ data: before[index] });
    }
  };
}
