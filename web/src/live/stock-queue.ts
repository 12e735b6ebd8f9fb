import type { WireItem } from '@perfume/contract/wire-item';
import { ApiProblem } from '../api/client.ts';
import { isRetryable } from '../api/query-client.ts';
import { newIdempotencyKey } from '../api/retry.ts';
import type { QueueStore } from './queue-store.ts';
import { type ChangedSince, isUndoOf, movedTo, type StoredChange, withCondition, withNewKey } from './stored-change.ts';

const FIRST_RETRY_MS = 2_000;
const MAX_RETRY_MS = 30_000;
/** How many items are sent at the same time. The changes of one item are sent one after the other. */
const PARALLEL_ITEMS = 4;

/** What a screen shows of the queue. */
export type QueueState = {
  changes: readonly StoredChange[];
  /** True when the server has to know who the person is before it takes their changes. */
  isSignedOut: boolean;
  /** True after a request without an answer, until the server answers again. */
  isDown: boolean;
};

/** How the answer to a change reads, for the change that was made and for an undo. */
export type StockReply = { item: WireItem | null };

type Dependencies = {
  store: QueueStore;
  userId: string;
  /**
   * Sends a change and shows its effect. Rejects with the server's problem. `onUnanswered` runs in the moment in which
   * the screen stops counting the request as being in flight. `cancel` aborts when the queue stops: nothing is sent for
   * a person who has logged out.
   */
  send: (change: StoredChange, onUnanswered: () => void, cancel: AbortSignal) => Promise<StockReply>;
  /** Reads from the server what happened to the item of a count. `isRecorded`: the ledger has this very count. */
  look: (change: StoredChange) => Promise<(ChangedSince & { isRecorded: boolean }) | null>;
  /** Whether the device itself says that it has no connection. */
  isOffline: () => boolean;
  /** Runs the work while no other tab does, where the browser has locks. */
  withLock: <T>(name: string, work: () => Promise<T>) => Promise<T>;
  /** Whether a tab holds this lock at the moment. */
  isLocked: (name: string) => Promise<boolean>;
  /** Tells the other tabs that the queue has changed, and which item they can show now. */
  tellOtherTabs: (item: WireItem | null) => void;
  /** Called in the same moment in which the list of changes, or what is in flight, has changed. */
  onChange: (state: QueueState, inFlight: ReadonlySet<string>) => void;
  /** Called when the server had recorded a change long ago and no longer knows the answer. */
  onRecordedBefore: (change: StoredChange) => void;
};

export type StockQueue = ReturnType<typeof createStockQueue>;

/** A change whose request is being sent by the tab in which it was made. */
export type Sending = {
  /** The request was answered, whatever the answer: nothing is left to send. */
  answered: () => void;
  /** Keeps the change for later. Resolves to false when it could not be stored. */
  keep: (problem: unknown) => Promise<boolean>;
  /** Lists the kept change, in the moment in which the screen stops counting the request as being in flight. */
  list: () => void;
};

/**
 * The changes of stock of one person that the server has not answered yet. They are stored on this device before they
 * count as made, and sent in the order in which they were made, each under its own key.
 */
export function createStockQueue(deps: Dependencies) {
  const { store, userId } = deps;
  /** Changes that wait, are refused or undecided. Not those that the tab in which they were made is sending. */
  let changes: readonly StoredChange[] = [];
  /** Changes shown but not stored yet. */
  const unwritten = new Map<string, StoredChange>();
  const inFlight = new Set<string>();
  /** Changes that were made in this tab and that it is sending itself. */
  const sendingHere = new Set<string>();
  let isSignedOut = false;
  let isDown = false;
  let isRunning = false;
  let mustRunAgain = false;
  /** The server was heard during this round: what failed in it is sent again at once. */
  let isHeard = false;
  let retryMs = FIRST_RETRY_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  const stopping = new AbortController();

  function setChanges(next: readonly StoredChange[]): void {
    changes = next;
    publish();
  }

  function publish(): void {
    deps.onChange({ changes, isSignedOut, isDown }, inFlight);
  }

  /** Reads the changes from the store, where other tabs may have changed them. */
  async function read(): Promise<readonly StoredChange[]> {
    const stored = await store.all(userId);
    const known = new Set(stored.map(({ id }) => id));
    const listed = stored.filter(({ isSending }) => !isSending);
    setChanges([...listed, ...[...unwritten.values()].filter(({ id }) => !known.has(id))]);
    return stored;
  }

  /** Whether a change of this item has to wait: there is no connection, or earlier changes of the item wait. */
  function mustWait(itemId: string): boolean {
    return isDown || deps.isOffline() || changes.some((change) => change.itemId === itemId && holdsBack(change));
  }

  /** Shows the change at once and stores it. Resolves to false when it could not be stored; it is then not shown. */
  async function storeForLater(change: StoredChange): Promise<boolean> {
    unwritten.set(change.id, change);
    setChanges([...changes, change]);
    try {
      await store.add(change);
    } catch (problem) {
      console.error(problem);
      setChanges(changes.filter(({ id }) => id !== change.id));
      return false;
    } finally {
      unwritten.delete(change.id);
    }
    deps.tellOtherTabs(null);
    poke();
    return true;
  }

  /** Stores a change while its request is being sent. */
  function startSending(change: StoredChange): Sending {
    const own: StoredChange = { ...change, tried: true, isSending: true };
    const ended = Promise.withResolvers<void>();
    sendingHere.add(own.id);
    void ended.promise.then(() => sendingHere.delete(own.id));
    void deps.withLock(lockOf(own), () => ended.promise);
    const stored = store.add(own).then(
      () => true,
      (problem) => {
        console.error(problem);
        return false;
      },
    );
    const kept: StoredChange = { ...own, isSending: false };
    return {
      answered: () => {
        noteReached();
        void stored.then((isStored) => (isStored ? remove(own.id) : undefined)).finally(ended.resolve);
      },
      keep: async (problem) => {
        if (!(await stored)) {
          ended.resolve();
          return false;
        }
        noteUnanswered(problem);
        // If this fails, the change is still stored, and is taken over as if this tab had been closed.
        await store.change(own.id, (now) => now && { ...now, isSending: false }).catch(() => null);
        ended.resolve();
        return true;
      },
      list: () => {
        if (!changes.some(({ id }) => id === own.id)) setChanges([...changes, kept]);
        deps.tellOtherTabs(null);
        scheduleRetry();
      },
    };
  }

  function noteUnanswered(problem: unknown): void {
    isDown = problem instanceof ApiProblem && problem.code === 'offline';
    isSignedOut ||= isSignInRefusal(problem);
    publish();
  }

  function noteReached(): void {
    if (!isDown) return;
    isDown = false;
    publish();
  }

  /** Starts sending what waits. Call it whenever the server may be reachable again. */
  function poke(): void {
    clearTimeout(timer);
    if (isStopped) return;
    mustRunAgain = true;
    if (isRunning) return;
    isRunning = true;
    void deps
      .withLock(`stock-queue ${userId}`, sendAll)
      .catch((problem) => {
        console.error(problem);
        mustRunAgain = false;
        scheduleRetry();
      })
      .finally(() => {
        isRunning = false;
        if (mustRunAgain) poke();
      });
  }

  function scheduleRetry(): void {
    clearTimeout(timer);
    if (isStopped) return;
    timer = setTimeout(poke, retryMs);
    retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
  }

  async function sendAll(): Promise<void> {
    while (mustRunAgain && !isStopped) {
      mustRunAgain = false;
      isHeard = false;
      if (!(await sendRound()) && !isHeard) {
        mustRunAgain = false;
        scheduleRetry();
        return;
      }
      retryMs = FIRST_RETRY_MS;
    }
  }

  /** Sends what can be sent. Returns false when the server did not answer. */
  async function sendRound(): Promise<boolean> {
    await adoptOrphans(await read());
    const items = [...Map.groupBy(changes, ({ itemId }) => itemId).values()].map(addFirst);
    let isAnswered = true;
    async function sendItems(): Promise<void> {
      for (let list = items.shift(); list && isAnswered && !isStopped; list = items.shift()) {
        for (const change of list) {
          if (change.state === 'refused' && !holdsBack(change)) continue;
          if (change.state !== 'waiting') break;
          const outcome = await sendOne(change);
          if (outcome === 'unanswered') isAnswered = false;
          if (outcome !== 'answered') break;
        }
      }
    }
    await Promise.all(Array.from({ length: PARALLEL_ITEMS }, sendItems));
    return isAnswered;
  }

  /** Takes over changes whose tab was closed while it was sending them. */
  async function adoptOrphans(stored: readonly StoredChange[]): Promise<void> {
    for (const change of stored) {
      if (!change.isSending || sendingHere.has(change.id) || (await deps.isLocked(lockOf(change)))) continue;
      await store.change(change.id, (now) => now && { ...now, isSending: false });
      await read();
    }
  }

  type Outcome = 'answered' | 'unanswered' | 'blocked';

  async function sendOne(change: StoredChange): Promise<Outcome> {
    const { made } = change;
    const undone = made.kind === 'undo' ? (await store.all(userId)).find(({ id }) => id === made.of) : undefined;
    if (undone?.state === 'refused') {
      if (mayBeRecorded(undone)) return 'blocked';
      await forget(undone.id);
      await forget(change.id);
      return 'answered';
    }
    if (change.made.kind === 'count' && !change.isDecided) {
      const looked = await lookBeforeCount(change);
      if (looked !== 'send') return looked;
    }
    // Marked in the store first: from now on the server may know it.
    const claimed = await store.change(change.id, (now) => now && { ...now, tried: true });
    if (claimed?.state !== 'waiting') {
      await read();
      return 'blocked';
    }
    inFlight.add(change.id);
    const land = () => {
      inFlight.delete(change.id);
      publish();
    };
    try {
      publish();
      const { item } = await deps.send(claimed, land, stopping.signal);
      noteReached();
      isSignedOut = false;
      await forget(change.id, item);
      return 'answered';
    } catch (problem) {
      if (isUnanswered(problem)) {
        noteUnanswered(problem);
        return 'unanswered';
      }
      noteReached();
      return await settleRefusal(change, problem);
    } finally {
      if (inFlight.has(change.id)) land();
    }
  }

  /**
   * Finds out whether a count can be sent. It can if the item still has the quantity that the person saw: then only
   * changes from this device came before it. Otherwise the person decides.
   */
  async function lookBeforeCount(change: StoredChange): Promise<Outcome | 'send'> {
    if (change.made.kind !== 'count') return 'send';
    let found: Awaited<ReturnType<Dependencies['look']>>;
    try {
      found = await deps.look(change);
    } catch (problem) {
      if (!isUnanswered(problem)) return 'send';
      noteUnanswered(problem);
      return 'unanswered';
    }
    if (found?.isRecorded) {
      await forget(change.id);
      deps.onRecordedBefore(change);
      return 'answered';
    }
    if (found === null || found.quantity === change.made.seen) return 'send';
    const { isRecorded: _, ...changedSince } = found;
    await store.change(change.id, (now) => now && { ...now, tried: false, state: 'undecided', changedSince });
    await readAndTell();
    return 'blocked';
  }

  async function settleRefusal(change: StoredChange, problem: unknown): Promise<Outcome> {
    const code = problem instanceof ApiProblem ? problem.code : 'internal';
    // The server keeps answers for 30 days, and ids for ever. A key that it knows without the answer was recorded long
    // ago. An undo that somebody else has made has the wanted effect too.
    if ((code === 'key_reused' && change.tried) || (code === 'already_undone' && change.made.kind === 'undo')) {
      await forget(change.id);
      deps.onRecordedBefore(change);
      return 'answered';
    }
    // The person decided on a quantity that has changed again: they look again.
    if (code === 'stale_version' && change.made.kind === 'count') {
      mustRunAgain = true;
      const undo = (await store.all(userId)).find((one) => isUndoOf(one, change.id));
      if (undo) {
        // They have undone it, and the server has recorded nothing. The count goes first: alone, it would be sent again.
        await forget(change.id);
        await forget(undo.id);
        return 'blocked';
      }
      const request = withCondition(change.request, { 'stock-base': String(change.made.seen) });
      const asDifference = { ...change, request, isDecided: false };
      await store.change(change.id, (now) => now && withNewKey(asDifference, newIdempotencyKey()));
      await readAndTell();
      return 'blocked';
    }
    const { status, onHand } = problem instanceof ApiProblem ? problem : { status: 500, onHand: undefined };
    const refusal = { code, status, onHand };
    // The answer to the first attempt says that it was not recorded, unless the server failed.
    const tried = change.tried || status >= 500;
    await store.change(change.id, (now) => now && { ...now, tried, state: 'refused', problem: refusal });
    await readAndTell();
    return change.made.kind === 'add' ? 'blocked' : 'answered';
  }

  /** Removes a change that needs no further sending. */
  async function forget(id: string, item: WireItem | null = null): Promise<void> {
    await store.change(id, () => null);
    inFlight.delete(id);
    setChanges(changes.filter((change) => change.id !== id));
    deps.tellOtherTabs(item);
  }

  async function remove(id: string): Promise<void> {
    await store.change(id, () => null);
  }

  async function readAndTell(): Promise<void> {
    await read();
    deps.tellOtherTabs(null);
  }

  /** Changes a stored change on behalf of the person, and sends what can be sent now. */
  async function edit(id: string, next: (now: StoredChange) => StoredChange | null): Promise<StoredChange | null> {
    const then = await store.change(id, (now) => now && next(now));
    await readAndTell();
    poke();
    return then;
  }

  /** Moves what was done with a new item to the id under which it is added again. */
  async function moveChanges(itemId: string, newId: string): Promise<void> {
    for (const one of changes)
      if (one.itemId === itemId && one.id !== itemId) await store.change(one.id, (now) => now && movedTo(now, newId));
  }

  return {
    userId,
    /** Reads what is stored, and sends it. */
    start: async () => {
      await read();
      poke();
    },
    stop: () => {
      isStopped = true;
      stopping.abort(new ApiProblem('offline', 0));
      clearTimeout(timer);
    },
    read,
    poke,
    /** Call it when the server has just been heard. */
    reachable: () => {
      noteReached();
      isSignedOut = false;
      isHeard = true;
      retryMs = FIRST_RETRY_MS;
      poke();
    },
    mustWait,
    storeForLater,
    startSending,
    /** The ids of the changes of an item that wait. */
    idsOf: (itemId: string) => changes.filter((change) => change.itemId === itemId).map(({ id }) => id),
    find: (id: string) => changes.find((change) => change.id === id) ?? null,

    /**
     * Drops a change that the server cannot have recorded, and what depends on it: its undo, and the changes of an item
     * that was never added. Returns all of them without the undo, the change first. Returns none if it may have been
     * recorded, or is not in the queue: then it has to be undone. `discard` also drops one that needs the person and may
     * have been recorded.
     */
    drop: async (id: string, discard: 'discard' | null = null): Promise<readonly StoredChange[]> => {
      let dropped: StoredChange | null = null;
      await store.change(id, (now) => {
        if (!now || now.isSending || inFlight.has(id)) return now;
        if (mayBeRecorded(now) && (discard === null || now.state === 'waiting')) return now;
        dropped = now;
        return null;
      });
      const stored = await read();
      if (dropped === null) return [];
      const { made, itemId } = dropped as StoredChange;
      const dependants = made.kind === 'add' ? changes.filter((one) => one.itemId === itemId) : [];
      for (const one of [...dependants, ...stored.filter((one) => isUndoOf(one, id))]) await remove(one.id);
      await readAndTell();
      poke();
      return [dropped, ...dependants];
    },

    /** Removes a new item that was refused and added again, corrected, under another id. Its changes follow it. */
    replaceAdd: async (id: string, newId: string): Promise<void> => {
      if (!changes.some((one) => one.id === id && one.state === 'refused')) return;
      await moveChanges(id, newId);
      await edit(id, () => null);
    },

    /** Removes all changes of the person, whose account no longer exists: nobody can send them. */
    clear: async (): Promise<void> => {
      for (const { id } of await store.all(userId)) await remove(id);
      await readAndTell();
    },

    /** Sends a refused change once more, perhaps with other units. */
    retry: async (id: string, adjust: (change: StoredChange) => StoredChange = (change) => change): Promise<void> => {
      const newId = newIdempotencyKey();
      const refused = changes.find((change) => change.id === id);
      if (refused?.made.kind === 'add' && isFinal(refused)) await moveChanges(id, newId);
      await edit(id, (now) => {
        if (now.state !== 'refused') return now;
        const { problem: _, ...waiting } = isFinal(now) ? withNewKey(adjust(now), newId) : now;
        const itemId = now.made.kind === 'add' && isFinal(now) ? newId : now.itemId;
        return { ...waiting, itemId, state: 'waiting' };
      });
    },

    /**
     * Decides what a count means after others have changed the item: `keep` adds the difference that was counted, `set`
     * makes it the quantity that was counted.
     */
    decide: async (id: string, answer: 'set' | 'keep'): Promise<void> => {
      await edit(id, (now) => {
        const { changedSince, made, request } = now;
        if (now.state !== 'undecided' || !changedSince || made.kind !== 'count') return now;
        const decided: StoredChange = { ...now, state: 'waiting', isDecided: true };
        if (answer === 'keep' || request.route !== 'PUT /inventory-items/:id') return decided;
        const ifUnchanged = withCondition(request, { 'if-match': `"${changedSince.version}"` });
        const set = { ...decided, made: { ...made, seen: changedSince.quantity }, request: ifUnchanged };
        return withNewKey(set, newIdempotencyKey());
      });
    },
  };
}

/** Whether later changes of the same item have to wait for this one. Nothing can happen to an item that was not added. */
function holdsBack({ state, made }: StoredChange): boolean {
  return state !== 'refused' || made.kind === 'add';
}

/** Returns the changes of an item in the order to send them. An item added again comes after its older changes. */
function addFirst(list: readonly StoredChange[]): StoredChange[] {
  return [...list.filter(isAdd), ...list.filter((change) => !isAdd(change))];
}

function isAdd({ made }: StoredChange): boolean {
  return made.kind === 'add';
}

function lockOf({ id }: StoredChange): string {
  return `stock-change ${id}`;
}

function isSignInRefusal(problem: unknown): boolean {
  return problem instanceof ApiProblem && (problem.code === 'not_signed_in' || problem.code === 'email_not_verified');
}

/** Whether the change may still be recorded: no answer, a busy server, a lost sign-in, or an answer of another server. */
export function isUnanswered(problem: unknown): boolean {
  if (isRetryable(problem) || isSignInRefusal(problem)) return true;
  return problem instanceof ApiProblem && problem.code === 'internal' && problem.status !== 500;
}

/**
 * Whether the server refuses whatever this person does in the house. It says so before it looks at the key, so the change
 * may be recorded.
 */
export function isAboutMember(problem: { code: string } | undefined): boolean {
  return problem !== undefined && ['not_allowed', 'house_not_found', 'no_house'].includes(problem.code);
}

/** Whether an attempt to send the change got no answer, so that the server may have recorded it. */
export function mayBeRecorded(change: StoredChange): boolean {
  return change.tried && !isFinal(change);
}

/** Whether the server repeats the refusal for the same key. Other refusals are decided anew for each request. */
export function isRepeated(problem: { code: string; status: number }): boolean {
  return [404, 409, 412, 422].includes(problem.status) && !isAboutMember(problem);
}

function isFinal({ state, problem }: StoredChange): boolean {
  return state === 'refused' && problem !== undefined && isRepeated(problem);
}
