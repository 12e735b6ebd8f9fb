import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import pg from 'pg';
import { expect, inject, test, vi } from 'vitest';
import { isLongForm } from './form.ts';
import { startPostgres } from './postgres.ts';

test('all test files share one server', async () => {
  expect(await query(inject('postgresUrl'), 'select 1 as one')).toEqual([{ one: 1 }]);
});

test.runIf(isLongForm)('data written before a kill is there after a restart', async () => {
  const postgres = await startPostgres({ durable: true });
  try {
    await postgres.createDatabase('database "one"');
    const url = postgres.url('database "one"');
    await query(url, 'create table bottles (name text)');
    await query(url, `insert into bottles values ('Oud')`);
    postgres.kill('SIGKILL');
    await postgres.restart();
    expect(await query(url, 'select name from bottles')).toEqual([{ name: 'Oud' }]);
    expect(await query(url, 'show fsync')).toEqual([{ fsync: 'on' }]);
  } finally {
    await postgres.stop();
  }
  expect(isAlive(postgres.pid)).toBe(false);
});

test.runIf(isLongForm)('a server does not outlive a killed test run', async () => {
  const program = `
    import { startPostgres } from ${JSON.stringify(new URL('./postgres.ts', import.meta.url).href)};
    const postgres = await startPostgres();
    console.log(JSON.stringify({ pid: postgres.pid }));
    setInterval(() => {}, 1000);`;
  const run = spawn(process.execPath, ['--input-type=module-typescript', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(run.stdout, 'data');
  const { pid } = JSON.parse(String(line)) as { pid: number };
  expect(isAlive(pid)).toBe(true);

  run.kill('SIGKILL');
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 10_000 });
});

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

function isAlive(pid: number): boolean {
  if (existsSync('/proc/self')) return existsSync(`/proc/${pid}`);
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
