import { connect as connectTo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Postgres, startPostgres } from '../../../testing/postgres.ts';
import type { Db } from '../core/database.ts';
import { openPostgres } from './postgres.ts';

let postgres: Postgres;

beforeAll(async () => {
  postgres = await startPostgres();
  await postgres.createDatabase('silence');
}, 60_000);

afterAll(() => postgres.stop());

test('when connections fall silent, the state of the data is soon read through a new one', async () => {
  const { port } = new URL(postgres.url('silence'));
  const sockets: Socket[] = [];
  const proxy = createServer((client) => {
    const server = connectTo(Number(port), '127.0.0.1');
    client.pipe(server).pipe(client);
    for (const socket of [client, server]) sockets.push(socket.on('error', () => {}));
  });
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address();
  const url = new URL(postgres.url('silence'));
  url.hostname = '127.0.0.1';
  url.port = String(typeof address === 'object' && address?.port);
  const db: Db = await openPostgres(url.href);
  try {
    const before = await db.dataVersion();
    for (const socket of sockets) socket.unpipe().pause();
    await expect(db.dataVersion()).rejects.toThrow('the connection to the database broke');
    expect(await db.dataVersion()).toBe(before);
  } finally {
    for (const socket of sockets) socket.destroy();
    await db.close();
    proxy.close();
  }
}, 60_000);
