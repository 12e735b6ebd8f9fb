import type { ReplyOf } from '@perfume/contract/endpoint';
import type { undoEntry as undo } from '@perfume/contract/history';
import { fromWire } from '@perfume/contract/wire-item';
import { ApiProblem, call } from '../api/client.ts';
import { newIdempotencyKey, retryUntilAnswered } from '../api/retry.ts';
import { activeQueue } from './active-queue.ts';
import { makeChange } from './change-stock.ts';
import { cachedItem, refetchAfterSettings, refetchLists, removeCachedItem, updateCachedItem } from './item-cache.ts';
import { holdUpdates } from './live-items.ts';
import { isRepeated } from './stock-queue.ts';
import { movedTo, type StoredChange, withNewKey } from './stored-change.ts';
import type { Action, What } from './undo-stack.ts';

type Undone = ReplyOf<typeof undo>;

/**
 * `itemId` is null for a change of the settings, which has no item. `delta` is set for a stock movement, so that the
 * quantity on screen changes as soon as the undo is clicked.
 */
type Entry = { id: string; itemId: string | null; what: What; delta?: number | null };

/** Returns a history entry as an action that can be undone. */
export function entryAction(entry: Entry, onUndone: (undone: Undone) => void = () => {}): Action {
  // One key for all attempts: if only the reply got lost, the server answers the retry with the result of the first
  // attempt.
  let key = newIdempotencyKey();
  let isUndone = false;
  let running: Promise<Action> | null = null;

  async function undo(): Promise<Action> {
    // A second undo with the same key would do nothing: the server would only replay its first reply.
    if (isUndone) throw new ApiProblem('already_undone', 409);
    const queue = activeQueue();
    // Only a change that still waits on this device can be dropped, unless the server may know it already.
    const [dropped, ...dependants] = queue?.find(entry.id) ? await queue.drop(entry.id) : [];
    if (dropped) {
      isUndone = true;
      return redoUnsent(dropped, dependants, entry);
    }
    const undone = await undoEntry(entry, key).catch((problem) => {
      // The server repeats this refusal for the same key, also when the undo has become possible.
      if (problem instanceof ApiProblem && isRepeated(problem)) key = newIdempotencyKey();
      throw problem;
    });
    isUndone = true;
    if (undone) onUndone(undone);
    // Without a reply, the undo waits on this device. Its key will be the id of its entry.
    const { id, delta } = undone?.entry ?? { id: key, delta: entry.delta ? -entry.delta : null };
    return entryAction({ ...entry, id, delta }, onUndone);
  }

  return {
    id: entry.id,
    about: entry.itemId ?? 'settings',
    what: entry.what,
    // Two at the same time, from a card and with Ctrl Z, are one.
    undo: () => {
      running ??= undo().finally(() => {
        running = null;
      });
      return running;
    },
  };
}

/** Returns the action whose undo makes a dropped change again, and what was dropped with it. */
function redoUnsent(dropped: StoredChange, dependants: readonly StoredChange[], entry: Entry): Action {
  const { made } = dropped;
  // Without the undo that was dropped, what it would have undone stands.
  if (made.kind === 'undo') return entryAction({ ...entry, id: made.of, delta: -made.delta });
  const id = newIdempotencyKey();
  return {
    id,
    about: dropped.itemId,
    what: entry.what,
    undo: async () => {
      const { problem: _, changedSince: __, ...unsent } = dropped;
      const again = withNewKey({ ...unsent, tried: false, state: 'waiting' }, id);
      const itemId = dropped.made.kind === 'add' ? id : dropped.itemId;
      for (const change of [{ ...again, itemId }, ...dependants.map((one) => movedTo(one, itemId))])
        if (!(await activeQueue()?.storeForLater(change))) throw new ApiProblem('not_stored', 0);
      return entryAction({ ...entry, id, itemId });
    },
  };
}

/** Undoes an entry. Resolves with null when the undo waits on this device until there is a connection. */
async function undoEntry({ id, itemId, delta }: Entry, key: string): Promise<Undone | null> {
  const send = async (signal: AbortSignal): Promise<Undone> => {
    const { data } = await call('POST /history/:id/undo', {
      params: { id },
      headers: { 'idempotency-key': key },
      signal,
    });
    return data;
  };
  if (itemId === null) {
    const undone = await retryUntilAnswered(send);
    refetchAfterSettings();
    return undone;
  }
  const item = cachedItem(itemId);
  if (item && delta) {
    const request = { route: 'POST /history/:id/undo', params: { id }, headers: {} } as const;
    return (await makeChange(item, key, { kind: 'undo', of: id, delta: -delta }, request)) as Undone | null;
  }
  // The change feed will report this undo too; it is held back so that it does not look like somebody else's change.
  const release = holdUpdates(itemId);
  try {
    const undone = await retryUntilAnswered(send);
    show(itemId, undone);
    return undone;
  } finally {
    release();
  }
}

/** Shows the result of an undo. The reply and the change feed may arrive in either order; the newer version stays. */
function show(itemId: string, { entry, item }: Undone): void {
  if (item === null) removeCachedItem(itemId);
  else {
    const known = cachedItem(itemId);
    if (!known || known.version <= item.version) updateCachedItem(fromWire(item));
  }
  if (entry.delta === null) refetchLists();
}
