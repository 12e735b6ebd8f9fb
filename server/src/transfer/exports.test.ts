import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { WireEntry } from '@perfume/contract/history';
import { newItemBody, toNewItem } from '@perfume/contract/items';
import type { WireImport } from '@perfume/contract/transfer';
import type { WireItem } from '@perfume/contract/wire-item';
import sharp from 'sharp';
import { describe, expect, test, vi } from 'vitest';
import { ZipFile } from 'yazl';
import { unzip } from '../../testing/unzip.ts';
import { newId } from '../db/core/ids.ts';
import { SHARED_HOUSE } from '../db/core/shared-house.ts';
import { createInTransaction } from '../items/items.store.ts';
import {
  aNewItem,
  anItem,
  deliver,
  edit,
  move,
  onBothDatabases,
  type Person,
  signedInAs,
  type TestApp,
  testApp,
} from '../testing.ts';
import { picturesIn, readTable } from './read-table.ts';
import { workbookOf } from './workbook-writer.ts';
import { archiveOf } from './zip.ts';

const HEAD = [
  'name',
  'supplier',
  'quantity',
  'price',
  'sku',
  'barcodes',
  'reorder point',
  'description',
  'image',
  'e-mail',
  'id',
];
const FORMATS = ['csv', 'xlsx', 'jsonl'] as const;

onBothDatabases('an export', (shared) => exportTests(shared));

function exportTests(shared: TestApp): void {
  test('is imported by an empty server, which exports the same files', async () => {
    const person = await signedInAs(shared);
    const picture = await aPicture(person);
    const hostile = [
      { name: '=1+1', sku: "'=sku", barcodes: ['a;b', 'c|d'] },
      { name: "'-quoted", sku: `x${aWord()}`, barcodes: ['only;one'] },
      { name: `"Rose", 3; <b>&amp;</b> _x0041_ ${'\u00e9'}`, quantity: 0, price: 0 },
      { name: 'عطر', price: 10_000_000, quantity: 1_000_000_000, description: `Lines\n\n  spaces  ${'x'.repeat(60)}` },
      { name: 'With a picture', img: picture, barcodes: ['4006381333931'] },
      { name: 'Elsewhere', img: 'https://example.com/a,b.jpg?x="1"'.replaceAll('"', '') },
    ];
    for (const changes of hostile) await anItem(person, changes);
    const low = await anItem(person, { name: 'Low' });
    await edit(person, low._id, { reorderPoint: 7 });
    await deliver(person, low._id);
    const files = await exportAll(person);
    const archive = (await person.call('GET', '/exports/house')).rawPayload;

    for (const file of [files.csv, files.xlsx, archive]) {
      const empty = await testApp(shared.database);
      try {
        const other = await signedInAs(empty);
        // The archive brings the picture itself.
        if (file !== archive) expect(await aPicture(other)).toBe(picture);
        const done = await importRows(other, file);
        expect(done.problems).toEqual([]);
        expect(await exportAll(other)).toEqual(files);
        const again = unzip((await other.call('GET', '/exports/house')).rawPayload);
        expect([...again].slice(0, 2)).toEqual([...unzip(archive)].slice(0, 2));
      } finally {
        await empty.close();
      }
    }
  }, 60_000);

  test('has the items that the filter shows, in its order', async () => {
    const person = await signedInAs(shared);
    const word = aWord();
    const first = await anItem(person, { name: `B ${word}`, quantity: 0 });
    const second = await anItem(person, { name: `A ${word}`, quantity: 3, price: 12.5, sku: word });
    await anItem(person, { name: 'Another' });

    const csv = await person.call('GET', `/exports/items?format=csv&q=${word}`);
    expect(csv.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringMatching(/^attachment; filename="items-\d{4}-\d\d-\d\d\.csv"$/),
      'cache-control': 'no-store',
    });
    expect(csv.body).toMatch(/^\ufeff"name","supplier",/);
    expect(rowsOf(csv.rawPayload)).toEqual([HEAD, rowOf(first), rowOf(second)]);

    const sorted = await person.call('GET', `/exports/items?format=xlsx&q=${word}&sort=name`);
    expect(rowsOf(sorted.rawPayload).map(([name]) => name)).toEqual(['name', `A ${word}`, `B ${word}`]);
    const inStock = await person.call('GET', `/exports/items?format=jsonl&q=${word}&stock=in`);
    expect(inStock.headers['content-type']).toBe('application/jsonl; charset=utf-8');
    const { version: _, createdAt, updatedAt, lowAt, ...fields } = second;
    expect(linesOf(inStock.body)).toEqual([fields]);
    expect(Object.keys(linesOf(inStock.body)[0] as object)).toHaveLength(HEAD.length);
  });

  test('has the items as they were', async () => {
    const person = await signedInAs(shared);
    const word = aWord();
    const { _id } = await anItem(person, { name: word, quantity: 9 });
    const then = new Date().toISOString();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await deliver(person, _id);
    const past = await person.call('GET', `/exports/items?format=jsonl&q=${word}&at=${then}`);
    expect(linesOf(past.body)).toMatchObject([{ _id, quantity: '9' }]);
    const both = await person.call('GET', `/exports/items?format=csv&at=${then}&email=${person.user.email}`);
    expect(both.statusCode).toBe(400);
  });

  test('has only the own items where only they are shown', async () => {
    const person = await signedInAs(shared);
    await anItem(await signedInAs(shared));
    const { _id } = await anItem(person, { email: person.user.email });
    const mine = await person.call('GET', `/exports/items?format=jsonl&email=${encodeURIComponent(person.user.email)}`);
    expect(linesOf<WireItem>(mine.body).map((item) => item._id)).toEqual([_id]);
    expect((await person.call('GET', '/exports/items?format=csv&email=other@house.example')).statusCode).toBe(403);
  });

  test('is refused without a login, and without a format', async () => {
    const person = await signedInAs(shared);
    expect((await shared.app.inject({ method: 'GET', url: '/exports/items?format=csv' })).statusCode).toBe(401);
    for (const path of ['/exports/items', '/exports/history?format=pdf', '/exports/sellers?format=csv&order=best'])
      expect((await person.call('GET', path)).statusCode).toBe(400);
  });

  test('of more than a page has every item once', async () => {
    const person = await signedInAs(shared);
    const word = aWord();
    const names = Array.from({ length: 503 }, (_, number) => `${word} ${String(number).padStart(3, '0')}`);
    const item = toNewItem(newItemBody.parse(aNewItem()));
    const actor = { id: person.user.id, name: person.user.name };
    await shared.db.change(async (db) => {
      for (const [index, name] of names.entries())
        await createInTransaction(db, { house: SHARED_HOUSE, id: newId(index), item: { ...item, name }, actor, at: 1 });
    });
    for (const sort of ['name', '-newest', 'price']) {
      const { rawPayload } = await person.call('GET', `/exports/items?format=xlsx&q=${word}&sort=${sort}`);
      expect(
        rowsOf(rawPayload)
          .slice(1)
          .map(([name]) => name),
      ).toEqual(names);
    }
  });

  test('of the history has its entries', async () => {
    const person = await signedInAs(shared);
    const { _id } = await anItem(person, { name: 'Iris', quantity: 5, barcodes: [] });
    await deliver(person, _id);
    await edit(person, _id, { name: 'Iris, poudrée', barcodes: ['A1', 'B2'] });
    await move(person, _id, 'correction', -2);
    const listed = (await person.call('GET', `/history?item=${_id}`)).json() as WireEntry[];
    const lines = await person.call('GET', `/exports/history?format=jsonl&item=${_id}`);
    expect(linesOf(lines.body)).toEqual(listed);
    const csv = rowsOf((await person.call('GET', `/exports/history?format=csv&item=${_id}`)).rawPayload);
    expect(csv.map(([, kind, item, difference, onHand]) => [kind, item, difference, onHand])).toEqual(
      [
        ['kind', 'item', 'difference', 'on hand'],
        ['correction', 'Iris, poudrée', "'-2", '2'],
        ['edited', 'Iris, poudrée', '', ''],
        ['deliver', 'Iris, poudrée', "'-1", '4'],
        ['opening', 'Iris, poudrée', '5', '5'],
      ].map((row) => row.map((cell) => cell.replace(/^'/, ''))),
    );
    expect(csv[2]?.[7]).toBe('name: Iris → Iris, poudrée\nbarcodes:  → A1,B2');
    const deliveries = await person.call('GET', `/exports/history?format=xlsx&item=${_id}&kind=deliver`);
    expect(rowsOf(deliveries.rawPayload)).toHaveLength(2);
  });

  test('of the figures has what the page shows', async () => {
    const person = await signedInAs(shared);
    const supplier = aWord();
    const sold = await anItem(person, { name: 'Sold', suplierName: supplier, quantity: 5, price: 2 });
    await anItem(person, { name: 'Unsold', suplierName: supplier, quantity: 3, price: 4 });
    await deliver(person, sold._id);
    const table = async (path: string) => rowsOf((await person.call('GET', path)).rawPayload);
    const sellers = await table(`/exports/sellers?format=csv&supplier=${supplier}`);
    expect(sellers.map(([name, , delivered]) => [name, delivered])).toEqual([
      ['name', 'delivered'],
      ['Sold', '1'],
    ]);
    const suppliers = await table('/exports/suppliers?format=xlsx');
    expect(suppliers.find(([name]) => name === supplier)).toEqual([supplier, '2', '7', '20', '1']);
    const series = await person.call('GET', `/exports/series?format=jsonl&supplier=${supplier}`);
    expect(linesOf(series.body).at(-1)).toMatchObject({ unitsOnHand: 7, valueCents: 2_000, delivered: 1 });
    const dead = await person.call('GET', `/exports/dead-stock?format=csv&days=1&supplier=${supplier}`);
    expect(dead.headers['content-disposition']).toContain('dead-stock-1-days');
    expect(dead.body).toMatch(/^\ufeff"name","supplier","on hand","stock value","last delivered","idle days","id"/);
  });

  test('of everything is an archive with the items, their pictures and the history', async () => {
    const person = await signedInAs(shared);
    const picture = await aPicture(person);
    const { _id } = await anItem(person, { img: picture });
    const answer = await person.call('GET', '/exports/house');
    expect(answer.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': expect.stringMatching(/"warehouse-[\d-]+\.zip"$/),
    });
    const files = unzip(answer.rawPayload);
    expect([...files.keys()]).toEqual(['items.csv', `pictures/${picture.split('/').at(-1)}`, 'history.jsonl']);
    const items = await person.call('GET', '/exports/items?format=csv');
    expect(files.get('items.csv')).toEqual(items.rawPayload);
    expect(files.get(`pictures/${picture.split('/').at(-1)}`)).toEqual((await person.call('GET', picture)).rawPayload);
    const history = linesOf<WireEntry>(files.get('history.jsonl')?.toString() ?? '');
    expect(history[0]).toMatchObject({ itemId: _id, kind: 'opening' });
  });

  test('ends when the person has logged out meanwhile', async () => {
    const person = await signedInAs(shared);
    const { db } = shared;
    const read = db.longQuery;
    const spy = vi.spyOn(db, 'longQuery').mockImplementation(async (...given) => {
      await person.call('POST', '/api/auth/sign-out');
      return read(...given);
    });
    // Each moment is long after the one before.
    let moment = 0;
    const time = vi.spyOn(performance, 'now').mockImplementation(() => (moment += 60_000));
    const answer = await person.call('GET', '/exports/history?format=jsonl&kind=deliver');
    time.mockRestore();
    spy.mockRestore();
    expect(answer.json().code).toBe('not_signed_in');
  });

  test('that waits for its turn is refused if the person has logged out by then', async () => {
    const person = await signedInAs(shared);
    const { db } = shared;
    const read = db.longQuery;
    const gate = Promise.withResolvers<void>();
    const spy = vi.spyOn(db, 'longQuery').mockImplementation(async (...given) => {
      await gate.promise;
      return read(...given);
    });
    const ask = () => person.call('GET', '/history?kind=deliver');
    // A person has two places for long questions.
    const running = [ask(), ask()];
    await vi.waitFor(() => expect(spy.mock.calls.length).toBeGreaterThanOrEqual(2));
    const waiting = ask();
    await person.call('POST', '/api/auth/sign-out');
    const time = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
    gate.resolve();
    expect((await waiting).json().code).toBe('not_signed_in');
    time.mockRestore();
    spy.mockRestore();
    await Promise.all(running);
  });

  test('is not made for a request that only asks for the headers', async () => {
    const person = await signedInAs(shared);
    const spy = vi.spyOn(shared.db, 'longQuery');
    for (const format of FORMATS) {
      const { cookie } = person;
      const url = `/exports/history?format=${format}&kind=deliver`;
      const answer = await shared.app.inject({ method: 'HEAD', url, headers: { cookie } });
      expect([answer.statusCode, answer.body]).toEqual([200, '']);
      expect(answer.headers['content-disposition']).toContain(`.${format}`);
    }
    expect(spy).not.toHaveBeenCalled();
    spy.mockRestore();
  });

  test('that cannot be read is an error, and not the end of the server', async () => {
    const person = await signedInAs(shared);
    await anItem(person);
    const { db } = shared;
    const spy = vi.spyOn(db, 'longQuery').mockRejectedValue(new Error('the disk is gone'));
    for (const format of FORMATS) {
      const answer = person.call('GET', `/exports/history?format=${format}&kind=deliver`);
      // What has begun is broken off.
      expect(await answer.then(({ statusCode }) => statusCode).catch(() => 500)).toBe(500);
    }
    spy.mockRestore();
    expect((await person.call('GET', '/exports/history?format=csv&kind=deliver')).statusCode).toBe(200);
  });
}

describe('an archive', () => {
  test('closes its files when its reader leaves', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'perfume-archive-')), 'large');
    writeFileSync(path, Buffer.alloc(4_000_000));
    const { promise, resolve } = Promise.withResolvers<string>();
    const archive = archiveOf(async ({ addFile }) => {
      await addFile('first', path).then(
        () => resolve('read'),
        () => resolve('closed'),
      );
      await expect(addFile('second', path)).rejects.toThrow();
    });
    await once(archive, 'readable');
    archive.destroy();
    expect(await promise).toBe('closed');
  });

  const name = (digit: string) => `pictures/${digit.repeat(40)}.webp`;
  async function zipOf(fill: (zip: ZipFile) => void): Promise<Buffer> {
    const zip = new ZipFile();
    fill(zip);
    zip.end();
    return buffer(zip.outputStream);
  }

  test('gives the pictures that it does not pack, and of a small size', async () => {
    const file = await zipOf((zip) => {
      zip.addBuffer(Buffer.from('one'), name('1'), { compress: false });
      zip.addBuffer(Buffer.from('packed'), name('2'), { compress: true });
      zip.addBuffer(Buffer.alloc(2 * 1024 * 1024 + 1), name('3'), { compress: false });
      zip.addBuffer(Buffer.from('elsewhere'), `other/${name('4')}`, { compress: false });
      zip.addBuffer(Buffer.from('five'), name('5'), { compress: false });
    });
    expect([...picturesIn(file)].map(String)).toEqual(['one', 'five']);
  });

  test('gives bytes once, however many files of the archive have them', async () => {
    const file = await zipOf((zip) => {
      zip.addBuffer(Buffer.from('pixels'), name('1'), { compress: false });
      zip.addBuffer(Buffer.from('others'), name('2'), { compress: false });
    });
    // The second entry of the directory leads to the first file.
    const second = file.lastIndexOf('PK\x01\x02');
    file.writeUInt32LE(0, second + 42);
    expect([...picturesIn(file)].map(String)).toEqual(['pixels']);
  });
});

describe('a workbook', () => {
  test('breaks off where its rows do', async () => {
    async function* pages() {
      yield ['a'];
      throw new Error('the disk is gone');
    }
    const file = workbookOf({ name: 'items', head: ['name'], pages: pages(), toCells: (name) => [name] });
    await expect(file.toArray()).rejects.toThrow('the disk is gone');
  });

  test('continues on another sheet where a sheet is full', async () => {
    async function* pages() {
      yield ['a', 'b'];
      yield ['c', 'd'];
      yield ['e'];
    }
    const file = workbookOf({ name: 'items', head: ['name'], pages: pages(), toCells: (name) => [name] }, 5);
    const files = unzip(Buffer.concat(await file.toArray()));
    const textsIn = (sheet: number) =>
      [...(files.get(`xl/worksheets/sheet${sheet}.xml`)?.toString() ?? '').matchAll(/<t[^>]*>(.*?)<\/t>/g)].map(
        ([, text]) => text,
      );
    expect([textsIn(1), textsIn(2)]).toEqual([
      ['name', 'a', 'b', 'c', 'd'],
      ['name', 'e'],
    ]);
    expect(files.get('xl/workbook.xml')?.toString()).toContain('<sheet name="items 2" sheetId="2" r:id="rId2"/>');
  });
});

const aWord = () => `w${randomUUID().slice(0, 8)}`;

function linesOf<T = object>(text: string): T[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);
}

/** The rows of a CSV or XLSX file, read as the import reads them. */
function rowsOf(file: Buffer): string[][] {
  return readTable(file).rows.map(([, cells]) => cells);
}

function rowOf(item: WireItem): string[] {
  return [
    item.name,
    item.suplierName,
    item.quantity,
    item.price.toFixed(2),
    item.sku ?? '',
    item.barcodes.join('; '),
    '',
    item.description,
    item.img,
    item.email,
    item._id,
  ];
}

async function exportAll(person: Person): Promise<Record<(typeof FORMATS)[number], Buffer>> {
  const files = await Promise.all(
    FORMATS.map(async (format) => [format, (await person.call('GET', `/exports/items?format=${format}`)).rawPayload]),
  );
  return Object.fromEntries(files);
}

async function importRows(person: Person, rows: string | Buffer): Promise<WireImport> {
  const type =
    typeof rows === 'string' || rows[0] !== 0x50
      ? 'text/csv'
      : 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  const sent = await person.call('POST', '/imports', { body: rows, headers: { 'content-type': type } });
  const { id } = sent.json() as WireImport;
  await person.call('POST', `/imports/${id}/apply`);
  await vi.waitFor(async () => expect((await person.call('GET', `/imports/${id}`)).json().state).toBe('done'), 30_000);
  return (await person.call('GET', `/imports/${id}`)).json();
}

async function aPicture(person: Person): Promise<string> {
  const body = await sharp({ create: { width: 9, height: 7, channels: 3, background: '#246' } })
    .png()
    .toBuffer();
  const { img } = (await person.call('POST', '/uploads', { body, headers: { 'content-type': 'image/png' } })).json();
  return img;
}
