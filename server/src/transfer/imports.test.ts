import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import type { WireImport } from '@perfume/contract/transfer';
import type { WireItem } from '@perfume/contract/wire-item';
import { describe, expect, test, vi } from 'vitest';
import writeXlsxFile from 'write-excel-file/node';
import {
  anItem,
  deliver,
  itemNow,
  move,
  onBothDatabases,
  type Person,
  request,
  signedInAs,
  type TestApp,
} from '../testing.ts';

const CSV = { 'content-type': 'text/csv' };
const XLSX = { 'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' };

onBothDatabases('an import', (shared) => importTests(shared));

function importTests(shared: TestApp): void {
  test('says what it would do, does that, and is undone as one', async () => {
    const person = await signedInAs(shared);
    const [oud, iris] = [code(), code()];
    const known = await anItem(person, { sku: oud, quantity: 5, price: 10, name: 'Oud' });
    const file = await send(
      person,
      `Name;SKU;Qty;Price;Reorder point\nOud;${oud};8;10,00;\nIris;${iris};3;1.234,50;4\n;${code()};1;2,00;\nBad;${code()};-1;5,00;\n`,
    );
    expect(file).toMatchObject({
      state: 'ready',
      done: 0,
      of: 4,
      batch: null,
      delimiter: ';',
      decimal: ',',
      mapping: ['name', 'sku', 'quantity', 'price', 'reorderPoint'],
      summary: { add: 1, change: 1, skip: 2, bad: 2 },
      problems: [
        { row: 4, field: 'name', message: 'This field is required' },
        { row: 5, field: 'quantity', error: { code: 'not_a_whole_number' } },
      ],
    });
    expect(await itemNow(person, known._id)).toMatchObject({ quantity: '5' });

    const done = await apply(person, file);
    expect(done).toMatchObject({ state: 'done', done: 4, summary: { add: 1, change: 1, skip: 2, bad: 2 } });
    expect(await itemNow(person, known._id)).toMatchObject({ quantity: '8', name: 'Oud' });
    const added = await find(person, iris);
    expect(added).toMatchObject({
      name: 'Iris',
      quantity: '3',
      price: 1234.5,
      reorderPoint: 4,
      email: person.user.email,
      suplierName: person.user.name,
    });
    const history = (await person.call('GET', `/history?item=${added?._id}`)).json();
    expect(history).toMatchObject([{ kind: 'opening', delta: 3, batch: done.batch }]);
    expect((await person.call('GET', `/history?item=${known._id}`)).json()).toMatchObject([
      { kind: 'correction', delta: 3, batch: done.batch },
      { kind: 'opening' },
    ]);
    expect((await person.call('GET', `/batches/${done.batch}`)).json()).toEqual({ entries: 2, standing: 2, delta: 6 });

    const undone = await person.call('POST', `/batches/${done.batch}/undo`);
    expect(undone.json()).toMatchObject({ next: null, results: [{ ok: true }, { ok: true }] });
    expect(await itemNow(person, known._id)).toMatchObject({ quantity: '5' });
    expect(await find(person, iris)).toBeNull();
    expect((await person.call('GET', `/batches/${done.batch}`)).json()).toMatchObject({ standing: 0 });
    await person.call('POST', `/batches/${undone.json().batch}/undo`);
    expect(await find(person, iris)).toMatchObject({ quantity: '3' });
  });

  test('adds only, or updates only, and keeps codes that the file does not name', async () => {
    const person = await signedInAs(shared);
    const [sku, ean, other] = [code(), code(), code()];
    const { _id } = await anItem(person, { sku, barcodes: [ean], price: 10 });
    const rows = `sku,barcode,name,price\n${sku},${code()},Renamed,11\n${other},,New,5\n`;
    const add = await send(person, rows);
    expect((await change(person, add, { mode: 'add' })).summary).toEqual({ add: 1, change: 0, skip: 1, bad: 0 });
    const update = await change(person, add, { mode: 'update' });
    expect(update.summary).toEqual({ add: 0, change: 1, skip: 1, bad: 0 });
    await apply(person, update);
    const item = await itemNow(person, _id);
    expect(item).toMatchObject({ name: 'Renamed', price: 11, quantity: '42' });
    expect(item?.barcodes).toContain(ean);
    expect(item?.barcodes).toHaveLength(2);
    expect(await find(person, other)).toBeNull();
  });

  test('takes the columns as they were mapped for the last file with the same columns', async () => {
    const person = await signedInAs(shared);
    const rows = `${code()},What,Euro\nx,Iris,5\n`;
    const first = await send(person, rows);
    expect(first.mapping).toEqual([null, null, null]);
    await apply(person, await change(person, first, { mapping: [null, 'name', 'price'] }));
    expect((await send(person, rows)).mapping).toEqual([null, 'name', 'price']);
  });

  test('refuses rows that are about the same item, codes of two items, and codes that a spreadsheet has rounded', async () => {
    const person = await signedInAs(shared);
    const [one, two] = [code(), code()];
    await anItem(person, { sku: one, name: 'One' });
    await anItem(person, { barcodes: [two], name: 'Two' });
    const fresh = code();
    const { problems } = await send(
      person,
      `sku,barcode,name,price\n${fresh},,A,1\n${fresh},,B,1\n${one},${two},C,1\n,3.6E+12,D,1\n`,
    );
    expect(problems.map(({ row, field, error }) => [row, field, error.code])).toEqual([
      [3, 'sku', 'same_as_row'],
      [4, 'barcodes', 'code_taken'],
      [5, 'barcodes', 'rounded_number'],
    ]);
  });

  test('gives the rows that were not imported back as a file that says why', async () => {
    const person = await signedInAs(shared);
    const file = await send(person, 'name,price\nGood,1\n=Bad,none\n');
    const answer = await person.call('GET', `/imports/${file.id}/problems`);
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(answer.body).toBe(
      '\ufeff"name","price","problem"\r\n"\'=Bad","none","price: Enter a price from 0 to 10,000,000 with at most two decimals"\r\n',
    );
    const mended = await send(person, answer.body.replace('"none"', '2'));
    expect(mended).toMatchObject({ summary: { add: 1, bad: 0 }, preview: [["'=Bad", '2', expect.any(String)]] });
  });

  test('is cancelled between two steps, continued, and counts what others did meanwhile', async () => {
    const person = await signedInAs(shared);
    const codes = Array.from({ length: 65 }, code);
    const { _id } = await anItem(person, { sku: codes[60] ?? '', quantity: 9 });
    const file = await send(person, `sku,name,price,quantity\n${codes.map((one, n) => `${one},N${n},1,5`).join('\n')}`);
    const make = shared.db.change;
    let steps = 0;
    const spy = vi.spyOn(shared.db, 'change').mockImplementation(async (...given) => {
      const made = await make(...given);
      // The first change begins the import.
      if (++steps === 2) await make((db) => db.updateTable('imports').set({ state: 'ready' }).execute() as never);
      return made as never;
    });
    await person.call('POST', `/imports/${file.id}/apply`);
    await expect.poll(async () => (await read(person, file)).state).toBe('ready');
    spy.mockRestore();
    expect(await read(person, file)).toMatchObject({ done: 10, summary: { add: 10 } });
    const late = await person.call('PUT', `/imports/${file.id}`, { body: { mapping: file.mapping, mode: 'add' } });
    expect(late.json().code).toBe('import_started');
    await deliver(person, _id);
    expect(await apply(person, file)).toMatchObject({ done: 65, summary: { add: 64, change: 1, skip: 0 } });
    expect(await itemNow(person, _id)).toMatchObject({ quantity: '5' });
    expect((await person.call('POST', `/imports/${file.id}/apply`)).json().code).toBe('import_finished');
  });

  test('is continued by another server, and two that run it at once import each row once', async () => {
    const person = await signedInAs(shared);
    const codes = Array.from({ length: 50 }, code);
    const file = await send(person, `sku,name,price,quantity\n${codes.map((one, n) => `${one},N${n},1,5`).join('\n')}`);
    const other = shared.database === 'SQLite' ? shared : await shared.sibling();
    const cookie = { cookie: person.cookie };
    await Promise.all([
      person.call('POST', `/imports/${file.id}/apply`),
      request(other, 'POST', `/imports/${file.id}/apply`, { headers: cookie }),
    ]);
    const done = await finished(person, file);
    expect(done.summary).toEqual({ add: 50, change: 0, skip: 0, bad: 0 });
    expect((await person.call('GET', `/batches/${done.batch}`)).json()).toEqual({
      entries: 50,
      standing: 50,
      delta: 250,
    });
  });

  test('is in the history as the work of whoever begins it', async () => {
    const [ann, ben] = [await signedInAs(shared), await signedInAs(shared)];
    const sku = code();
    const file = await send(ann, `sku,name,price\n${sku},Iris,5\n`);
    await apply(ben, file);
    const item = await find(ben, sku);
    expect(item).toMatchObject({ email: ben.user.email, suplierName: ben.user.name });
    const [entry] = (await ben.call('GET', `/history?item=${item?._id}`)).json();
    expect(entry.by).toMatchObject({ id: ben.user.id });
  });

  test('imports no row that is wrong, even if a check that was overtaken has not said so', async () => {
    const person = await signedInAs(shared);
    const sku = code();
    const file = await send(person, `sku,name,price,quantity\n${sku},Iris,5,many\n`);
    await shared.db.change((db) => db.deleteFrom('import_problems').where('import_id', '=', file.id).execute());
    expect(await apply(person, file)).toMatchObject({ summary: { add: 0, bad: 1 }, problems: [{ field: 'quantity' }] });
    expect(await find(person, sku)).toBeNull();
  });

  test('takes one file of a person at a time, and keeps the last three', async () => {
    const person = await signedInAs(shared);
    const rows = `name,price\n${'A long name of an item,5\n'.repeat(8_000)}`;
    const sent = await Promise.all([1, 2].map(() => person.call('POST', '/imports', { body: rows, headers: CSV })));
    expect(sent.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 429]);
    const files = [];
    for (let n = 0; n < 4; n++) files.push(await send(person, 'name,price\nIris,5\n'));
    const statuses = [];
    for (const { id } of [files[0], files[3]] as WireImport[])
      statuses.push((await person.call('POST', `/imports/${id}/apply`)).statusCode);
    expect(statuses).toEqual([404, 202]);
    const bad = await send(person, 'name,price\nIris,none\n');
    for (let n = 0; n < 3; n++) await send(person, 'name,price\nIris,5\n');
    expect((await person.call('GET', `/imports/${bad.id}`)).json().problems).toEqual([]);
  });

  test('takes the files of two people at a time, and says when to try again', async () => {
    const people = await Promise.all([1, 2, 3].map(() => signedInAs(shared)));
    const rows = `name,price\n${'A long name of an item,5\n'.repeat(8_000)}`;
    const sent = await Promise.all(
      people.map((person) => person.call('POST', '/imports', { body: rows, headers: CSV })),
    );
    expect(sent.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 201, 429]);
    expect(sent.find(({ statusCode }) => statusCode === 429)?.headers['retry-after']).toBe('5');
  });

  test('that was refused keeps no place, though its answer waits for others on its connection', async () => {
    if (!shared.app.server.listening) await shared.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = shared.app.server.address() as AddressInfo;
    const open = [];
    for (const { cookie } of [await signedInAs(shared), await signedInAs(shared)]) {
      const socket = connect(port, '127.0.0.1');
      open.push(socket);
      const head = `HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\n`;
      socket.write(`GET /events ${head}\r\n`);
      await once(socket, 'data');
      socket.write(`POST /imports ${head}Content-Type: text/plain\r\nContent-Length: 4\r\n\r\nname`);
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
    await send(await signedInAs(shared), 'name,price\nIris,5\n');
    for (const socket of open) socket.destroy();
  });

  test('of somebody who loses the right to it while it arrives is not stored', async () => {
    if (!shared.app.server.listening) await shared.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = shared.app.server.address() as AddressInfo;
    const person = await signedInAs(shared);
    const socket = connect(port, '127.0.0.1');
    const file = 'name,price\nIris,5\n';
    socket.write(
      `POST /imports HTTP/1.1\r\nHost: x\r\nCookie: ${person.cookie}\r\nContent-Type: text/csv\r\n` +
        `Content-Length: ${file.length}\r\nExpect: 100-continue\r\n\r\n`,
    );
    expect(String(await once(socket, 'data'))).toContain('100 Continue');
    await person.call('POST', '/api/auth/sign-out', { body: {} });
    socket.write(file);
    expect(String(await once(socket, 'data'))).toContain('401');
    socket.destroy();
  });

  test('reads a workbook', async () => {
    const person = await signedInAs(shared);
    const sku = code();
    const cells = [
      ['SKU', 'Name', 'Price', 'Quantity', 'Added'],
      [sku, 'Jasmin d’été', 12.5, 7, new Date(Date.UTC(2026, 1, 3))],
    ];
    const sheet = cells.map((row) =>
      row.map((value) => (value instanceof Date ? { value, type: Date, format: 'dd/mm/yyyy' } : { value })),
    );
    const body = await (await writeXlsxFile(sheet as never)).toBuffer();
    const sent = await shared.app.inject({
      method: 'POST',
      url: '/imports?name=stock.xlsx',
      headers: { ...XLSX, cookie: person.cookie },
      payload: body,
    });
    expect(sent.json()).toMatchObject({
      name: 'stock.xlsx',
      encoding: 'xlsx',
      preview: [[sku, 'Jasmin d’été', '12.5', '7', '2026-02-03']],
    });
    await apply(person, sent.json());
    expect(await find(person, sku)).toMatchObject({ name: 'Jasmin d’été', price: 12.5, quantity: '7' });
  });

  describe('refuses', () => {
    test('a visitor, somebody unverified, and what is not a file', async () => {
      const nobody = await request(shared, 'POST', '/imports', { body: 'name,price\nA,1', headers: CSV });
      const unverified = await signedInAs(shared, undefined, { verified: false });
      const person = await signedInAs(shared);
      const early = await unverified.call('POST', '/imports', { body: 'name,price\nA,1', headers: CSV });
      const json = await person.call('POST', '/imports', { body: { name: 'A' } });
      expect([nobody, early, json].map((answer) => answer.json().code)).toEqual([
        'not_signed_in',
        'email_not_verified',
        'invalid_input',
      ]);
    });

    test('an unknown import, and a mapping that does not fit', async () => {
      const person = await signedInAs(shared);
      const file = await send(person, 'name,price\nA,1');
      const unknown = await person.call('GET', `/imports/${randomUUID()}`);
      const short = await person.call('PUT', `/imports/${file.id}`, { body: { mapping: ['name'], mode: 'add' } });
      const wrong = await person.call('PUT', `/imports/${file.id}`, {
        body: { mapping: ['name', 'colour'], mode: 'add' },
      });
      const twice = await person.call('PUT', `/imports/${file.id}`, {
        body: { mapping: ['name', 'name'], mode: 'add' },
      });
      expect([unknown, short, wrong, twice].map(({ statusCode }) => statusCode)).toEqual([404, 422, 422, 422]);
      expect(await read(person, file)).toMatchObject({ mapping: ['name', 'price'], mode: 'both' });
    });
  });

  test('leaves alone what others did with the items when it is undone', async () => {
    const person = await signedInAs(shared);
    const sku = code();
    const file = await apply(person, await send(person, `sku,name,price,quantity\n${sku},Iris,5,10\n`));
    const item = await find(person, sku);
    await move(person, item?._id ?? '', 'restock', 3);
    const undone = (await person.call('POST', `/batches/${file.batch}/undo`)).json();
    expect(undone.results).toMatchObject([{ ok: true }]);
    expect(await find(person, sku)).toBeNull();
  });
}

const code = () => `c-${randomUUID().slice(0, 13)}`;

async function send(person: Person, body: string): Promise<WireImport> {
  const answer = await person.call('POST', '/imports', { body, headers: CSV });
  expect([answer.statusCode, answer.statusCode === 201 ? '' : answer.body]).toEqual([201, '']);
  return answer.json();
}

async function change(
  person: Person,
  { id, mapping, mode }: WireImport,
  choices: Partial<WireImport>,
): Promise<WireImport> {
  return (await person.call('PUT', `/imports/${id}`, { body: { mapping, mode, ...choices } })).json();
}

async function apply(person: Person, file: WireImport): Promise<WireImport> {
  const answer = await person.call('POST', `/imports/${file.id}/apply`);
  expect(answer.statusCode).toBe(202);
  return finished(person, file);
}

async function finished(person: Person, file: WireImport): Promise<WireImport> {
  await expect.poll(async () => (await read(person, file)).state, { timeout: 20_000 }).toBe('done');
  return read(person, file);
}

const read = async (person: Person, { id }: WireImport) =>
  (await person.call('GET', `/imports/${id}`)).json<WireImport>();

async function find(person: Person, sku: string): Promise<WireItem | null> {
  const answer = await person.call('GET', `/codes/${sku}`);
  return answer.statusCode === 200 ? answer.json() : null;
}
