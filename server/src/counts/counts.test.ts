import { randomUUID } from 'node:crypto';
import type { WireCount, WireCountLine } from '@perfume/contract/counts';
import type { WireItem } from '@perfume/contract/wire-item';
import { type CountEntry, differenceOf, lineOf, movedWhileCounted } from '@perfume/domain/counts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  anItem,
  deliver,
  itemNow,
  move,
  nextPage,
  onBothDatabases,
  type Person,
  signedInAs,
  type TestApp,
} from '../testing.ts';
import { LAST_SET } from './entries.store.ts';

// To try more: COUNTS=300 npm test -- --only http counts
const RUNS = Number(process.env.COUNTS ?? 6);

let ahead = 0;
const clock = () => Date.now() + ahead;

onBothDatabases('a count session', (shared) => countTests(shared), {}, { clock });

function countTests(shared: TestApp): void {
  test('adds up what several people scan at once, and knows who and what is left', async () => {
    const [ann, ben] = [await signedInAs(shared), await signedInAs(shared)];
    const [amber, cedar] = [await anOwnItem(ann, 5), await anOwnItem(ann, 1)];
    const count = await open(ann, { mine: true });
    expect(count).toMatchObject({ state: 'open', blind: true, mine: true, counted: 0 });
    await Promise.all([1, 2, 3, 4].map((scan) => add(scan % 2 ? ann : ben, count, amber)));
    const { figures, people } = (await ann.call('GET', `/counts/${count.id}`)).json();
    expect(figures).toEqual({
      uncounted: 1,
      counted: 1,
      differing: 1,
      unitsOver: 0,
      unitsShort: 1,
      valueCents: -14_800,
      toCheck: 0,
    });
    expect(people.map(({ by }: { by: { id: string } }) => by.id).sort()).toEqual([ann.user.id, ben.user.id].sort());
    expect((await lines(ben, count, 'uncounted')).map(({ item }) => item._id)).toEqual([cedar._id]);
    const [line] = await lines(ben, count, 'differences');
    expect(line).toMatchObject({ counted: 4, expected: 5, difference: -1, doubt: null });
    expect(line?.by.map(({ id }) => id).sort()).toEqual([ann.user.id, ben.user.id].sort());
  });

  test('counts a repeated request once, and takes an entry back once', async () => {
    const person = await signedInAs(shared);
    const item = await anOwnItem(person, 5);
    const count = await open(person, { mine: true });
    const headers = { 'idempotency-key': randomUUID() };
    const scan = () =>
      person.call('POST', `/counts/${count.id}/entries`, { body: { ids: [item._id, item._id], add: 3 }, headers });
    const first = await scan();
    expect((await scan()).body).toBe(first.body);
    const { entryId, counted } = first.json().results[0];
    expect(counted).toBe(3);
    expect(await add(person, count, item, -4)).toMatchObject({ ok: false, code: 'count_below_zero' });
    await add(person, count, item, 1);
    expect((await person.call('POST', `/count-entries/${entryId}/undo`)).json()).toEqual({ counted: 1 });
    expect((await person.call('POST', `/count-entries/${entryId}/undo`)).json().code).toBe('already_undone');
    const [line] = await lines(person, count, 'counted');
    expect(line).toMatchObject({ counted: 1, difference: -4 });
  });

  test('keeps what was delivered and restocked since, is posted once, and is undone as one', async () => {
    const [ann, ben] = [await signedInAs(shared), await signedInAs(shared)];
    const [short, over, right] = [await anOwnItem(ann, 10), await anOwnItem(ann, 4), await anOwnItem(ann, 7)];
    const count = await open(ann, { mine: true });
    for (const [item, counted] of [
      [short, 8],
      [over, 5],
      [right, 7],
    ] as const)
      await set(ann, count, item, counted);
    await deliver(ben, short._id);
    await move(ben, over._id, 'restock', 6);
    await ben.call('PUT', `/counts/${count.id}/lines`, {
      body: { ids: [short._id], reason: 'breakage', note: 'Fell from the shelf' },
    });
    const batch = randomUUID();
    const posts = await Promise.all([post(ann, count, batch), post(ben, count, randomUUID()), post(ann, count, batch)]);
    const codes = posts.map((answer) => answer.json().code ?? 'posted');
    expect(codes.filter((code) => code === 'posted').length).toBeGreaterThan(0);
    const won = (await ann.call('GET', `/counts/${count.id}`)).json<WireCount>();
    expect(won.state).toBe('posted');
    const quantities = () =>
      Promise.all([short, over, right].map(async ({ _id }) => Number((await itemNow(ann, _id))?.quantity)));
    expect(await quantities()).toEqual([7, 11, 7]);
    const history = (await ann.call('GET', `/history?item=${short._id}`)).json();
    expect(history[0]).toMatchObject({
      kind: 'correction',
      delta: -2,
      reason: 'breakage',
      note: 'Fell from the shelf',
      batch: won.batch,
    });
    expect((await ann.call('GET', `/history?item=${over._id}`)).json()[0]).toMatchObject({ reason: 'miscount' });
    expect((await post(ben, count, randomUUID())).json().code).toBe('count_closed');
    const late = await ben.call('POST', `/counts/${count.id}/entries`, { body: { ids: [short._id], add: 1 } });
    expect(late.json().code).toBe('count_closed');
    await ann.call('POST', `/batches/${won.batch}/undo`);
    expect(await quantities()).toEqual([9, 10, 7]);
  });

  test('asks a person where stock moved during the count or was corrected after it', async () => {
    const person = await signedInAs(shared);
    const [moved, corrected, kept, other] = [
      await anOwnItem(person, 9),
      await anOwnItem(person, 9),
      await anOwnItem(person, 9),
      await anOwnItem(person, 9),
    ];
    const count = await open(person, { mine: true });
    const doubts = async () =>
      Object.fromEntries((await lines(person, count, 'counted')).map(({ item, doubt }) => [item._id, doubt]));
    await add(person, count, moved, 2);
    await deliver(person, moved._id);
    await add(person, count, moved, 2);
    await set(person, count, corrected, 3);
    await set(person, count, kept, 3);
    await add(person, count, other, 1);
    await move(person, corrected._id, 'correction', -6);
    const taken = await deliver(person, kept._id);
    await person.call('POST', `/movements/${taken}/undo`);
    expect(await doubts()).toEqual({
      [moved._id]: 'moved',
      [corrected._id]: 'corrected',
      [kept._id]: null,
      [other._id]: null,
    });
    expect((await post(person, count)).json().code).toBe('count_unsettled');
    const [line] = (await lines(person, count, 'check')).filter(({ doubt }) => doubt === 'moved');
    expect(line?.movements).toMatchObject([{ kind: 'deliver', delta: -1 }]);
    // Somebody still scans this item while one is delivered.
    await deliver(person, other._id);
    expect((await doubts())[other._id]).toBe('moved');
    await set(person, count, other, 8);
    await set(person, count, moved, 5);
    const decide = (decision: string, item: WireItem) =>
      person.call('PUT', `/counts/${count.id}/lines`, { body: { ids: [item._id], decision } });
    await decide('leave', corrected);
    expect((await lines(person, count, 'check')).length).toBe(0);
    await decide('post', kept);
    await move(person, kept._id, 'correction', 1);
    expect((await doubts())[kept._id]).toBe('corrected');
    await decide('post', kept);
    expect((await post(person, count)).json()).toMatchObject({ left: 0 });
    const now = async (item: WireItem) => Number((await itemNow(person, item._id))?.quantity);
    expect([await now(moved), await now(corrected), await now(kept), await now(other)]).toEqual([5, 3, 4, 8]);
  });

  test('compares an entry that waited for a connection with the ledger of its time', async () => {
    const person = await signedInAs(shared);
    const item = await anOwnItem(person, 9);
    const count = await open(person, { mine: true });
    ahead += 60_000;
    await deliver(person, item._id);
    await entry(person, count, { ids: [item._id], set: 8 }, { 'counted-ago': '60000' });
    expect(await lines(person, count, 'counted')).toMatchObject([{ counted: 8, expected: 9, difference: -1 }]);
    await post(person, count);
    expect((await itemNow(person, item._id))?.quantity).toBe('7');
  });

  test('finds the last number that was set without reading all entries of the item', async () => {
    if (shared.database !== 'SQLite') return;
    const plan = await shared.db.longQuery<{ detail: string }>(`explain query plan ${LAST_SET}`, ['', '', '']);
    expect(plan[0]?.detail).toContain('USING INDEX count_entries_sets');
  });

  test('refuses an entry that waited while somebody counted the item again, and keeps the order of one device', async () => {
    const person = await signedInAs(shared);
    const item = await anOwnItem(person, 10);
    const count = await open(person, { mine: true });
    ahead += 600_000;
    const late = async (body: object, agoMs: number) =>
      (await entry(person, count, { ids: [item._id], ...body }, { 'counted-ago': String(agoMs) })).code ?? 'ok';
    expect([await late({ set: 8 }, 90_000), await late({ add: 1 }, 80_000), await late({ set: 7 }, 70_000)]).toEqual([
      'ok',
      'ok',
      'ok',
    ]);
    await entry(person, count, { ids: [item._id], set: 10 });
    expect([await late({ set: 8 }, 60_000), await late({ add: 1 }, 60_000)]).toEqual([
      'count_overtaken',
      'count_overtaken',
    ]);
    expect([await late({ add: 2 }, 2_500), (await lines(person, count, 'counted'))[0]?.counted]).toEqual(['ok', 12]);
  });

  test('finds the quantity of any time among many movements', async () => {
    const person = await signedInAs(shared);
    ahead += 1_000_000;
    const item = await anOwnItem(person, 20);
    const count = await open(person, { mine: true });
    // Two deliveries at each time.
    const start = ahead;
    for (let n = 1; n <= 6; n++) {
      ahead += 60_000;
      await deliver(person, item._id);
      await deliver(person, item._id);
    }
    for (let n = 0; n <= 6; n++) {
      const ago = ahead - start - n * 60_000 - 30_000;
      await entry(person, count, { ids: [item._id], set: 1 }, { 'counted-ago': String(Math.max(0, ago)) });
      const [line] = await lines(person, count, 'counted');
      expect([n, line?.expected]).toEqual([n, 20 - 2 * n]);
    }
    // From before its first movement, an entry is compared with the present.
    await entry(person, count, { ids: [item._id], set: 1 }, { 'counted-ago': '3600000' });
    expect(await lines(person, count, 'counted')).toMatchObject([{ expected: 8 }]);
  });

  test('lists the differences that could not be posted, and why', async () => {
    const person = await signedInAs(shared);
    const [gone, sold] = [await anOwnItem(person, 9), await anOwnItem(person, 9)];
    const count = await open(person, { mine: true });
    for (const item of [gone, sold]) await set(person, count, item, 2);
    await person.call('DELETE', `/inventory-items/${gone._id}`);
    await move(person, sold._id, 'deliver', 5);
    const { results } = (await post(person, count)).json();
    expect(results.find(({ _id }: WireItem) => _id === gone._id)).toMatchObject({ code: 'item_deleted' });
    expect(results.find(({ _id }: WireItem) => _id === sold._id)).toMatchObject({ code: 'out_of_stock', onHand: 4 });
    const refused = await lines(person, count, 'refused');
    expect(refused.map(({ outcome }) => outcome).sort()).toEqual(['item_deleted', 'out_of_stock']);
    expect((await itemNow(person, sold._id))?.quantity).toBe('4');
  });

  test('takes entries back as the rule says, whatever came before and after', async () => {
    const person = await signedInAs(shared);
    const step = fc.oneof(
      fc.record({ add: fc.integer({ min: -2, max: 5 }) }),
      fc.record({ set: fc.nat(9) }),
      fc.record({ undo: fc.nat(6) }),
      fc.constant('restock' as const),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
        const item = await anOwnItem(person, 0);
        const count = await open(person, { mine: true, q: 'no such item' });
        const ledger = { seq: 1, quantity: 0 };
        let standing: (CountEntry & { id: string })[] = [];
        for (const step of steps) {
          if (step === 'restock') {
            await move(person, item._id, 'restock', 1);
            ledger.seq += 1;
            ledger.quantity += 1;
          } else if ('undo' in step) {
            const undone = standing[step.undo];
            if (!undone) continue;
            const left = standing.filter((entry) => entry !== undone);
            const answer = await person.call('POST', `/count-entries/${undone.id}/undo`);
            expect(answer.statusCode).toBe((lineOf(left)?.counted ?? 0) < 0 ? 409 : 200);
            if (answer.statusCode === 200) standing = left;
          } else {
            const { ok, entryId } = await entry(person, count, { ids: [item._id], ...step });
            const [kind, units] = 'set' in step ? (['set', step.set] as const) : (['add', step.add] as const);
            if (ok) standing.push({ id: entryId, kind, units, ...ledger });
          }
        }
        const expected = lineOf(standing);
        const [line] = await lines(person, count, 'counted');
        expect(line?.counted).toBe(expected?.counted);
        expect(line?.difference).toBe(expected ? differenceOf(expected) : undefined);
        if (expected) expect(line?.doubt).toBe(movedWhileCounted(expected, ledger.seq) ? 'moved' : null);
        const cancelled = await person.call('PUT', `/counts/${count.id}`, { body: { state: 'cancelled' } });
        expect(cancelled.json<WireCount>().counted).toBe(expected ? 1 : 0);
      }),
      {
        numRuns: RUNS,
        examples: [
          [[{ add: 1 }, { undo: 0 }]],
          [[{ add: 2 }, 'restock', { set: 4 }, { add: 1 }, { undo: 2 }]],
          [[{ add: 2 }, { set: 4 }, 'restock', { add: 1 }, { undo: 1 }]],
        ],
      },
    );
  });

  test('takes a limited number of entries per item, and names a limited number of people', async () => {
    const person = await signedInAs(shared);
    const item = await anOwnItem(person, 5);
    const count = await open(person, { mine: true });
    const { entryId } = await add(person, count, item, 2);
    const entries = Array.from({ length: 30 }, (_, index) => ({
      id: `${count.id} ${index}`,
      session_id: count.id,
      item_id: item._id,
      seq: 9_971 + index,
      kind: 'add' as const,
      units: 1,
      stock_seq: 1,
      quantity: 5,
      actor_id: `person ${index}`,
      actor_name: 'Ann',
      at: 1,
      undoes: null,
    }));
    await shared.db.change((db) => db.insertInto('count_entries').values(entries).execute());
    expect(await add(person, count, item)).toMatchObject({ ok: false, code: 'count_line_full' });
    expect((await lines(person, count, 'counted'))[0]?.by.length).toBe(20);
    expect((await person.call('POST', `/count-entries/${entryId}/undo`)).json()).toEqual({ counted: 30 });
  });

  test('says who reviewed an item, and who renamed, cancelled or reopened the session', async () => {
    const [ann, ben] = [await signedInAs(shared), await signedInAs(shared)];
    const item = await anOwnItem(ann, 5);
    const count = await open(ann, { mine: true });
    await set(ann, count, item, 4);
    expect(await lines(ann, count, 'counted')).toMatchObject([{ reviewedBy: null, reviewedAt: null }]);
    expect(count).toMatchObject({ changedBy: null, changedAt: null });
    await ben.call('PUT', `/counts/${count.id}/lines`, { body: { ids: [item._id], reason: 'theft' } });
    expect(await lines(ann, count, 'counted')).toMatchObject([
      { reviewedBy: { id: ben.user.id, name: ben.user.name } },
    ]);
    for (const state of ['cancelled', 'open']) {
      const changed = (await ben.call('PUT', `/counts/${count.id}`, { body: { state } })).json<WireCount>();
      expect(changed).toMatchObject({ state, changedBy: { id: ben.user.id }, counted: 1 });
    }
  });

  test('is posted under a batch of its own, whatever others did with that batch', async () => {
    const [ann, eve] = [await signedInAs(shared), await signedInAs(shared)];
    const item = await anOwnItem(ann, 5);
    const counted = async (units: number) => {
      const count = await open(ann, { mine: true });
      await set(ann, count, item, units);
      return count;
    };
    const [first, second] = [randomUUID(), randomUUID()];
    expect((await post(ann, await counted(4), first)).json()).toMatchObject({ left: 0, results: [{ ok: true }] });
    const count = await counted(3);
    const used = await post(eve, count, first);
    expect([used.statusCode, used.json().code]).toEqual([409, 'batch_used']);
    expect((await ann.call('GET', `/counts/${count.id}`)).json()).toMatchObject({ state: 'open', batch: null });
    // A bulk action derives its ids from its key.
    await eve.call('POST', '/bulk', {
      body: { batch: randomUUID(), action: 'restock', ids: [item._id] },
      headers: { 'idempotency-key': second },
    });
    expect((await post(eve, count, second)).json()).toMatchObject({ left: 0, results: [{ ok: true }] });
    expect((await itemNow(ann, item._id))?.quantity).toBe('4');
  });

  test('is cancelled and opened again, and pages its lists', async () => {
    const person = await signedInAs(shared);
    const items = await Promise.all([1, 2, 3, 4, 5].map((quantity) => anOwnItem(person, quantity)));
    const count = await open(person, { mine: true, q: "d'encre", stock: 'in' });
    const change = (body: object) => person.call('PUT', `/counts/${count.id}`, { body });
    expect((await change({ state: 'cancelled' })).json()).toMatchObject({ state: 'cancelled' });
    expect(await add(person, count, items[0] as WireItem)).toBeUndefined();
    expect((await change({ state: 'open', name: 'Shelf 3' })).json()).toMatchObject({ state: 'open', name: 'Shelf 3' });
    for (const show of ['uncounted', 'counted']) {
      const seen: string[] = [];
      for (let url: string | null = `/counts/${count.id}/lines?show=${show}&limit=2`; url; ) {
        const page = await person.call('GET', url);
        seen.push(...page.json<WireCountLine[]>().map(({ item }) => item._id));
        url = nextPage(page);
      }
      expect(seen.sort()).toEqual(items.map(({ _id }) => _id).sort());
      const ids = items.map(({ _id }) => _id);
      await person.call('POST', `/counts/${count.id}/entries`, { body: { ids, set: 0 } });
    }
    const openOne = () => person.call('POST', '/counts', { body: { name: 'One more' } });
    await Promise.all(Array.from({ length: 20 }, openOne));
    expect((await openOne()).json().code).toBe('too_many_counts');
  });

  test('of random scans and movements by two people at once ends at the bottles on the shelf', async () => {
    const people = [await signedInAs(shared), await signedInAs(shared)];
    const step = fc.constantFrom('scan', 'scan', 'scan', 'deliver', 'restock');
    await fc.assert(
      fc.asyncProperty(fc.nat(4), fc.nat(4), fc.array(fc.tuple(step, step), { maxLength: 5 }), async (...run) => {
        const [bottles, recorded, rounds] = run;
        const [ann, ben] = people as [Person, Person];
        const item = await anOwnItem(ann, recorded);
        const count = await open(ann, { mine: true });
        /** Each bottle on the shelf: whether somebody scanned it, and whether somebody is scanning it now. */
        const newBottle = () => ({ scanned: false, inHand: false });
        const shelf = Array.from({ length: bottles }, newBottle);
        const perform = async (person: Person, what: string) => {
          const next = shelf.find(({ scanned }) => !scanned);
          const free = shelf.findIndex(({ inHand }) => !inHand);
          if (what === 'scan' && next) {
            Object.assign(next, { scanned: true, inHand: true });
            await add(person, count, item);
            next.inHand = false;
          } else if (what === 'deliver' && free >= 0) {
            const [taken] = shelf.splice(free, 1);
            const answer = await move(person, item._id, 'deliver', 1);
            // The ledger has none left, so the bottle goes back.
            if (answer.statusCode !== 201 && taken) shelf.push(taken);
          } else if (what === 'restock') {
            shelf.push(newBottle());
            await move(person, item._id, 'restock', 1);
          }
        };
        for (const [one, two] of rounds) await Promise.all([perform(ann, one), perform(ben, two)]);
        while (shelf.some(({ scanned }) => !scanned)) await perform(ann, 'scan');
        const [line] = (await lines(ann, count, 'counted')).filter((one) => one.item._id === item._id);
        if (line === undefined || line.doubt !== null) await set(ben, count, item, shelf.length);
        await Promise.all([post(ann, count), post(ben, count)]);
        expect(Number((await itemNow(ann, item._id))?.quantity)).toBe(shelf.length);
        const { batch } = (await ann.call('GET', `/counts/${count.id}`)).json();
        const ledger = (await ann.call('GET', `/inventory-items/${item._id}/movements`)).json();
        const correction = ledger.find(({ kind }: { kind: string }) => kind === 'correction')?.delta ?? 0;
        await ben.call('POST', `/batches/${batch}/undo`);
        expect(Number((await itemNow(ann, item._id))?.quantity)).toBe(shelf.length - correction);
      }),
      { numRuns: RUNS },
    );
  });
}

function anOwnItem(person: Person, quantity: number): Promise<WireItem> {
  return anItem(person, { quantity, email: person.user.email });
}

async function open(person: Person, filter: object): Promise<WireCount> {
  const answer = await person.call('POST', '/counts', { body: { name: 'Count of today', ...filter } });
  expect(answer.statusCode).toBe(201);
  return answer.json();
}

async function entry(person: Person, count: WireCount, body: object, more: Record<string, string> = {}) {
  const headers = { 'idempotency-key': randomUUID(), ...more };
  const answer = await person.call('POST', `/counts/${count.id}/entries`, { body, headers });
  return answer.json().results?.[0];
}

function add(person: Person, count: WireCount, item: WireItem, units = 1) {
  return entry(person, count, { ids: [item._id], add: units });
}

function set(person: Person, count: WireCount, item: WireItem, units: number) {
  return entry(person, count, { ids: [item._id], set: units });
}

async function lines(person: Person, count: WireCount, show: string): Promise<WireCountLine[]> {
  return (await person.call('GET', `/counts/${count.id}/lines?show=${show}&limit=100`)).json();
}

function post(person: Person, count: WireCount, batch: string = randomUUID()) {
  return person.call('POST', `/counts/${count.id}/post`, { body: { batch } });
}
