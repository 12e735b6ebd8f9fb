import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { isLongForm } from '../../../testing/form.ts';
import { newPostgresDatabase } from '../../testing.ts';
import { openDatabase } from '../open.ts';
import { int8AsNumber } from '../postgres/postgres-client.ts';
import { migrateInTransaction, migratePostgres, pending } from './migrate.ts';

const folder = mkdtempSync(join(tmpdir(), 'perfume-migrate-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('migrations', () => {
  const known = ['0001-a', '0002-b'].map((name) => ({ name, sql: '', checksum: `sum of ${name}` }));

  test('run in order, each once', () => {
    expect(pending(known, []).map(({ name }) => name)).toEqual(['0001-a', '0002-b']);
    expect(pending(known, known.slice(0, 1)).map(({ name }) => name)).toEqual(['0002-b']);
    expect(pending(known, known)).toEqual([]);
  });

  test('must not be edited after they ran', () => {
    expect(() => pending(known, [{ name: '0001-a', checksum: 'another' }])).toThrow('was changed');
  });

  test('of a newer version stop an older one', () => {
    expect(() => pending(known.slice(0, 1), known)).toThrow('newer version');
  });
});

test('SQLite plans its queries without statistics, also on a file of an earlier version that has some', async () => {
  const file = join(folder, 'statistics.sqlite');
  await (await openDatabase(file)).close();
  const connection = new DatabaseSync(file);
  expect(statisticsOf(connection)).toEqual([]);
  connection.exec('analyze');
  expect(statisticsOf(connection)).not.toEqual([]);
  connection.exec(readFileSync(join(import.meta.dirname, '0025-no-statistics.sqlite.sql'), 'utf8'));
  expect(statisticsOf(connection)).toEqual([]);
  connection.close();
});

const statisticsOf = (connection: DatabaseSync) => connection.prepare('select tbl from sqlite_stat1').all();

describe('items of an earlier version are counted by stock', () => {
  const item = (id: string, quantity: number, deletedAt: number | null) =>
    `insert into items (id, name, name_key, price_cents, quantity, image_url, description, supplier_name, supplier_key,
       email, email_key, version, stock_seq, created_by, created_at, updated_at, deleted_at)
     values ('${id}', '', '', 1, ${quantity}, '', '', '', '', '', '', 1, 1, 'ann', 1, 1, ${deletedAt});`;
  const items = [item('a', 0, null), item('b', 10, null), item('c', 11, null), item('d', 0, 5)].join('');
  const tally = 'select out_of_stock, low from item_tallies where house = 1 and slot = 0';
  const expected = { out_of_stock: 1, low: 2 };

  test('in SQLite', () => {
    const connection = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false });
    connection.function('ledger_hash', { varargs: true }, () => null);
    const { earlier, later } = migrations('sqlite', '0034');
    connection.exec(earlier + items + later);
    expect(connection.prepare(tally).get()).toEqual(expected);
    connection.close();
  });

  test('in PostgreSQL', async () => {
    const client = new pg.Client({ connectionString: await newPostgresDatabase(), types: int8AsNumber });
    await client.connect();
    const { earlier, later } = migrations('postgres', '0034');
    // A role without triggers and foreign keys, because these items have no movements.
    await client.query(`${earlier} set session_replication_role = replica; ${items} ${later}`);
    expect((await client.query(tally)).rows).toEqual([expected]);
    await client.end();
  });

  function migrations(database: string, first: string): { earlier: string; later: string } {
    const names = readdirSync(import.meta.dirname).filter((name) => name.endsWith(`.${database}.sql`));
    const sqlOf = (some: string[]) =>
      some
        .toSorted()
        .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
        .join('\n');
    return {
      earlier: sqlOf(names.filter((name) => name < first)),
      later: sqlOf(names.filter((name) => name >= first)),
    };
  }
});

// SQLite is tested with many files, because the race on a new file lasts only a moment.
const files = isLongForm ? 40 : 12;
const databases = [
  { name: 'SQLite', urls: async () => Array.from({ length: files }, (_, n) => join(folder, `${n}.sqlite`)) },
  { name: 'PostgreSQL', urls: async () => [await newPostgresDatabase()] },
];

describe.each(databases)('servers that start together on $name', ({ name, urls }) => {
  test('migrate once', async () => {
    const servers = Array.from({ length: 4 }, anotherProcess);
    try {
      for (const url of await urls()) {
        expect(await Promise.all(servers.map(({ open }) => open(url)))).toEqual(Array(4).fill('opened'));
        const names = name === 'SQLite' ? namesInSqlite(url) : await namesInPostgres(url);
        expect(names).toEqual([...new Set(names)]);
        expect(names[0]).toBe('0001-ledger');
      }
    } finally {
      for (const { end } of servers) end();
    }
  });
});

test('a server that waits for another one to migrate PostgreSQL has no timeout', async () => {
  const connectionString = await newPostgresDatabase();
  const [holder, waiter] = [new pg.Client({ connectionString }), new pg.Client({ connectionString })];
  await Promise.all([holder.connect(), waiter.connect()]);
  await holder.query('begin');
  await migrateInTransaction(holder);
  await waiter.query('set statement_timeout = 100');
  const waiting = migratePostgres(waiter);
  await holder.query('select pg_sleep(0.5)');
  await holder.query('commit');
  await waiting;
  await Promise.all([holder.end(), waiter.end()]);
});

function anotherProcess(): { open(url: string): Promise<string>; end(): void } {
  const script = `import { openDatabase } from ${JSON.stringify(join(import.meta.dirname, '../open.ts'))};
    process.on('message', async (url) => {
      try {
        const db = await openDatabase(url);
        await db.checkWritable();
        await db.close();
        process.send('opened');
      } catch (error) {
        process.send(String(error));
      }
    });`;
  const child = fork('server', [], { execArgv: ['--input-type=module', '--eval', script], stdio: 'inherit' });
  const gone = once(child, 'exit').then(([code]) => `exited with ${code}`);
  return {
    open(url) {
      child.send(url);
      return Promise.race([new Promise<string>((resolve) => child.once('message', resolve)), gone]);
    },
    end: () => void child.kill(),
  };
}

function namesInSqlite(file: string): string[] {
  const db = new DatabaseSync(file);
  const rows = db.prepare('select name from migrations order by name').all() as { name: string }[];
  db.close();
  return rows.map(({ name }) => name);
}

async function namesInPostgres(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>('select name from migrations order by name');
  await client.end();
  return rows.map(({ name }) => name);
}
