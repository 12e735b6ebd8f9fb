import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { countEntriesOf } from '../../api/session.ts';
import { storedText, storeText } from '../../api/stored-text.ts';
import {
  entryOutbox,
  forgetEntries,
  outboxOf,
  type SentEntry,
  sendEntries,
  unsentByCount,
  unsentTotal,
  unstoredTotal,
} from './entry-outbox.ts';

type Request = { key: string; user: string | null; age: string | null; body: { add?: number; set?: number } };
let sent: Request[];
let answers: (Response | Promise<Response> | 'lost')[];
let logOut: () => void;

const item = { id: '0190a000-0000-7000-8000-000000000001', name: 'Nuit' };
const otherItem = { id: '0190a000-0000-7000-8000-000000000002', name: 'Jour' };
const counted = (units: number) =>
  Response.json({ results: [{ _id: item.id, ok: true, entryId: `entry ${units}`, counted: units }] });
const refused = () => Response.json({ results: [{ _id: item.id, ok: false, code: 'count_below_zero' }] });
const closed = () => Response.json({ code: 'count_closed' }, { status: 409 });
const toldTo = (told: string[]) => ({
  onClosed: () => void told.push('closed'),
  onSent: ({ counted: units }: SentEntry) => void told.push(`counted ${units}`),
  onRefused: ({ problem }: { problem: { code: string } }) => void told.push(problem.code),
});

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  answers = [];
  vi.stubGlobal('fetch', async (_: string, { headers, body }: { headers: HeadersInit; body: string }) => {
    const given = new Headers(headers);
    sent.push({
      key: given.get('idempotency-key') ?? '',
      user: given.get('expected-user'),
      age: given.get('counted-ago'),
      body: JSON.parse(body),
    });
    const answer = (await answers.shift()) ?? 'lost';
    if (answer === 'lost') throw new TypeError('Failed to fetch');
    return answer;
  });
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('removeEventListener', () => {});
  logOut = sendEntries('ann');
});
afterEach(() => {
  logOut();
  forgetEntries('ann');
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('an entry without an answer waits for its person to log in again, keeps its key and says how old it is', async () => {
  outboxOf('ann', 'count 1').listen(toldTo([]));
  outboxOf('ann', 'count 1').add(item, { add: 1 });
  await vi.advanceTimersByTimeAsync(3_500);
  expect(sent.length).toBe(2);
  logOut();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent.length).toBe(2);

  sendEntries('ben')();
  expect(sent.length).toBe(2);
  answers = [counted(1)];
  logOut = sendEntries('ann');
  expect(unsentTotal.get()).toBe(1);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
  expect(sent.map(({ age }) => age)).toEqual([null, '3000', '63500']);
  expect(unsentTotal.get()).toBe(0);
});

test('entries are sent when the page of the session was left', async () => {
  const leave = outboxOf('ann', 'count 9').listen(toldTo([]));
  outboxOf('ann', 'count 9').add(item, { add: 1 });
  leave();
  answers = [counted(1)];
  await vi.advanceTimersByTimeAsync(20_000);
  expect(sent.length).toBe(2);
  expect(unsentTotal.get()).toBe(0);
});

test('an entry that is refused when no page of the session is open waits for the person to read why', async () => {
  const told: string[] = [];
  const outbox = outboxOf('ann', 'count 10');
  answers = [refused(), counted(2)];
  outbox.add(item, { add: -1 });
  outbox.add(item, { set: 2 });
  await vi.advanceTimersByTimeAsync(60_000);
  expect([sent.length, unsentTotal.get()]).toEqual([2, 1]);
  answers = [refused()];
  outbox.listen(toldTo(told));
  await vi.advanceTimersByTimeAsync(10);
  expect(told).toEqual(['count_below_zero']);
  expect(sent[2]?.key).toBe(sent[0]?.key);
  expect(unsentTotal.get()).toBe(0);
});

test.each([
  ['not_allowed', 403],
  ['house_not_found', 404],
  ['no_house', 404],
])('entries of somebody who may not count any more (%s) wait until they may again', async (code, status) => {
  const told: string[] = [];
  const outbox = outboxOf('ann', `count ${code}`);
  answers = [Response.json({ code }, { status }), counted(1), counted(2)];
  const leave = outbox.listen(toldTo(told));
  outbox.add(item, { add: 1 });
  outbox.add(item, { add: 1 });
  await vi.advanceTimersByTimeAsync(10);
  expect(told).toEqual([code]);
  expect(unsentTotal.get()).toBe(2);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(told).toEqual([code, 'counted 1', 'counted 2']);
  expect(unsentTotal.get()).toBe(0);
  leave();
});

test('entries that waited for more than seven days are kept and not sent', async () => {
  logOut();
  const outbox = outboxOf('ann', 'count 11');
  outbox.add(item, { add: 1 });
  await vi.advanceTimersByTimeAsync(7 * 24 * 60 * 60 * 1_000 + 1);
  outbox.add(otherItem, { set: 4 });
  answers = [counted(4)];
  logOut = sendEntries('ann');
  await vi.advanceTimersByTimeAsync(10);
  expect(sent.map(({ body }) => body.set ?? body.add)).toEqual([4]);
  expect(unsentByCount('ann').get('count 11')).toBe(1);
});

test('entries are sent in order, one after the other; a refused one is told and does not hold up the rest', async () => {
  const told: string[] = [];
  const outbox = entryOutbox('ann', 'count 2');
  answers = [refused(), counted(3)];
  const stop = outbox.listen(toldTo(told));
  outbox.add(item, { add: -1 });
  outbox.add(item, { set: 3 });
  expect(sent.length).toBe(1);
  await vi.advanceTimersByTimeAsync(10);
  stop();
  expect(told).toEqual(['count_below_zero', 'counted 3']);
  expect(sent.map(({ body }) => body.set ?? body.add)).toEqual([-1, 3]);
});

test('an entry is sent for the person who counted, and waits when somebody else is logged in or another server answers', async () => {
  const told: string[] = [];
  const outbox = entryOutbox('ann', 'count 4');
  answers = [
    Response.json({ code: 'not_signed_in' }, { status: 401 }),
    new Response('<h1>Sign in to the network of the hotel</h1>', { status: 403 }),
    new Response('<h1>Not found</h1>', { status: 404 }),
    counted(1),
  ];
  const stop = outbox.listen(toldTo(told));
  outbox.add(item, { add: 1 });
  await vi.advanceTimersByTimeAsync(10_000);
  stop();
  expect(told).toEqual(['counted 1']);
  expect(sent.map(({ user }) => user)).toEqual(['ann', 'ann', 'ann', 'ann']);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
});

test('entries of a session that was closed meanwhile are kept, and sent with a new key when it is open again', async () => {
  const told: string[] = [];
  const outbox = entryOutbox('ann', 'count 5');
  answers = [closed()];
  const stop = outbox.listen(toldTo(told));
  outbox.add(item, { add: 1 });
  outbox.add(item, { add: 2 });
  await vi.advanceTimersByTimeAsync(10);
  stop();
  expect([told, sent.length]).toEqual([['closed'], 1]);
  expect(unsentByCount('ann').get('count 5')).toBe(2);

  answers = [counted(1), counted(3)];
  const stopAgain = outbox.listen(toldTo(told));
  await vi.advanceTimersByTimeAsync(10);
  stopAgain();
  expect(told).toEqual(['closed', 'counted 1', 'counted 3']);
  expect(sent.map(({ body }) => body.add)).toEqual([1, 1, 2]);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(3);
  expect(unsentByCount('ann').has('count 5')).toBe(false);
});

test('entries of a closed session are tried again only when something happens in it, if its page is not open', async () => {
  const outbox = outboxOf('ann', 'count 12');
  answers = [closed()];
  outbox.add(item, { add: 1 });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent.length).toBe(1);
  outbox.retryIfClosed();
  outbox.retryIfClosed();
  answers = [counted(1)];
  await vi.advanceTimersByTimeAsync(60_000);
  expect([sent.length, unsentTotal.get()]).toEqual([2, 0]);
});

test('two tabs that are told that the session is closed keep an entry once', async () => {
  const [first, second] = [entryOutbox('ann', 'count 6'), entryOutbox('ann', 'count 6')];
  answers = [closed(), closed()];
  first.add(item, { add: 1 });
  second.send();
  await vi.advanceTimersByTimeAsync(10);
  expect(sent.length).toBe(2);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
  expect(unsentByCount('ann').get('count 6')).toBe(1);
});

test('two tabs that are told so at the same moment give the entry the same new key', async () => {
  const [first, second] = [entryOutbox('ann', 'count 13'), entryOutbox('ann', 'count 13')];
  const { promise, resolve } = Promise.withResolvers<Response>();
  answers = [closed(), promise];
  first.add(item, { add: 1 });
  second.send();
  const [name = ''] = countEntriesOf('ann');
  const entry = storedText(name) ?? '';
  await vi.advanceTimersByTimeAsync(10);
  expect(storedText(name)).toBe(null);
  // The second tab still sees what the first has just removed.
  storeText(name, entry);
  resolve(closed());
  await vi.advanceTimersByTimeAsync(10);
  expect(unsentByCount('ann').get('count 13')).toBe(1);
});

test('entries that were discarded are not sent', async () => {
  logOut();
  const outbox = outboxOf('ann', 'count 7');
  outbox.add(item, { add: 1 });
  outbox.add(otherItem, { set: 4 });
  outbox.add(item, { add: 1 });
  const entries = countEntriesOf('ann').map((name) => JSON.parse(storedText(name) ?? ''));
  outbox.discard(entries.filter(({ itemId }) => itemId === item.id));
  logOut = sendEntries('ann');
  expect(sent.map(({ body }) => body.set ?? body.add)).toEqual([4]);
  expect(unsentByCount('ann').get('count 7')).toBe(1);
});

test('an entry that the server cannot handle holds up only the same item', async () => {
  const told: string[] = [];
  const outbox = entryOutbox('ann', 'count 8');
  answers = [Response.json({ code: 'internal' }, { status: 500 }), counted(4), new Response('')];
  const stop = outbox.listen(toldTo(told));
  outbox.add(item, { add: 1 });
  outbox.add(item, { add: 2 });
  outbox.add(otherItem, { set: 4 });
  await vi.advanceTimersByTimeAsync(10);
  expect(told).toEqual(['counted 4']);
  await vi.advanceTimersByTimeAsync(3_000);
  answers = [counted(1), counted(3)];
  await vi.advanceTimersByTimeAsync(3_000);
  stop();
  expect(told).toEqual(['counted 4', 'counted 1', 'counted 3']);
  expect(sent.map(({ body }) => body.set ?? body.add)).toEqual([1, 4, 1, 1, 2]);
});

test('entries that this device has no room for are known, and the browser asks before the page is closed', async () => {
  const listeners = new Set<string>();
  vi.stubGlobal('addEventListener', (name: string) => void listeners.add(name));
  vi.stubGlobal('removeEventListener', (name: string) => void listeners.delete(name));
  const room: Record<string, string> = {};
  let isFull = false;
  vi.stubGlobal(
    'localStorage',
    new Proxy(room, {
      get: (_, method) => (name: string, text: string) => {
        if (method === 'getItem') return room[name] ?? null;
        if (method === 'removeItem') return delete room[name];
        if (isFull) throw new DOMException('full', 'QuotaExceededError');
        room[name] = text;
      },
    }),
  );
  const outbox = outboxOf('ann', 'count 14');
  outbox.add(item, { add: 1 });
  expect([unsentTotal.get(), unstoredTotal.get(), listeners.has('beforeunload')]).toEqual([1, 0, false]);
  isFull = true;
  outbox.add(item, { add: 1 });
  expect([unsentTotal.get(), unstoredTotal.get(), listeners.has('beforeunload')]).toEqual([2, 1, true]);
  answers = [counted(1), counted(2)];
  await vi.advanceTimersByTimeAsync(20_000);
  expect([unsentTotal.get(), unstoredTotal.get(), listeners.has('beforeunload')]).toEqual([0, 0, false]);
});
