import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { entryOutbox, type SentEntry, unsentByCount } from './entry-outbox.ts';

type Request = { key: string; user: string | null; age: string | null; body: { add?: number; set?: number } };
let sent: Request[];
let answers: (Response | 'lost')[];

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
    const answer = answers.shift() ?? 'lost';
    if (answer === 'lost') throw new TypeError('Failed to fetch');
    return answer;
  });
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('removeEventListener', () => {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('an entry without an answer outlives the page, keeps its key and says how old it is', async () => {
  const before = entryOutbox('ann', 'count 1');
  const stop = before.start(toldTo([]));
  before.add(item, { add: 1 });
  await vi.advanceTimersByTimeAsync(3_500);
  expect(sent.length).toBe(2);
  stop();
  await vi.advanceTimersByTimeAsync(60_000);

  const told: string[] = [];
  answers = [counted(1)];
  const after = entryOutbox('ann', 'count 1');
  const stopAfter = after.start(toldTo(told));
  await vi.advanceTimersByTimeAsync(10);
  stopAfter();
  expect(told).toEqual(['counted 1']);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
  expect([sent[0]?.age, Number(sent[2]?.age)]).toEqual([null, 63_500]);
  entryOutbox('ann', 'count 1').start(toldTo(told))();
  expect(sent.length).toBe(3);
});

test('entries are sent in order, one after the other; a refused one is told and does not hold up the rest', async () => {
  const told: string[] = [];
  const outbox = entryOutbox('ann', 'count 2');
  answers = [refused(), counted(3)];
  const stop = outbox.start(toldTo(told));
  outbox.add(item, { add: -1 });
  outbox.add(item, { set: 3 });
  expect(sent.length).toBe(1);
  await vi.advanceTimersByTimeAsync(10);
  stop();
  expect(told).toEqual(['count_below_zero', 'counted 3']);
  expect(sent.map(({ body }) => body.set ?? body.add)).toEqual([-1, 3]);
});

test('an entry of one person is not sent by another on the same device', async () => {
  const stop = entryOutbox('ann', 'count 3').start(toldTo([]));
  stop();
  entryOutbox('ann', 'count 3').add(item, { add: 1 });
  entryOutbox('ben', 'count 3').start(toldTo([]))();
  expect(sent).toEqual([]);
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
  const stop = outbox.start(toldTo(told));
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
  outbox.add(item, { add: 1 });
  outbox.add(item, { add: 2 });
  answers = [closed()];
  const stop = outbox.start(toldTo(told));
  await vi.advanceTimersByTimeAsync(10);
  stop();
  expect([told, sent.length]).toEqual([['closed'], 1]);
  expect(unsentByCount('ann').get('count 5')).toBe(2);

  answers = [counted(1), counted(3)];
  const stopAgain = outbox.start(toldTo(told));
  await vi.advanceTimersByTimeAsync(10);
  stopAgain();
  expect(told).toEqual(['closed', 'counted 1', 'counted 3']);
  expect(sent.map(({ body }) => body.add)).toEqual([1, 1, 2]);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(3);
  expect(unsentByCount('ann').has('count 5')).toBe(false);
});

test('two tabs that are told that the session is closed keep an entry once', async () => {
  entryOutbox('ann', 'count 6').add(item, { add: 1 });
  const tabs = [entryOutbox('ann', 'count 6'), entryOutbox('ann', 'count 6')];
  answers = [closed(), closed()];
  const stops = tabs.map((tab) => tab.start(toldTo([])));
  await vi.advanceTimersByTimeAsync(10);
  for (const stop of stops) stop();
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
  expect(unsentByCount('ann').get('count 6')).toBe(1);
});

test('entries that were discarded are not sent', async () => {
  const outbox = entryOutbox('ann', 'count 7');
  outbox.add(item, { add: 1 });
  outbox.add(otherItem, { set: 4 });
  outbox.add(item, { add: 1 });
  outbox.discard(item.id);
  outbox.start(toldTo([]))();
  expect(sent.map(({ body }) => body.set ?? body.add)).toEqual([4]);
  expect(unsentByCount('ann').get('count 7')).toBe(1);
});

test('an entry that the server cannot handle holds up only the same item', async () => {
  const told: string[] = [];
  const outbox = entryOutbox('ann', 'count 8');
  outbox.add(item, { add: 1 });
  outbox.add(item, { add: 2 });
  outbox.add(otherItem, { set: 4 });
  answers = [Response.json({ code: 'internal' }, { status: 500 }), counted(4), new Response('')];
  const stop = outbox.start(toldTo(told));
  await vi.advanceTimersByTimeAsync(10);
  expect(told).toEqual(['counted 4']);
  await vi.advanceTimersByTimeAsync(3_000);
  answers = [counted(1), counted(3)];
  await vi.advanceTimersByTimeAsync(3_000);
  stop();
  expect(told).toEqual(['counted 4', 'counted 1', 'counted 3']);
  expect(sent.map(({ body }) => body.set ?? body.add)).toEqual([1, 4, 1, 1, 2]);
});
