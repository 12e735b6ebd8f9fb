import { useEffect } from 'react';
import { useBoot } from '../../api/boot.ts';
import { ApiProblem, call, callerHeaders } from '../../api/client.ts';
import { newIdempotencyKey } from '../../api/retry.ts';
import { countEntriesOf, countEntriesOnlyInMemory, countEntryName } from '../../api/session.ts';
import { removeText, storedNames, storedText, storeText } from '../../api/stored-text.ts';
import { onLiveCount, useConnection } from '../../live/live-items.ts';
import { isAboutMember, isUnanswered } from '../../live/stock-queue.ts';
import { createStore } from '../../ui/store.ts';

/** What somebody counted on this device, until the server has answered. */
export type UnsentEntry = { key: string; itemId: string; name: string; at: number; house?: string } & (
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
/** While nobody is counting in the session. */
const IDLE_RETRY_MS = 15_000;
/** The server compares an entry with the ledger of its time, and accepts none that is older. */
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1_000;
/** An entry that is older than this waited for a connection. */
const WORTH_SAYING_MS = 2_000;

export type EntryOutbox = ReturnType<typeof entryOutbox>;

/** The person who is signed in, while the dashboard is open: nothing is sent for anybody else. */
let sender: string | null = null;
const outboxes = new Map<string, EntryOutbox>();

/** How many entries the signed-in person has counted on this device and not sent. */
export const unsentTotal = createStore(0);

/** How many unsent entries are lost when the page is closed: this device had no room to store them. */
export const unstoredTotal = createStore(0);

function updateTotal(): void {
  unsentTotal.set(sender === null ? 0 : countEntriesOf(sender).length);
  const unstored = countEntriesOnlyInMemory().length;
  if (unstored > 0) addEventListener('beforeunload', confirmLeaving);
  else removeEventListener('beforeunload', confirmLeaving);
  unstoredTotal.set(unstored);
}

/** Makes the browser ask before it closes the page, which would lose entries. */
function confirmLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** Returns the outbox of a person for a session: one in each tab. */
export function outboxOf(userId: string, countId: string): EntryOutbox {
  const id = `${userId} ${countId}`;
  const outbox = outboxes.get(id) ?? entryOutbox(userId, countId);
  outboxes.set(id, outbox);
  return outbox;
}

/** Sends what the signed-in person has counted on this device, whatever page of the dashboard is open. */
export function useSendEntries(): void {
  const userId = useBoot().user?.id;
  const isLive = useConnection() === 'live';
  useEffect(() => (userId === undefined ? undefined : sendEntries(userId)), [userId]);
  useEffect(() => {
    if (isLive) sendStored();
  }, [isLive]);
}

/** Starts sending the entries of a person. Returns a function that stops it. */
export function sendEntries(userId: string): () => void {
  sender = userId;
  sendStored();
  addEventListener('online', sendStored);
  // Another tab has counted, sent or discarded something.
  const onStorage = ({ key }: StorageEvent) => {
    if (!key?.startsWith(countEntryName(userId, ''))) return;
    updateTotal();
    for (const outbox of outboxes.values()) outbox.read();
  };
  addEventListener('storage', onStorage);
  const stopListening = onLiveCount(({ countId }) => outboxes.get(`${userId} ${countId}`)?.retryIfClosed());
  return () => {
    stopListening();
    removeEventListener('online', sendStored);
    removeEventListener('storage', onStorage);
    sender = null;
    for (const outbox of outboxes.values()) outbox.stop();
    updateTotal();
  };
}

function sendStored(): void {
  updateTotal();
  if (sender === null) return;
  for (const countId of unsentByCount(sender).keys()) outboxOf(sender, countId).send();
}

/**
 * Sends what one person counts in one session, one entry after the other, and keeps it in this browser until it is
 * sent: a reload or a lost connection loses no scan. If this device has no room, it is kept while the page is open, and
 * `unstoredTotal` says so. Each entry has a key, so it counts once however often it is sent.
 */
export function entryOutbox(userId: string, countId: string) {
  const nameOf = (key: string) => countEntryName(userId, `${countId} ${key}`);
  const unsent = createStore<readonly UnsentEntry[]>(readAll(nameOf('')));
  const stuck = createStore(false);
  let listeners: Listeners | null = null;
  let isSending = false;
  let isClosed = false;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;

  async function send(): Promise<void> {
    if (isSending || sender !== userId) return;
    clearTimeout(retryTimer);
    isSending = true;
    isClosed = false;
    // Another tab may have sent, added or discarded entries meanwhile. What both send counts once.
    read();
    // Only the order within one item matters, so an entry that fails holds up no other item.
    const failed = new Set<string>();
    const refused = new Set<string>();
    const isSkipped = ({ itemId, key }: UnsentEntry) => failed.has(itemId) || (!listeners && refused.has(key));
    const next = () => unsent.get().find((entry) => !isSkipped(entry) && !isTooOld(entry));
    try {
      for (let entry = next(); entry && sender === userId; entry = next()) {
        const outcome = await sendOne(userId, countId, entry);
        if (outcome === 'unanswered') return retryLater();
        if (outcome === 'failed') {
          failed.add(entry.itemId);
          continue;
        }
        stuck.set(false);
        if (!(outcome instanceof ApiProblem)) {
          remove([entry]);
          listeners?.onSent(outcome);
        } else if (outcome.code === 'count_closed') return keepForReopening(entry);
        // Their role may change back, or they may be invited again.
        else if (isAboutMember(outcome)) {
          listeners?.onRefused({ entry, problem: outcome });
          return retryIn(IDLE_RETRY_MS);
        } else if (listeners) {
          remove([entry]);
          listeners.onRefused({ entry, problem: outcome });
        }
        // Kept, because no screen says why. The server repeats its refusal when the person opens the session.
        else refused.add(entry.key);
      }
      if (failed.size > 0) retryLater();
    } finally {
      isSending = false;
    }
  }

  function read(): void {
    unsent.set(readAll(nameOf('')));
    updateTotal();
  }

  function retryLater(): void {
    stuck.set(true);
    retryIn(listeners ? RETRY_MS : IDLE_RETRY_MS);
  }

  function retryIn(ms: number): void {
    clearTimeout(retryTimer);
    if (sender === userId) retryTimer = setTimeout(() => void send(), ms);
  }

  /** Gives the entry a new key, because the server repeats its refusal for the old one. */
  function keepForReopening(entry: UnsentEntry): void {
    isClosed = true;
    // Unless another tab was told before.
    if (storedText(nameOf(entry.key)) !== null) {
      const renewed = { ...entry, key: keyAfter(entry.key) };
      storeText(nameOf(renewed.key), JSON.stringify(renewed));
      removeText(nameOf(entry.key));
    }
    read();
    // The session may be open again before the page hears that it was closed.
    if (listeners) retryIn(RETRY_MS);
    listeners?.onClosed();
  }

  function remove(entries: readonly UnsentEntry[]): void {
    const keys = new Set(entries.map(({ key }) => key));
    for (const key of keys) removeText(nameOf(key));
    unsent.set(unsent.get().filter(({ key }) => !keys.has(key)));
    updateTotal();
  }

  return {
    useUnsent: unsent.use,
    useIsStuck: stuck.use,
    add(item: { id: string; name: string }, change: { add: number } | { set: number }): void {
      // Later than the one before, so that a reload keeps the order.
      const at = Math.max(Date.now(), (unsent.get().at(-1)?.at ?? 0) + 1);
      const { house } = callerHeaders();
      const entry = {
        key: newIdempotencyKey(),
        itemId: item.id,
        name: item.name,
        at,
        ...(house && { house }),
        ...change,
      };
      storeText(nameOf(entry.key), JSON.stringify(entry));
      unsent.set([...unsent.get(), entry]);
      updateTotal();
      void send();
    },
    /** Forgets entries that were not sent. */
    discard: remove,
    /** Reads what is stored, which other tabs change too. */
    read,
    send: () => void send(),
    /** Sends soon, if the session was closed: somebody may have opened it again. */
    retryIfClosed(): void {
      if (!isClosed) return;
      // Once for all that happens until then, such as the posting of many differences.
      isClosed = false;
      retryIn(RETRY_MS);
    },
    stop: () => clearTimeout(retryTimer),
    /** Tells the screen of the session what becomes of the entries. Returns a function that ends it. */
    listen(toTell: Listeners): () => void {
      listeners = toTell;
      void send();
      return () => {
        if (listeners === toTell) listeners = null;
      };
    },
  };
}

/** Removes what a person has counted and not sent. Call it when their account no longer exists. */
export function forgetEntries(userId: string): void {
  for (const name of countEntriesOf(userId)) removeText(name);
  updateTotal();
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

/** Whether an entry waited so long that the server no longer accepts it. It is listed until the person discards it. */
export function isTooOld({ at }: UnsentEntry): boolean {
  return Date.now() - at > MAX_AGE_MS;
}

/** Returns the UUID that follows this one. Two tabs that renew the same entry choose the same key, so it counts once. */
function keyAfter(key: string): string {
  const last = (Number.parseInt(key.slice(-12), 16) + 1) % 2 ** 48;
  return key.slice(0, -12) + last.toString(16).padStart(12, '0');
}

async function sendOne(
  userId: string,
  countId: string,
  entry: UnsentEntry,
): Promise<SentEntry | ApiProblem | 'unanswered' | 'failed'> {
  const { key, itemId, name, at, house } = entry;
  const ageMs = Math.max(0, Date.now() - at);
  const change = 'add' in entry ? { add: entry.add } : { set: entry.set };
  try {
    const { data } = await call('POST /counts/:id/entries', {
      params: { id: countId },
      body: { ids: [itemId], ...change },
      headers: {
        'idempotency-key': key,
        'expected-user': userId,
        ...(house !== undefined && { house }),
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
