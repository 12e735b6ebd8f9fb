import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'perfume-only-'));
const running = new Set<ChildProcess>();
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL');
  await Promise.all([...running].map((child) => once(child, 'exit')));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a second server on the same file is refused and told whose it is; the first goes on', async () => {
  const first = await start('one');
  const second = await start('one');
  expect(first.said).toContain('is open at');
  expect([second.code, second.said]).toEqual([1, expect.stringContaining(`in use by process ${first.child.pid}`)]);
  expect(await answers(first)).toBe(200);
});

test('of several that start in the same instant one serves', async () => {
  const starts = await Promise.all(['many', 'many', 'many', 'many'].map(start));
  const open = starts.filter(({ said }) => said.includes('is open at'));
  expect(open).toHaveLength(1);
  expect(starts.filter(({ code }) => code === 1)).toHaveLength(3);
  for (const server of open) expect(await answers(server)).toBe(200);
});

test('after kill -9 the next start finds nothing in its way', async () => {
  const first = await start('killed');
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  expect((await start('killed')).said).toContain('is open at');
});

test.each([
  ['nothing but zeros', Buffer.alloc(8_192)],
  ['half a page', Buffer.from(`SQLite format 3\0${'x'.repeat(600)}`)],
])('a lock file that a power cut left with %s is in nobody’s way, and locks again', async (kind, left) => {
  mkdirSync(join(folder, kind), { recursive: true });
  writeFileSync(join(folder, kind, 'warehouse.sqlite.lock'), left);
  const first = await start(kind);
  expect(first.said).toContain('is open at');
  expect((await start(kind)).said).toContain(`in use by process ${first.child.pid}`);
});

test('verify and backup need no leave, restore and the move do', async () => {
  const server = await start('beside');
  const verified = await run('beside', 'verify');
  expect([verified.code, verified.said]).toEqual([0, expect.stringContaining('The ledger is whole')]);
  const backup = await run('beside', 'backup');
  expect(backup.code).toBe(0);
  const made = backup.said.trim().split('\n').at(-1) ?? '';
  const refused = [
    await run('beside', 'restore', made, '--replace'),
    await run('beside', 'migrate-to-postgres', 'postgres://127.0.0.1:1/none'),
  ];
  for (const { code, said } of refused) {
    expect([code, said]).toEqual([1, expect.stringContaining(`in use by process ${server.child.pid}`)]);
  }
  expect(await answers(server)).toBe(200);
});

type Started = { child: ChildProcess; said: string; code: number | null };

/** Until it is open, or has ended. */
function start(name: string): Promise<Started> {
  return follow(name, ['main.ts'], /is open at/);
}

function run(name: string, program: string, ...args: string[]): Promise<Started> {
  return follow(name, [`programs/${program}.ts`, ...args], /$^/);
}

async function follow(name: string, [program = '', ...args]: string[], until: RegExp): Promise<Started> {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [join(import.meta.dirname, '../..', program), ...args], {
    env: { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, PORT: '0', LOG_LEVEL: 'error', DATA_DIR: join(folder, name) },
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let said = '';
  await new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        if (until.test(said)) resolve();
      });
    }
    child.once('close', () => resolve());
  });
  return { child, said, code: child.exitCode };
}

async function answers({ said }: Started): Promise<number> {
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
  return (await fetch(`${url}/readyz`)).status;
}
