import type { undoEntry as undo } from '@perfume/contract/history';
import { fromWire } from '@perfume/contract/wire-item';
import { ApiProblem, call, type ReplyOf } from '../api/client.ts';
import { newIdempotencyKey, retryUntilAnswered } from '../api/retry.ts';
import { cachedItem, refetchLists, removeCachedItem, updateCachedItem } from './item-cache.ts';
import { holdUpdates } from './live-items.ts';
import type { Action, What } from './undo-stack.ts';

type Undone = ReplyOf<typeof undo>;

type Entry = { id: string; itemId: string; what: What };

/** A history entry as an action that can be undone. */
export function entryAction({ id, itemId, what }: Entry, onUndone: (undone: Undone) => void = () => {}): Action {
  // One key for all tries: if only the reply got lost, the retry is answered with what was done.
  const key = newIdempotencyKey();
  let isUndone = false;
  return {
    id,
    about: itemId,
    what,
    undo: async () => {
      // The server would only replay its first reply to this key.
      if (isUndone) throw new ApiProblem('already_undone', 409);
      // The change feed will report this undo too; it is held back so that it does not look like somebody else's change.
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

/** The reply and the change feed arrive in any order; the newer version stays. */
function show({ entry, item }: Undone): void {
  if (item === null) removeCachedItem(entry.itemId);
  else {
    const known = cachedItem(entry.itemId);
    if (!known || known.version <= item.version) updateCachedItem(fromWire(item));
  }
  if (entry.delta === null) refetchLists();
}
