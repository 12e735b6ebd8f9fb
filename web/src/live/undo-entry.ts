import type { undoEntry as undo } from '@perfume/contract/history';
import { fromWire } from '@perfume/contract/wire-item';
import { ApiProblem, call, type ReplyOf } from '../api/client.ts';
import { newIdempotencyKey, retryUntilAnswered } from '../api/retry.ts';
import { cachedItem, refetchLists, removeCachedItem, updateCachedItem } from './item-cache.ts';
import { holdUpdates } from './live-items.ts';
import type { Action, What } from './undo-stack.ts';

type Undone = ReplyOf<typeof undo>;

type Entry = { id: string; itemId: string; what: What };

/** What stands in the history under this id, as an action. */
export function entryAction({ id, itemId, what }: Entry, onUndone: (undone: Undone) => void = () => {}): Action {
  // One key for all tries: should only the answer get lost, asking again finds what was done.
  const key = newIdempotencyKey();
  let isUndone = false;
  return {
    id,
    about: itemId,
    what,
    undo: async () => {
      // Under its key the server would only repeat itself.
      if (isUndone) throw new ApiProblem('already_undone', 409);
      // What the feed says of the item waits for the answer: it is the same news, and comes from this screen.
      const release = holdUpdates(itemId);
      try {
        const undone = await undoEntry(id, key);
        isUndone = true;
        onUndone(undone);
        return entryAction({ id: undone.entry.id, itemId, what }, onUndone);
      } finally {
        release();
      }
    },
  };
}

async function undoEntry(id: string, key: string): Promise<Undone> {
  const { data } = await retryUntilAnswered((signal) =>
    call('POST /history/:id/undo', { params: { id }, headers: { 'idempotency-key': key }, signal }),
  );
  show(data);
  return data;
}

/** The answer and the feed overtake each other; what is newer stays. */
function show({ entry, item }: Undone): void {
  if (item === null) removeCachedItem(entry.itemId);
  else {
    const known = cachedItem(entry.itemId);
    if (!known || known.version <= item.version) updateCachedItem(fromWire(item));
  }
  if (entry.delta === null) refetchLists();
}
