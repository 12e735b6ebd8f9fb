import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiProblem } from '../api/client.ts';
import type { QueueStore } from './queue-store.ts';
import { createStockQueue, type QueueState, type StockQueue } from './stock-queue.ts';
import { type ChangeMade, isUndoOf, type StoredChange, undoUnderNewKey } from './stored-change.ts';

/** What a device stores. It outlives the queues that use it, as a disk outlives a closed tab. */
function memoryStore() {
  let changes: StoredChange[] = [];
  let last = 0;
  const disk = { isFull: false };
  const store: QueueStore = {
    all: async (userId) => structuredClone(changes.filter((change) => change.userId === userId)),
    add: async (change) => {
      if (disk.isFull) throw new DOMException('full', 'QuotaExceededError');
      changes.push({ ...structuredClone(change), num: ++last });
    },
    change: async (id, next) => {
      const now = changes.find((change) => change.id === id) ?? null;
      const then = next(now && structuredClone(now));
      changes = changes.flatMap((change) => (change !== now ? [change] : then ? [then] : []));
      if (now && then && then.id !== now.id)
        changes = changes.map((one) => (isUndoOf(one, now.id) ? undoUnderNewKey(one, then) : one));
      return then;
    },
  };
  return { store, disk, stored: () => changes };
}

type Answer = 'ok' | ApiProblem;

/** A server that books each key once, as the ledger does. `answer` decides about the next request. */
function fakeServer() {
  const booked: string[] = [];
  const sent: StoredChange[] = [];
  let answers: Answer[] = [];
  let always: Answer = 'ok';
  const server = {
    booked,
    sent,
    beforeAnswer: () => {},
    answer: (...next: Answer[]) => {
      answers = next;
    },
    answerAlways: (next: Answer) => {
      always = next;
    },
    /** Aborted when the request being sent is given up. */
    cancel: AbortSignal.abort(),
    send: async (change: StoredChange, _onUnanswered: () => void, cancel: AbortSignal) => {
      server.cancel = cancel;
      sent.push(structuredClone(change));
      const answer = answers.shift() ?? always;
      server.beforeAnswer();
      if (answer !== 'ok') throw answer;
      if (!booked.includes(change.id)) booked.push(change.id);
      return { item: null };
    },
  };
  return server;
}

const offline = new ApiProblem('offline', 0);
const soldOut = new ApiProblem('out_of_stock', 409, { onHand: 2 });
const signedOut = new ApiProblem('not_signed_in', 401);

let ids = 0;
const newId = () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`;

function change(itemId: string, made: ChangeMade = { kind: 'move', delta: -1 }, id = newId()): StoredChange {
  const headers = { 'idempotency-key': id, 'expected-user': 'ana' };
  const request =
    made.kind === 'add'
      ? { route: 'POST /new-inventory-item' as const, body: {} as never, headers }
      : { route: 'PUT /inventory-items/:id' as const, params: { id: itemId }, body: { quantity: '1' }, headers };
  return {
    id,
    userId: 'ana',
    itemId,
    itemName: itemId,
    madeAt: 0,
    made,
    request,
    tried: false,
    isSending: false,
    state: 'waiting',
  };
}

let device: ReturnType<typeof memoryStore>;
let server: ReturnType<typeof fakeServer>;
let state: QueueState;
let look: { quantity: number; version: number; isRecorded: boolean; movements: never[] } | null;
let isOffline: boolean;
let locked: Set<string>;
const open: StockQueue[] = [];

function openQueue(userId = 'ana'): StockQueue {
  const queue = createStockQueue({
    store: device.store,
    userId,
    send: server.send,
    look: async () => look,
    isOffline: () => isOffline,
    withLock: (_name, work) => work(),
    isLocked: async (name) => locked.has(name),
    tellOtherTabs: () => {},
    onChange: (next) => {
      state = next;
    },
    onRecordedBefore: () => {},
  });
  open.push(queue);
  return queue;
}

const settled = () => vi.advanceTimersByTimeAsync(0);
const shown = () => state.changes.map(({ id, state }) => [id, state]);

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'error').mockImplementation(() => {});
  device = memoryStore();
  server = fakeServer();
  look = null;
  isOffline = false;
  locked = new Set();
});

afterEach(() => {
  for (const queue of open.splice(0)) queue.stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('without a connection', () => {
  test('changes are stored, and sent in order and once when the connection is back', async () => {
    server.answerAlways(offline);
    const queue = openQueue();
    await queue.start();
    const made = [change('iris'), change('iris'), change('iris')];
    for (const one of made) expect(await queue.storeForLater(one)).toBe(true);
    await settled();
    expect(shown()).toEqual(made.map(({ id }) => [id, 'waiting']));
    server.answerAlways('ok');
    queue.reachable();
    await settled();
    expect(server.booked).toEqual(made.map(({ id }) => id));
    expect(device.stored()).toEqual([]);
    expect(shown()).toEqual([]);
  });

  test('what was stored is sent after the app was closed, with the same request', async () => {
    server.answerAlways(offline);
    const first = openQueue();
    const one = change('iris');
    await first.storeForLater(one);
    await settled();
    first.stop();
    server.answerAlways('ok');
    await openQueue().start();
    await settled();
    expect(server.booked).toEqual([one.id]);
    expect(new Set(server.sent.map(({ request }) => JSON.stringify(request))).size).toBe(1);
  });

  test('a later change of an item waits behind the earlier ones', async () => {
    server.answerAlways(offline);
    const queue = openQueue();
    await queue.storeForLater(change('iris'));
    await settled();
    queue.reachable();
    expect(queue.mustWait('iris')).toBe(true);
  });

  test('what fails while the connection comes back is sent at once', async () => {
    const queue = openQueue();
    server.answer(offline);
    server.beforeAnswer = () => {
      server.beforeAnswer = () => {};
      queue.reachable();
    };
    const one = change('iris');
    await queue.storeForLater(one);
    await settled();
    expect(server.booked).toEqual([one.id]);
  });

  test('sending is tried again by itself', async () => {
    server.answerAlways(offline);
    const queue = openQueue();
    await queue.storeForLater(change('iris'));
    await settled();
    server.answerAlways('ok');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.booked).toHaveLength(1);
  });

  test('a change that cannot be stored is not shown', async () => {
    device.disk.isFull = true;
    const queue = openQueue();
    expect(await queue.storeForLater(change('iris'))).toBe(false);
    expect(shown()).toEqual([]);
  });
});

describe('a change that is being sent', () => {
  test('is stored meanwhile, and removed with the answer', async () => {
    const sending = openQueue().startSending(change('iris'));
    await settled();
    expect(device.stored()).toMatchObject([{ isSending: true, tried: true }]);
    sending.answered();
    await settled();
    expect(device.stored()).toEqual([]);
  });

  test('is taken over when its tab was closed, and not while that tab is alive', async () => {
    const one = change('iris');
    openQueue().startSending(one);
    locked.add(`stock-change ${one.id}`);
    const other = openQueue();
    await other.start();
    await settled();
    expect(server.sent).toEqual([]);
    locked.clear();
    other.poke();
    await settled();
    expect(server.booked).toEqual([one.id]);
  });

  test('is kept when nobody answers', async () => {
    const queue = openQueue();
    const one = change('iris');
    const sending = queue.startSending(one);
    expect(await sending.keep(offline)).toBe(true);
    sending.list();
    expect(shown()).toEqual([[one.id, 'waiting']]);
    expect(queue.mustWait('rose')).toBe(true);
    queue.reachable();
    await settled();
    expect(server.booked).toEqual([one.id]);
  });

  test('is not kept when the device has no space', async () => {
    device.disk.isFull = true;
    expect(await openQueue().startSending(change('iris')).keep(offline)).toBe(false);
  });
});

describe('a refusal', () => {
  test('is listed with its reason, and the other changes are sent', async () => {
    const queue = openQueue();
    const [one, two] = [change('iris'), change('iris')];
    server.answer(soldOut);
    await queue.storeForLater(one);
    await queue.storeForLater(two);
    await settled();
    expect(server.booked).toEqual([two.id]);
    expect(state.changes).toMatchObject([{ id: one.id, problem: { code: 'out_of_stock', onHand: 2 } }]);
  });

  test('is tried again under a new key, because the server repeats the refusal for the first one', async () => {
    const queue = openQueue();
    const one = change('iris');
    server.answer(soldOut);
    await queue.storeForLater(one);
    await settled();
    await queue.retry(one.id);
    await settled();
    expect(server.booked).toHaveLength(1);
    expect(server.booked).not.toContain(one.id);
    expect(server.sent.at(-1)?.request.headers?.['idempotency-key']).toBe(server.booked[0]);
  });

  test('that the server does not keep is tried again under the same key, which may have been recorded before', async () => {
    const queue = openQueue();
    const one = change('iris');
    server.answer(new ApiProblem('not_allowed', 403));
    await queue.storeForLater(one);
    await settled();
    await queue.retry(one.id);
    await settled();
    expect(server.booked).toEqual([one.id]);
  });

  test('of a new item holds back the changes of that item, which follow it under its new id', async () => {
    const queue = openQueue();
    const add = change('new', { kind: 'add' }, 'new');
    const delivery = change('new');
    server.answer(new ApiProblem('invalid_input', 422));
    await queue.storeForLater(add);
    await queue.storeForLater(delivery);
    await settled();
    expect(server.booked).toEqual([]);
    await queue.retry('new');
    await settled();
    const [added, delivered] = server.sent.slice(-2);
    expect([added?.id, delivered?.request.params?.id]).toEqual([added?.itemId, added?.itemId]);
    expect(server.booked).toEqual([added?.id, delivery.id]);
  });

  test('of a new item keeps its changes for the corrected item, which may wait for a connection too', async () => {
    const queue = openQueue();
    server.answer(new ApiProblem('code_taken', 409));
    const delivery = change('new');
    await queue.storeForLater(change('new', { kind: 'add' }, 'new'));
    await queue.storeForLater(delivery);
    await settled();
    server.answer(offline);
    await queue.storeForLater(change('corrected', { kind: 'add' }, 'corrected'));
    await queue.replaceAdd('new', 'corrected');
    queue.reachable();
    await settled();
    expect(server.booked).toEqual(['corrected', delivery.id]);
    expect(server.sent.at(-1)?.request.params?.id).toBe('corrected');
    expect(device.stored()).toEqual([]);
  });

  test('can be discarded, a new item with everything that was done with it', async () => {
    const queue = openQueue();
    server.answer(new ApiProblem('invalid_input', 422));
    await queue.storeForLater(change('new', { kind: 'add' }, 'new'));
    await queue.storeForLater(change('new'));
    await settled();
    await queue.drop('new');
    expect(device.stored()).toEqual([]);
  });
});

test('a change that was recorded so long ago that the answer is forgotten counts as sent', async () => {
  const one = change('iris');
  server.answer(offline);
  const queue = openQueue();
  await queue.storeForLater(one);
  await settled();
  server.answer(new ApiProblem('key_reused', 422));
  queue.reachable();
  await settled();
  expect(device.stored()).toEqual([]);
});

describe('an expired sign-in', () => {
  test('leaves the changes where they are until the person has logged in again', async () => {
    server.answerAlways(signedOut);
    const queue = openQueue();
    const one = change('iris');
    await queue.storeForLater(one);
    await settled();
    expect(state).toMatchObject({ isSignedOut: true, changes: [{ id: one.id, state: 'waiting' }] });
    server.answerAlways('ok');
    queue.reachable();
    await settled();
    expect(server.booked).toEqual([one.id]);
    expect(state.isSignedOut).toBe(false);
  });

  test('another person on the same device neither sees nor sends them', async () => {
    server.answerAlways(offline);
    const queue = openQueue();
    await queue.storeForLater(change('iris'));
    await settled();
    queue.stop();
    server.answerAlways('ok');
    const other = openQueue('ben');
    await other.start();
    await settled();
    expect(shown()).toEqual([]);
    expect(server.booked).toEqual([]);
    expect(device.stored()).toHaveLength(1);
  });
});

describe('a count made without a connection', () => {
  const counted = () =>
    change('iris', { kind: 'count', counted: 12, seen: 10, seenAt: 0, after: [], reason: 'miscount' });
  const looked = (quantity: number, isRecorded = false) => ({ quantity, version: 7, isRecorded, movements: [] });

  test('is sent when the item still has the quantity that was seen', async () => {
    look = looked(10);
    const one = counted();
    await openQueue().storeForLater(one);
    await settled();
    expect(server.booked).toEqual([one.id]);
  });

  test('waits for the person when others changed the item, and holds back what was done after it', async () => {
    look = looked(8);
    const queue = openQueue();
    const [one, later] = [counted(), change('iris')];
    await queue.storeForLater(one);
    await queue.storeForLater(later);
    await settled();
    expect(server.sent).toEqual([]);
    expect(state.changes[0]).toMatchObject({ state: 'undecided', changedSince: { quantity: 8 } });
    await queue.decide(one.id, 'keep');
    await settled();
    expect(server.booked).toEqual([one.id, later.id]);
    expect(server.sent[0]?.request).toEqual(one.request);
  });

  test('can set the quantity, but only if the item has not changed again', async () => {
    look = looked(8);
    const queue = openQueue();
    const one = counted();
    one.request = { ...one.request, headers: { ...one.request.headers, house: 'atelier' } } as typeof one.request;
    await queue.storeForLater(one);
    await settled();
    server.answer(new ApiProblem('stale_version', 412));
    look = looked(7);
    await queue.decide(one.id, 'set');
    await settled();
    expect(server.sent[0]?.request.headers).toMatchObject({ 'if-match': '"7"', house: 'atelier' });
    const difference = { 'stock-base': '8', 'expected-user': 'ana', house: 'atelier' };
    expect(device.stored()[0]?.request.headers).toEqual({ 'idempotency-key': expect.any(String), ...difference });
    expect(server.booked).toEqual([]);
    expect(state.changes).toMatchObject([{ state: 'undecided', changedSince: { quantity: 7 } }]);
    await queue.decide(state.changes[0]?.id ?? '', 'set');
    await settled();
    expect(server.booked).toHaveLength(1);
    expect(server.sent[1]?.id).not.toBe(server.sent[0]?.id);
  });

  test('is not made twice when the ledger already has it', async () => {
    look = looked(12, true);
    await openQueue().storeForLater(counted());
    await settled();
    expect(server.sent).toEqual([]);
    expect(device.stored()).toEqual([]);
  });
});

describe('an undo', () => {
  test('drops what the server cannot know', async () => {
    isOffline = true;
    server.answerAlways(offline);
    const queue = openQueue();
    const [first, second] = [change('iris'), change('iris')];
    await queue.storeForLater(first);
    await queue.storeForLater(second);
    await settled();
    expect(await queue.drop(second.id)).toMatchObject([{ id: second.id }]);
    expect(await queue.drop(first.id)).toEqual([]);
    expect(device.stored().map(({ id }) => id)).toEqual([first.id]);
  });

  test('does not drop what may be recorded, though the person was refused since', async () => {
    const refusals = [
      new ApiProblem('not_allowed', 403),
      new ApiProblem('house_not_found', 404),
      new ApiProblem('internal', 500),
    ];
    for (const refusal of refusals) {
      server.answer(offline, refusal);
      const queue = openQueue();
      const one = change('iris');
      await queue.storeForLater(one);
      await settled();
      queue.reachable();
      await settled();
      expect(device.stored()).toMatchObject([{ id: one.id, state: 'refused' }]);
      expect(await queue.drop(one.id)).toEqual([]);
      expect(await queue.drop(one.id, 'discard')).toMatchObject([{ id: one.id }]);
      queue.stop();
    }
  });

  test('drops what was refused at the first attempt', async () => {
    server.answer(new ApiProblem('not_allowed', 403));
    const queue = openQueue();
    const one = change('iris');
    await queue.storeForLater(one);
    await settled();
    expect(await queue.drop(one.id)).toMatchObject([{ id: one.id }]);
  });

  test('of a change that is refused in the end leaves nothing behind', async () => {
    server.answer(offline);
    const queue = openQueue();
    const one = change('iris');
    await queue.storeForLater(one);
    await settled();
    await queue.storeForLater(change('iris', { kind: 'undo', of: one.id, delta: 1 }));
    server.answer(soldOut);
    queue.reachable();
    await settled();
    expect(device.stored()).toEqual([]);
    expect(server.booked).toEqual([]);
  });

  const count = () => change('iris', { kind: 'count', counted: 8, seen: 10, seenAt: 0, after: [], reason: 'miscount' });
  const undoOf = ({ id: of }: StoredChange): StoredChange => {
    const { request, ...undo } = change('iris', { kind: 'undo', of, delta: 2 });
    return {
      ...undo,
      request: { route: 'POST /history/:id/undo', params: { id: of }, headers: { ...request.headers } },
    };
  };

  test('of a count that the server has just refused for its version leaves nothing behind', async () => {
    server.answer(offline);
    const queue = openQueue();
    const one = count();
    await queue.storeForLater(one);
    await settled();
    await queue.storeForLater(undoOf(one));
    server.answer(new ApiProblem('stale_version', 412));
    queue.reachable();
    await settled();
    expect(device.stored()).toEqual([]);
    expect(server.booked).toEqual([]);
  });

  test('waits with its change while the person is not in the house, because the change may be recorded', async () => {
    server.answer(offline);
    const queue = openQueue();
    const one = count();
    await queue.storeForLater(one);
    await settled();
    await queue.storeForLater(undoOf(one));
    server.answer(new ApiProblem('house_not_found', 404));
    queue.reachable();
    await settled();
    expect(state.changes.map(({ state: now }) => now)).toEqual(['refused', 'waiting']);
    await queue.retry(one.id);
    await settled();
    expect(server.booked).toEqual([one.id, expect.any(String)]);
    expect(device.stored()).toEqual([]);
  });

  test('follows its count to the key that it gets with the decision', async () => {
    server.answer(offline);
    const queue = openQueue();
    const one = count();
    await queue.storeForLater(one);
    await settled();
    await queue.storeForLater(undoOf(one));
    look = { quantity: 7, version: 4, isRecorded: false, movements: [] };
    queue.reachable();
    await settled();
    await queue.decide(one.id, 'set');
    await settled();
    const [sentCount, sentUndo] = server.sent.slice(-2);
    expect(sentCount?.id).not.toBe(one.id);
    expect(sentUndo?.made).toEqual({ kind: 'undo', of: sentCount?.id, delta: -1 });
    expect(sentUndo?.request.params).toEqual({ id: sentCount?.id });
    expect(device.stored()).toEqual([]);
  });

  test('goes with its count, if the person drops that instead of deciding', async () => {
    server.answer(offline);
    const queue = openQueue();
    const one = count();
    await queue.storeForLater(one);
    await settled();
    await queue.storeForLater(undoOf(one));
    look = { quantity: 7, version: 4, isRecorded: false, movements: [] };
    queue.reachable();
    await settled();
    expect(await queue.drop(one.id)).toMatchObject([{ id: one.id }]);
    expect(device.stored()).toEqual([]);
  });
});

test('of a removed account nothing stays on the device, and what others have not sent stays', async () => {
  isOffline = true;
  server.answerAlways(offline);
  const queue = openQueue();
  await queue.storeForLater(change('oud'));
  await device.store.add({ ...change('iris'), userId: 'otto' });
  await queue.clear();
  expect([state.changes, await device.store.all('ana')]).toEqual([[], []]);
  expect(await device.store.all('otto')).toHaveLength(1);
});

test('a request that is being sent is given up when the queue stops, because its person has logged out', async () => {
  const queue = openQueue();
  await queue.storeForLater(change('oud'));
  await expect.poll(() => server.booked).toHaveLength(1);
  expect(server.cancel.aborted).toBe(false);
  queue.stop();
  expect(server.cancel.aborted).toBe(true);
});
