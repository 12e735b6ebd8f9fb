import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompiledQuery } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requireIntactLedger } from '../../ledger/verify.ts';
import { aNewItem, anItem, itemNow, type Person, request, signedInAs, type TestApp, testApp } from '../../testing.ts';

const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#5a2748' } })
  .png()
  .toBuffer();

describe('when the file may not grow', () => {
  let shared: TestApp;
  let person: Person;
  beforeAll(async () => {
    shared = await testApp('SQLite');
    person = await signedInAs(shared);
  });
  afterAll(() => shared.close());

  /**
   * Limits the size of the database file. SQLite raises a lower limit to the current size, so 1 means that the file may
   * not grow at all.
   */
  const allow = (pages: number) =>
    shared.db.change((db) => db.executeQuery(CompiledQuery.raw(`pragma max_page_count = ${pages}`)));

  test('changes get 503, reads work, nothing is lost, and with free space again everything works', async () => {
    const item = await anItem(person, { quantity: 500 });
    const kept = new Set<string>();
    // These random texts are still waiting to be indexed when the disk becomes full.
    for (let n = 0; n < 40; n++)
      kept.add((await anItem(person, { description: randomBytes(100).toString('hex') }))._id);
    await allow(1);
    const refused: { key: string; body: Record<string, unknown> }[] = [];
    while (refused.length < 40) {
      const batch = Array.from({ length: 20 }, () => newRequest());
      const answers = await Promise.all(batch.map((one) => create(person, one)));
      for (const [index, answer] of answers.entries()) {
        if (answer.statusCode === 201) kept.add(answer.json()._id);
        else {
          expect([answer.statusCode, answer.headers['retry-after'], answer.json().code]).toEqual([
            503,
            '1',
            'unavailable',
          ]);
          expect(answer.headers['content-type']).toMatch('application/problem+json');
          refused.push(batch[index] ?? newRequest());
        }
      }
    }

    const last = [...kept].at(-1) ?? item._id;
    for (const path of [
      '/inventory-items',
      `/manage-inventory?_id=${item._id}`,
      '/history',
      '/insights/figures',
      '/healthz',
    ])
      expect([path, (await person.call('GET', path)).statusCode]).toEqual([path, 200]);
    // A text that could not be indexed is found by a scan.
    const found = await request(shared, 'GET', `/inventory-items?q=${last}`);
    expect([found.statusCode, found.json().length]).toEqual([200, 1]);
    expect((await person.call('GET', `/as-of?at=${new Date().toISOString()}&q=${last}`)).statusCode).toBe(200);

    await allow(1_000_000);
    const again = await Promise.all(refused.map((one) => create(person, one)));
    for (const answer of again) {
      expect(answer.statusCode).toBe(201);
      kept.add(answer.json()._id);
    }
    const { rows } = await shared.db.query.executeQuery<{ id: string }>(CompiledQuery.raw('select id from items'));
    expect(new Set(rows.map(({ id }) => id))).toEqual(new Set([item._id, ...kept]));
    await requireIntactLedger(shared.db.query);
  });
});

const canMount = process.getuid?.() === 0 && process.platform === 'linux';

describe.runIf(canMount)('on a small disk of its own (needs root to mount one)', () => {
  let disk: string;
  beforeAll(() => {
    disk = mkdtempSync(join(tmpdir(), 'perfume-full-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', disk]);
  });
  afterAll(() => {
    execFileSync('umount', ['--lazy', disk]);
    rmSync(disk, { recursive: true });
  });

  test('a disk that fills up under load loses no confirmed change, and /readyz reports it', async () => {
    const shared = await testApp('SQLite', { databaseUrl: join(disk, 'warehouse.sqlite') });
    try {
      const person = await signedInAs(shared);
      const item = await anItem(person, { quantity: 100_000 });
      const filler = join(disk, 'filler');
      const clicks = Array.from({ length: 60 }, () => randomUUID());
      const outcomes = await Promise.all(
        clicks.map(async (key, index) => {
          if (index === 20) fill(filler, disk);
          await new Promise((resolve) => setTimeout(resolve, index));
          return click(person, item._id, key);
        }),
      );
      const full = await Promise.all(Array.from({ length: 8 }, () => click(person, item._id, randomUUID())));
      expect(full.map(({ statusCode }) => statusCode)).toContain(503);
      expect((await request(shared, 'GET', '/readyz')).statusCode).toBe(503);
      expect((await request(shared, 'GET', '/inventory-items')).statusCode).toBe(200);
      const done = [...outcomes, ...full].filter(({ statusCode }) => statusCode === 200).length;
      expect((await itemNow(person, item._id))?.quantity).toBe(String(100_000 - done));

      rmSync(filler);
      expect((await request(shared, 'GET', '/readyz')).statusCode).toBe(200);
      for (const key of clicks) expect((await click(person, item._id, key)).statusCode).toBe(200);
      const more = full.filter(({ statusCode }) => statusCode === 200).length;
      expect((await itemNow(person, item._id))?.quantity).toBe(String(100_000 - clicks.length - more));
      await requireIntactLedger(shared.db.query);
    } finally {
      await shared.close();
    }
  });

  test('a picture that does not fit on the disk gets 503 and leaves no file behind', async () => {
    const shared = await testApp('SQLite', { dataDir: disk });
    try {
      const person = await signedInAs(shared);
      const upload = () =>
        shared.app.inject({
          method: 'POST',
          url: '/uploads',
          headers: { cookie: person.cookie, 'content-type': 'image/png' },
          payload: picture,
        });
      const filler = join(disk, 'filler');
      fill(filler, disk);
      const refused = await upload();
      expect([refused.statusCode, refused.headers['retry-after'], refused.json().code]).toEqual([
        503,
        '1',
        'unavailable',
      ]);
      rmSync(filler);
      expect((await upload()).statusCode).toBe(201);
    } finally {
      await shared.close();
    }
  });
});

function newRequest(): { key: string; body: Record<string, unknown> } {
  return { key: randomUUID(), body: aNewItem({ description: 'A deep iris. '.repeat(12) }) };
}

function create(person: Person, { key, body }: ReturnType<typeof newRequest>) {
  return person.call('POST', '/new-inventory-item', { body, headers: { 'idempotency-key': key } });
}

function click(person: Person, itemId: string, key: string) {
  return person.call('PUT', `/inventory-items/${itemId}`, {
    body: { quantity: '99' },
    headers: { 'stock-base': '100', 'idempotency-key': key },
  });
}

/** Fills the disk to the last byte. */
function fill(file: string, disk: string): void {
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(file, Buffer.alloc(bavail * bsize));
}
