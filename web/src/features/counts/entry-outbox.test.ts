import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { entryOutbox, type SentEntry } from './entry-outbox.ts';

type Request = { key: string; user: string | null; age: string | null; body: { add?: number; set?: number } };
let sent: Request[];
let answers: (Response | 'lost')[];

const item = { id: '0190a000-0000-7000-8000-000000000001', name: 'Nuit' };
const counted = (units: number) =>
  Response.json({ results: [{ _id: item.id, ok: true, entryId: `entry ${units}`, counted: units }] });
const refused = () => Response.json({ results: [{ _id: item.id, ok: false, code: 'count_below_zero' }] });
const toldTo = (told: string[]) => ({
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
