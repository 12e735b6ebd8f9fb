import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { aNewItem, anItem, edit, onBothDatabases, type Person, signedInAs, type TestApp, testApp } from '../testing.ts';
import { removeUnusedUploads } from './uploads.store.ts';

const HOUR_MS = 60 * 60 * 1_000;

const plum = { width: 300, height: 200, channels: 3, background: '#5a2748' } as const;
const plainPicture = () => sharp({ create: plum });
const METADATA = 'secret-metadata';
const webp = { bytes: await plainPicture().webp().toBuffer(), type: 'image/webp' };
const png = {
  bytes: await plainPicture()
    .png()
    .withExif({ IFD0: { Copyright: METADATA } })
    .toBuffer(),
  type: 'image/png',
};
const jpeg = {
  bytes: await plainPicture()
    .jpeg()
    .withExif({ IFD0: { Copyright: METADATA }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '43/1 39/1 0/1' } })
    .toBuffer(),
  type: 'image/jpeg',
};

describe('a picture', () => {
  let shared: TestApp;
  let person: Person;
  beforeAll(async () => {
    shared = await testApp('SQLite');
    server = shared;
    person = await signedInAs(shared);
  });
  afterAll(() => shared.close());

  const storedFiles = () => {
    const folder = join(shared.config.dataDir, 'uploads');
    return existsSync(folder) ? readdirSync(folder) : [];
  };

  describe('that is invalid is refused and not stored:', () => {
    const script = '<script>alert(1)</script>';
    const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${script}</svg>`);
    test.each([
      ['an SVG with a script', svg],
      ['an SVG that begins like a JPEG', Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), svg])],
      ['a GIF', Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')],
      ['HTML with the content type of a picture', Buffer.from(`<!doctype html>${script}`)],
      ['the start of a PNG followed by HTML', Buffer.concat([png.bytes.subarray(0, 8), Buffer.from(script)])],
      ['half a JPEG', jpeg.bytes.subarray(0, jpeg.bytes.length / 2)],
      ['a PNG without its end', png.bytes.subarray(0, png.bytes.length - 30)],
      ['a WebP without its end', webp.bytes.subarray(0, webp.bytes.length - 20)],
      ['nothing', Buffer.alloc(0)],
    ])('%s', async (_, bytes) => {
      for (const { type } of [jpeg, png, webp]) {
        const answer = await send(person, bytes, type);
        expect([answer.statusCode, answer.json().code]).toEqual([415, 'not_a_picture']);
      }
      expect(storedFiles()).toEqual([]);
    });

    test('a few kilobytes that decompress to 900 megapixels', async () => {
      const bomb = blackPng(30_000, 30_000);
      expect(bomb.length).toBeLessThan(200_000);
      const answer = await send(person, bomb, 'image/png');
      expect([answer.statusCode, answer.json().code]).toEqual([413, 'too_large']);
      expect(storedFiles()).toEqual([]);
    });

    test('a header that announces 49 megapixels of eight bytes each', async () => {
      const answer = await send(
        person,
        emptyPng({ width: 7_000, height: 7_000, bitDepth: 16, colourType: 6 }),
        'image/png',
      );
      expect([answer.statusCode, answer.json().code]).toEqual([413, 'too_large']);
      expect(storedFiles()).toEqual([]);
    });

    test('eleven megabytes, with or without a length', async () => {
      const large = Buffer.concat([jpeg.bytes, Buffer.alloc(11 * 1024 * 1024)]);
      const answer = await send(person, large, 'image/jpeg');
      expect([answer.statusCode, answer.json().code]).toEqual([413, 'too_large']);
      const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
      const head = 'Content-Type: image/jpeg\r\nTransfer-Encoding: chunked';
      expect(await sendRaw(shared, person, head, chunk.repeat(176))).toMatch(/^HTTP\/1\.1 413/);
      expect(storedFiles()).toEqual([]);
    });

    test.each(['application/json', 'multipart/form-data; boundary=x', 'image/svg+xml', 'image/gif', 'text/plain', ''])(
      'a valid picture sent as %j',
      async (type) => {
        const answer = await send(person, png.bytes, type);
        expect([answer.statusCode, answer.json().code]).toEqual([415, 'not_a_picture']);
        expect(storedFiles()).toEqual([]);
      },
    );
  });

  describe('is accepted only from verified users on our own pages:', () => {
    test('a visitor is refused before the body is read', async () => {
      const head = 'Content-Type: image/jpeg\r\nContent-Length: 9000000';
      expect(await sendRaw(shared, null, head, '')).toMatch(/^HTTP\/1\.1 401/);
      const unverified = await signedInAs(shared, undefined, { verified: false });
      expect((await send(unverified, png.bytes, png.type)).json().code).toBe('email_not_verified');
      expect(storedFiles()).toEqual([]);
    });

    test.each([{ origin: 'https://evil.example' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }])(
      'another site is refused: %j',
      async (headers) => {
        const answer = await send(person, png.bytes, png.type, headers as unknown as Record<string, string>);
        expect([answer.statusCode, answer.json().code]).toEqual([403, 'cross_site']);
        expect(storedFiles()).toEqual([]);
      },
    );
  });

  test.each([
    ['JPEG', jpeg],
    ['PNG', png],
    ['WebP', webp],
  ])('comes back from a %s as a WebP without its metadata', async (_, { bytes, type }) => {
    const answer = await send(person, bytes, type);
    expect([answer.statusCode, answer.json()]).toEqual([
      201,
      { img: expect.stringMatching(/^\/uploads\/[0-9a-f]{40}\.webp$/), width: 300, height: 200 },
    ]);
    const picture = await shared.app.inject({ url: answer.json().img });
    const { format, width, height, exif, icc, xmp } = await sharp(picture.rawPayload).metadata();
    expect({ format, width, height, exif, icc, xmp }).toEqual({ format: 'webp', width: 300, height: 200 });
    expect(picture.rawPayload.includes(METADATA)).toBe(false);
  });

  test('that a server stored is kept as it is, and only such a one', async () => {
    const put = (body: Buffer) =>
      person.call('POST', '/uploads?stored=true', { body, headers: { 'content-type': 'image/webp' } });
    const kept = await put(webp.bytes);
    expect([kept.statusCode, kept.json()]).toMatchObject([201, { width: 300, height: 200 }]);
    expect((await shared.app.inject({ url: kept.json().img })).rawPayload).toEqual(webp.bytes);
    const wide = await sharp({ create: { width: 2_000, height: 10, channels: 3, background: '#246' } })
      .webp()
      .toBuffer();
    const broken = Buffer.from(webp.bytes).fill(0, 30);
    for (const bytes of [
      png.bytes,
      wide,
      broken,
      await plainPicture()
        .webp()
        .withExif({ IFD0: { Copyright: METADATA } })
        .toBuffer(),
    ])
      expect((await put(bytes)).json().code).toBe('not_a_picture');
  });

  test('has the type of its content, whatever its header says', async () => {
    expect((await send(person, png.bytes, 'image/webp')).statusCode).toBe(201);
  });

  test('loses data appended to the file', async () => {
    const hidden = Buffer.from('<html><script>alert(1)</script>PK\u0003\u0004 a whole archive');
    for (const { bytes, type } of [jpeg, png, webp]) {
      const { img } = (await send(person, Buffer.concat([bytes, hidden]), type)).json();
      const { rawPayload } = await shared.app.inject({ url: img });
      for (const trace of ['<script', 'PK\u0003\u0004', 'archive']) expect(rawPayload.includes(trace)).toBe(false);
      const riffLength = rawPayload.readUInt32LE(4) + 8;
      expect(rawPayload.length).toBe(riffLength);
    }
  });

  test('is rotated upright, fits 1,600 pixels and is never enlarged', async () => {
    const sideways = await plainPicture().jpeg().withMetadata({ orientation: 6 }).toBuffer();
    expect((await send(person, sideways, 'image/jpeg')).json()).toMatchObject({ width: 200, height: 300 });
    const wide = await sharp({ create: { ...plum, width: 4_000, height: 1_000 } })
      .png()
      .toBuffer();
    expect((await send(person, wide, 'image/png')).json()).toMatchObject({ width: 1_600, height: 400 });
  });

  test('is stored as a single frame', async () => {
    const gold = await sharp({ create: { ...plum, background: '#c8963e' } })
      .png()
      .toBuffer();
    const animated = await sharp([png.bytes, gold], { join: { animated: true } })
      .webp({ delay: [50, 50] })
      .toBuffer();
    expect((await sharp(animated).metadata()).pages).toBe(2);
    const { img, height } = (await send(person, animated, 'image/webp')).json();
    const still = await sharp((await shared.app.inject({ url: img })).rawPayload).metadata();
    expect([height, still.pages]).toEqual([200, undefined]);
  });

  test('sent twice, by anyone and with other metadata, is stored once', async () => {
    const other = await signedInAs(shared);
    const first = await send(person, png.bytes, png.type);
    const before = storedFiles();
    const plain = await plainPicture().png().toBuffer();
    expect((await send(other, plain, png.type)).json()).toEqual(first.json());
    expect(storedFiles()).toEqual(before);
    expect(before.filter((name) => !/^[0-9a-f]{40}\.webp$/.test(name))).toEqual([]);
  });

  test('becomes the picture of an item', async () => {
    const { img } = (await send(person, png.bytes, png.type)).json();
    const item = await person.call('POST', '/new-inventory-item', { body: aNewItem({ img }) });
    expect([item.statusCode, item.json().img]).toEqual([201, img]);
  });

  test('is served as immutable and can run nothing', async () => {
    const { img } = (await send(person, png.bytes, png.type)).json();
    const { statusCode, headers } = await shared.app.inject({ url: img });
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('image/webp');
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toMatch(/^sandbox; default-src 'none';/);
    expect((await shared.app.inject({ method: 'HEAD', url: img })).statusCode).toBe(200);
  });

  test('is the only file served from its folder, whatever the path', async () => {
    const { img } = (await send(person, png.bytes, png.type)).json();
    const folder = join(shared.config.dataDir, 'uploads');
    writeFileSync(join(folder, 'notes.webp'), 'private');
    writeFileSync(join(folder, '.draft'), 'private');
    mkdirSync(join(folder, `${'a'.repeat(40)}.webp`), { recursive: true });
    const name = img.slice('/uploads/'.length);
    for (const path of [
      'notes.webp',
      '.draft',
      name.toUpperCase(),
      name.replace('.webp', '.png'),
      `${name}%00`,
      `${name}/`,
      `./${name}/../notes.webp`,
      `..%2fuploads%2f${name}`,
      '..%2fwarehouse.sqlite',
      '%2e%2e/warehouse.sqlite',
      '..\\warehouse.sqlite',
      `${'0'.repeat(40)}.webp`,
      '',
    ]) {
      const answer = await shared.app.inject({ url: `/uploads/${path}` });
      expect([path, answer.statusCode, answer.headers['cache-control']]).toEqual([path, 404, 'no-store']);
    }
  });

  test('is refused when the same user already has three uploads in progress', async () => {
    const busy = await signedInAs(shared);
    const head = `Content-Type: image/png\r\nContent-Length: ${png.bytes.length}\r\nExpect: 100-continue`;
    const open = await Promise.all([1, 2, 3].map(() => openUpload(shared, busy, head)));
    for (const socket of open) expect(await firstData(socket)).toContain('100 Continue');
    const fourth = await send(busy, png.bytes, png.type);
    expect([fourth.statusCode, fourth.json().code]).toEqual([503, 'overloaded']);
    expect((await send(person, png.bytes, png.type)).statusCode).toBe(201);
    for (const socket of open) socket.destroy();
    await expect.poll(async () => (await send(busy, png.bytes, png.type)).statusCode).toBe(201);
  });

  test('counts as an upload in progress until it is converted, even if the sender disconnects', async () => {
    const busy = await signedInAs(shared);
    // This picture is small to send and slow to convert.
    const slow = await sharp({ create: { ...plum, width: 7_000, height: 7_000 } })
      .png()
      .toBuffer();
    const head = `Content-Type: image/png\r\nContent-Length: ${slow.length}\r\nExpect: 100-continue`;
    const accepted: Socket[] = [];
    shared.app.server.on('connection', (socket) => accepted.push(socket));
    const open = await Promise.all([1, 2, 3].map(() => openUpload(shared, busy, head)));
    for (const socket of open) expect(await firstData(socket)).toContain('100 Continue');
    for (const socket of open) socket.write(slow);
    await expect.poll(() => accepted.filter(({ bytesRead }) => bytesRead > slow.length)).toHaveLength(3);
    await new Promise((resolve) => setTimeout(resolve, 50));
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await send(busy, png.bytes, png.type)).statusCode).toBe(503);
    await expect.poll(async () => (await send(busy, png.bytes, png.type)).statusCode).toBe(201);
  });

  test('that is large is decoded alone, so many at once need no more memory than one', async () => {
    const large = await sharp({ create: { width: 4_000, height: 4_000, channels: 4, background: '#5a274880' } })
      .png({ progressive: true })
      .toBuffer();
    const converter = new URL('./pictures.convert.ts', import.meta.url);
    // The conversion runs in a process of its own, because peak memory is known only for a whole process.
    const program = `
      import { existsSync, readFileSync } from 'node:fs';
      import { buffer } from 'node:stream/consumers';
      const { convertPicture } = await import(${JSON.stringify(converter.href)});
      const large = await buffer(process.stdin);
      // On Linux, maxRSS starts at the memory of the process that started this one. VmHWM does not.
      const status = '/proc/self/status';
      const peakKb = () =>
        existsSync(status) ? Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync(status, 'utf8'))[1]) : process.resourceUsage().maxRSS;
      await convertPicture(large.subarray(0, 1_000));
      const before = peakKb();
      await Promise.all([1, 2, 3].map(() => convertPicture(large)));
      console.log((peakKb() - before) / 1_024);`;
    const run = execFile(process.execPath, ['--input-type=module', '-e', program]);
    run.stdin?.end(large);
    // One after the other they need 160 to 190 MB; three at once would need 340 MB.
    const grownBy = Number(await text(run.stdout as Readable));
    expect(grownBy).toBeGreaterThan(60);
    expect(grownBy).toBeLessThan(260);
  });

  test('full of noise, also in its transparency, is stored in 1.6 bytes per pixel', async () => {
    const raw = { width: 500, height: 500, channels: 4 } as const;
    const noise = sharp(randomBytes(500 * 500 * 4), { raw }).png();
    const { img } = (await send(person, await noise.toBuffer(), 'image/png')).json();
    expect((await shared.app.inject({ url: img })).rawPayload.length / 500 / 500).toBeLessThan(1.6);
  });

  test('that one network asks for often and does not read is in memory once, and is refused until it is read', async () => {
    const server = await shared.sibling();
    const folder = join(server.config.dataDir, 'uploads');
    mkdirSync(folder, { recursive: true });
    const names = Array.from({ length: 12 }, () => `${randomBytes(20).toString('hex')}.webp`);
    for (const name of names) writeFileSync(join(folder, name), randomBytes(4_000_000));
    await server.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = server.app.server.address() as AddressInfo;
    const ask = (name: string) => server.app.inject({ url: `/uploads/${name}` });
    const answers: ServerResponse[] = [];
    server.app.server.on('request', (_request, answer) => void answers.push(answer));
    const before = process.memoryUsage().arrayBuffers;
    // Each connection asks for one of the pictures, again and again.
    const sockets = Array.from({ length: 24 }, (_, index) => {
      const socket = connect(port, '127.0.0.1').pause();
      socket.write(`GET /uploads/${names[index % names.length]} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(16));
      return socket;
    });
    try {
      const [first = ''] = names;
      await expect.poll(() => answers.filter((answer) => answer.writableEnded)).toHaveLength(24 * 16);
      expect((await ask(first)).statusCode).toBe(429);
      // 32 MB that were not read and 32 MB that are kept, which may be others.
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(80_000_000);
      const elsewhere = await server.app.inject({ url: `/uploads/${first}`, remoteAddress: '203.0.113.9' });
      expect([elsewhere.statusCode, elsewhere.rawPayload.length]).toEqual([200, 4_000_000]);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
    await expect.poll(async () => (await ask(names[0] ?? '')).statusCode).toBe(200);
  });

  test('many at once are all stored', async () => {
    const people = await Promise.all([1, 2, 3, 4].map(() => signedInAs(shared)));
    const sent = await Promise.all(people.flatMap((one) => [jpeg, webp].map((it) => send(one, it.bytes, it.type))));
    expect(sent.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(201));
  });
});

onBothDatabases('an upload', (shared) => {
  test('that no item uses is removed after a day, unless the history or a save at that moment needs it', async () => {
    const person = await signedInAs(shared);
    const folder = join(shared.config.dataDir, 'uploads');
    const upload = async (background: string): Promise<string> => {
      const bytes = await sharp({ create: { ...plum, background } })
        .png()
        .toBuffer();
      return (await send(person, bytes, 'image/png', {}, shared)).json().img;
    };
    const unused = await upload('#111');
    const used = await upload('#222');
    const replaced = await upload('#333');
    const replacing = await upload('#444');
    const deleted = await upload('#555');
    const absolute = await upload('#666');
    const saving = await upload('#777');
    await anItem(person, { img: used });
    const edited = await anItem(person, { img: replaced });
    await edit(person, edited._id, { img: replacing });
    await edit(person, edited._id, { img: 'https://pictures.example/nuit.jpg' });
    await person.call('DELETE', `/inventory-items/${(await anItem(person, { img: deleted }))._id}`);
    await anItem(person, { img: `https://stock.example.com${absolute}` });
    const stored = () => readdirSync(folder).map((name) => `/uploads/${name}`);

    await removeUnusedUploads(shared.db, folder, Date.now() + 23 * HOUR_MS);
    expect(stored()).toHaveLength(7);

    const longQuery = shared.db.longQuery;
    vi.spyOn(shared.db, 'longQuery').mockImplementationOnce(async (...given) => {
      const rows = await longQuery(...given);
      await anItem(person, { img: saving });
      return rows as never;
    });
    await removeUnusedUploads(shared.db, folder, Date.now() + 25 * HOUR_MS);
    expect(stored().toSorted()).toEqual([used, replaced, replacing, deleted, absolute, saving].toSorted());
    expect(
      (await person.call('POST', '/new-inventory-item', { body: aNewItem({ img: unused }) })).json(),
    ).toMatchObject({
      fieldCodes: { img: 'picture_gone' },
    });

    const body = { changes: { img: unused } };
    expect((await person.call('POST', `/inventory-items/${edited._id}/edit`, { body })).json()).toMatchObject({
      fieldCodes: { 'changes.img': 'picture_gone' },
    });

    await removeUnusedUploads(shared.db, folder, Date.now() + 50 * HOUR_MS);
    expect(stored()).toHaveLength(6);
    expect(await upload('#111')).toBe(unused);
    await anItem(person, { img: unused });
  });
});

onBothDatabases('the upload limit', (shared) => {
  test('is 60 per hour and user, refused uploads included, across all servers', async () => {
    const person = await signedInAs(shared);
    const other = await shared.sibling();
    for (let sent = 0; sent < 60; sent++) {
      const answer = await send(person, Buffer.from('no picture'), 'image/png', {}, sent % 2 ? shared : other);
      expect(answer.statusCode).toBe(415);
    }
    const refused = await send(person, png.bytes, png.type, {}, other);
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_000);
    expect((await send(await signedInAs(shared), png.bytes, png.type, {}, shared)).statusCode).toBe(201);
  });
});

let server: TestApp;

function send(
  { cookie }: Person,
  bytes: Buffer,
  type: string,
  headers: Record<string, string> = {},
  { app }: TestApp = server,
) {
  return app.inject({
    method: 'POST',
    url: '/uploads',
    headers: { cookie, ...(type && { 'content-type': type }), ...headers },
    payload: bytes,
  });
}

async function openUpload(shared: TestApp, person: Person | null, head: string) {
  if (!shared.app.server.listening) await shared.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = shared.app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  const cookie = person ? `Cookie: ${person.cookie}\r\n` : '';
  socket.on('error', () => {});
  socket.write(`POST /uploads HTTP/1.1\r\nHost: x\r\n${cookie}${head}\r\n\r\n`);
  return socket;
}

async function sendRaw(shared: TestApp, person: Person | null, head: string, body: string): Promise<string> {
  const socket = await openUpload(shared, person, head);
  socket.write(body);
  const answer = await firstData(socket);
  socket.destroy();
  return answer;
}

function firstData(socket: Socket): Promise<string> {
  return new Promise((resolve) => socket.once('data', (data) => resolve(String(data))));
}

/** A black PNG with one bit per pixel. It compresses a thousandfold. */
function blackPng(width: number, height: number): Buffer {
  const rows = Buffer.alloc((Math.ceil(width / 8) + 1) * height);
  return pngOf({ width, height, bitDepth: 1, colourType: 0 }, rows);
}

type PngHeader = { width: number; height: number; bitDepth: number; colourType: number };

const emptyPng = (header: PngHeader) => pngOf(header, Buffer.alloc(0));

function pngOf({ width, height, bitDepth, colourType }: PngHeader, rows: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = bitDepth;
  header[9] = colourType;
  return Buffer.concat([
    png.bytes.subarray(0, 8),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngChunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
