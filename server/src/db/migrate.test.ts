import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { newPostgresDatabase } from '../testing.ts';
import { openDatabase } from './database.ts';
import { pending } from './migrate.ts';

const folder = mkdtempSync(join(tmpdir(), 'perfume-migrate-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('migrations', () => {
  const known = ['0001-a', '0002-b'].map((name) => ({ name, sql: '', checksum: `sum of ${name}` }));

  test('run in order, each once', () => {
    expect(pending(known, []).map(({ name }) => name)).toEqual(['0001-a', '0002-b']);
    expect(pending(known, known.slice(0, 1)).map(({ name }) => name)).toEqual(['0002-b']);
    expect(pending(known, known)).toEqual([]);
  });

  test('are never edited after they ran', () => {
    expect(() => pending(known, [{ name: '0001-a', checksum: 'another' }])).toThrow('was changed');
  });

  test('of a newer version are not run over by an older one', () => {
    expect(() => pending(known.slice(0, 1), known)).toThrow('newer version');
  });
});

describe.each(['SQLite', 'PostgreSQL'])('servers that start together on %s', (database) => {
  test('migrate once', async () => {
    const url = database === 'SQLite' ? join(folder, 'warehouse.sqlite') : await newPostgresDatabase();
    const starts = Array.from({ length: 4 }, () => startInAnotherProcess(url));
    expect(await Promise.all(starts)).toEqual([0, 0, 0, 0]);
    const names = database === 'SQLite' ? namesInSqlite(url) : await namesInPostgres(url);
    expect(names).toEqual([...new Set(names)]);
    expect(names[0]).toBe('0001-ledger');
    await (await openDatabase(url)).close();
  });
});

function startInAnotherProcess(url: string): Promise<number | null> {
  const script = `import { openDatabase } from ${JSON.stringify(join(import.meta.dirname, 'database.ts'))};
    const db = await openDatabase(process.argv[1]); await db.checkWritable(); await db.close();`;
  const child = fork('--eval', [], { execArgv: ['--input-type=module', '--eval', script, url], stdio: 'inherit' });
  return new Promise((resolve) => child.once('exit', resolve));
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
