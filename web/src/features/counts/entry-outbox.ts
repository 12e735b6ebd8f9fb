import { useMemo } from 'react';
import { ApiProblem, call } from '../../api/client.ts';
import { newIdempotencyKey } from '../../api/retry.ts';
import { countEntriesOf, countEntryName } from '../../api/session.ts';
import { removeText, storedNames, storedText, storeText } from '../../api/stored-text.ts';
import { isUnanswered } from '../../live/stock-queue.ts';
import { createStore } from '../../ui/store.ts';

/** What somebody counted on this device, until the server has answered. */
export type UnsentEntry = { key: string; itemId: string; name: string; at: number } & (
  | { add: number }
  | { set: number }
);
export type SentEntry = { entryId: string; itemId: string; name: string; counted: number };
type Refused = { entry: UnsentEntry; problem: ApiProblem };
type Listeners = {
  onSent: (sent: SentEntry) => void;
  onRefused: (refused: Refused) => void;
  /** The session was posted or cancelled meanwhile. The entries are kept. */
  onClosed: () => void;
};

const RETRY_MS = 3_000;
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1_000;
/** An entry that is older than this waited for a connection. */
const WORTH_SAYING_MS = 2_000;

export type EntryOutbox = ReturnType<typeof entryOutbox>;

/** The outbox of the signed-in person for this session. */
export function useEntryOutbox(userId: string, countId: string): EntryOutbox {
  return useMemo(() => entryOutbox(userId, countId), [userId, countId]);
}

/**
 * Sends what one person counts in one session, one entry after the other, and keeps it in this browser until it is
 * sent: a reload or a lost connection loses no scan. Each entry has a key, so it counts once however often it is sent.
 */
export function entryOutbox(userId: string, countId: string) {
  const nameOf = (key: string) => countEntryName(userId, `${countId} ${key}`);
  const unsent = createStore<readonly UnsentEntry[]>(readAll(nameOf('')));
  const stuck = createStore(false);
  let listeners: Listeners | null = null;
  let sending = false;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;

  async function send(): Promise<void> {
    if (sending || !listeners) return;
    clearTimeout(retryTimer);
    sending = true;
    // Only the order within one item matters, so an entry that fails holds up no other item.
    const failed = new Set<string>();
    const next = () => unsent.get().find(({ itemId }) => !failed.has(itemId));
    try {
      for (let entry = next(); entry && listeners; entry = next()) {
        const outcome = await sendOne(userId, countId, entry);
        if (outcome === 'unanswered') return retryLater();
        if (outcome === 'failed') {
          failed.add(entry.itemId);
          continue;
        }
        stuck.set(false);
        if (outcome instanceof ApiProblem && outcome.code === 'count_closed') return keepForReopening(entry);
        remove([entry]);
        if (outcome instanceof ApiProblem) listeners?.onRefused({ entry, problem: outcome });
        else listeners?.onSent(outcome);
      }
      if (failed.size > 0) retryLater();
    } finally {
      sending = false;
    }
  }

  function retryLater(): void {
    stuck.set(true);
    retryTimer = setTimeout(() => void send(), RETRY_MS);
  }

  /** Gives the entry a new key, because the server repeats its refusal for the old one. */
  function keepForReopening(entry: UnsentEntry): void {
    // Unless another tab was told before.
    if (storedText(nameOf(entry.key)) !== null) {
      const renewed = { ...entry, key: newIdempotencyKey() };
      storeText(nameOf(renewed.key), JSON.stringify(renewed));
      removeText(nameOf(entry.key));
    }
    unsent.set(readAll(nameOf('')));
    // The session may be open again before the page hears that it was closed.
    retryTimer = setTimeout(() => void send(), RETRY_MS);
    listeners?.onClosed();
  }

  function remove(entries: readonly UnsentEntry[]): void {
    const keys = new Set(entries.map(({ key }) => key));
    for (const key of keys) removeText(nameOf(key));
    unsent.set(unsent.get().filter(({ key }) => !keys.has(key)));
  }

  return {
    useUnsent: unsent.use,
    useIsStuck: stuck.use,
    add(item: { id: string; name: string }, change: { add: number } | { set: number }): void {
      // Later than the one before, so that a reload keeps the order.
      const at = Math.max(Date.now(), (unsent.get().at(-1)?.at ?? 0) + 1);
      const entry = { key: newIdempotencyKey(), itemId: item.id, name: item.name, at, ...change };
      storeText(nameOf(entry.key), JSON.stringify(entry));
      unsent.set([...unsent.get(), entry]);
      void send();
    },
    /** Forgets what was counted of an item and not sent. */
    discard(itemId: string): void {
      remove(unsent.get().filter((entry) => entry.itemId === itemId));
    },
    /** Starts sending. Returns a function that stops it. */
    start(toTell: Listeners): () => void {
      listeners = toTell;
      // Another tab may have sent or added entries meanwhile. What both send counts once.
      unsent.set(readAll(nameOf('')));
      void send();
      const now = () => void send();
      addEventListener('online', now);
      return () => {
        listeners = null;
        clearTimeout(retryTimer);
        removeEventListener('online', now);
      };
    },
  };
}

/** Removes what a person has counted and not sent. Call it when their account no longer exists. */
export function forgetEntries(userId: string): void {
  for (const name of countEntriesOf(userId)) removeText(name);
}

/** How many entries a person has counted on this device and not sent, for each session. */
export function unsentByCount(userId: string): Map<string, number> {
  const start = countEntryName(userId, '');
  const names = Map.groupBy(countEntriesOf(userId), (name) => name.slice(start.length, name.lastIndexOf(' ')));
  return new Map([...names].map(([id, { length }]) => [id, length]));
}

/** Adds entries of one item to what was counted before; null if nobody has counted it. */
export function addEntries(counted: number | null, entries: readonly UnsentEntry[]): number | null {
  return entries.reduce<number | null>((sum, entry) => ('set' in entry ? entry.set : (sum ?? 0) + entry.add), counted);
}

async function sendOne(
  userId: string,
  countId: string,
  entry: UnsentEntry,
): Promise<SentEntry | ApiProblem | 'unanswered' | 'failed'> {
  const { key, itemId, name, at } = entry;
  const ageMs = Math.min(MAX_AGE_MS, Math.max(0, Date.now() - at));
  const change = 'add' in entry ? { add: entry.add } : { set: entry.set };
  try {
    const { data } = await call('POST /counts/:id/entries', {
      params: { id: countId },
      body: { ids: [itemId], ...change },
      headers: {
        'idempotency-key': key,
        'expected-user': userId,
        ...(ageMs > WORTH_SAYING_MS && { 'counted-ago': String(ageMs) }),
      },
    });
    // A proxy on the way may answer with nothing.
    const result = data?.results?.[0];
    if (!result) return 'failed';
    if (!result.ok) return new ApiProblem(result.code, 409);
    return { entryId: result.entryId, itemId, name, counted: result.counted };
  } catch (problem) {
    if (!(problem instanceof ApiProblem)) throw problem;
    // 500 is about this entry; 502 to 504 are about the server.
    if (isUnanswered(problem) || problem.status > 500) return 'unanswered';
    return problem.status === 500 ? 'failed' : problem;
  }
}

/** Each entry has a place of its own, so that two tabs do not overwrite each other's. */
function readAll(start: string): readonly UnsentEntry[] {
  return storedNames(start)
    .flatMap((name): UnsentEntry[] => {
      try {
        return [JSON.parse(storedText(name) ?? '')];
      } catch {
        return [];
      }
    })
    .sort((a, b) => a.at - b.at);
}
