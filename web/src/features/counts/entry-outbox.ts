import { useMemo } from 'react';
import { ApiProblem, call } from '../../api/client.ts';
import { newIdempotencyKey } from '../../api/retry.ts';
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
  const nameOf = (key: string) => `${entriesOf(userId)}${countId} ${key}`;
  const unsent = createStore<readonly UnsentEntry[]>(readAll(nameOf('')));
  const stuck = createStore(false);
  let listeners: { onSent: (sent: SentEntry) => void; onRefused: (refused: Refused) => void } | null = null;
  let sending = false;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;

  async function send(): Promise<void> {
    if (sending || !listeners) return;
    clearTimeout(retryTimer);
    sending = true;
    try {
      for (let entry = unsent.get()[0]; entry && listeners; entry = unsent.get()[0]) {
        const outcome = await sendOne(userId, countId, entry);
        if (outcome === 'unanswered') {
          stuck.set(true);
          retryTimer = setTimeout(() => void send(), RETRY_MS);
          return;
        }
        stuck.set(false);
        const { key } = entry;
        removeText(nameOf(key));
        unsent.set(unsent.get().filter((one) => one.key !== key));
        if (outcome instanceof ApiProblem) listeners?.onRefused({ entry, problem: outcome });
        else listeners?.onSent(outcome);
      }
    } finally {
      sending = false;
    }
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
    /** Starts sending. Returns a function that stops it. */
    start(toTell: NonNullable<typeof listeners>): () => void {
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

function entriesOf(userId: string): string {
  return `count-entry ${userId} `;
}

/** Removes what a person has counted and not sent. Call it when their account no longer exists. */
export function forgetEntries(userId: string): void {
  for (const name of storedNames(entriesOf(userId))) removeText(name);
}

async function sendOne(
  userId: string,
  countId: string,
  entry: UnsentEntry,
): Promise<SentEntry | ApiProblem | 'unanswered'> {
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
    const [result] = data.results;
    if (!result) return new ApiProblem('internal', 500);
    if (!result.ok) return new ApiProblem(result.code, 409);
    return { entryId: result.entryId, itemId, name, counted: result.counted };
  } catch (problem) {
    if (!(problem instanceof ApiProblem)) throw problem;
    return isUnanswered(problem) || problem.status >= 500 ? 'unanswered' : problem;
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
