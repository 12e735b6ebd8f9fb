import type { undoEntry as undo } from '@perfume/contract/history';
import { fromWire } from '@perfume/contract/wire-item';
import { ApiProblem, call, type ReplyOf } from '../api/client.ts';
import { newIdempotencyKey, retryUntilAnswered } from '../api/retry.ts';
import { moveStock } from './change-stock.ts';
import { cachedItem, refetchLists, removeCachedItem, updateCachedItem } from './item-cache.ts';
import { holdUpdates } from './live-items.ts';
import type { Action, What } from './undo-stack.ts';

type Undone = ReplyOf<typeof undo>;

/** `delta`: for a stock movement, so that the quantity on screen changes when the undo is clicked. */
type Entry = { id: string; itemId: string; what: What; delta?: number | null };

/** A history entry as an action that can be undone. */
export function entryAction(entry: Entry, onUndone: (undone: Undone) => void = () => {}): Action {
  // One key for all tries: if only the reply got lost, the retry is answered with what was done.
  const key = newIdempotencyKey();
  let isUndone = false;
  return {
    id: entry.id,
    about: entry.itemId,
    what: entry.what,
    undo: async () => {
      // The server would only replay its first reply to this key.
      if (isUndone) throw new ApiProblem('already_undone', 409);
      const undone = await undoEntry(entry, key);
      isUndone = true;
      onUndone(undone);
      return entryAction({ ...entry, id: undone.entry.id, delta: undone.entry.delta }, onUndone);
    },
  };
}

async function undoEntry({ id, itemId, delta }: Entry, key: string): Promise<Undone> {
  const send = async (signal: AbortSignal): Promise<Undone> => {
    const { data } = await call('POST /history/:id/undo', {
      params: { id },
      headers: { 'idempotency-key': key },
      signal,
    });
    return data;
  };
  const item = cachedItem(itemId);
  if (item && delta) return moveStock(item, -delta, send);
  // The change feed will report this undo too; it is held back so that it does not look like somebody else's change.
  const release = holdUpdates(itemId);
  try {
    const undone = await retryUntilAnswered(send);
    show(undone);
    return undone;
  } finally {
    release();
  }
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
