import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { isLongForm } from '../../../testing/form.ts';

const folder = mkdtempSync(join(tmpdir(), 'perfume-lock-'));
const running = new Set<ChildProcess>();
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL');
  await Promise.all([...running].map((child) => once(child, 'exit')));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('refuses a second server on the same file and names the process that holds it, until that one is killed', async () => {
  const first = await start('one');
  const second = await start('one');
  expect(first.output).toContain('is running at');
  expect([second.code, second.output]).toEqual([1, expect.stringContaining(`in use by process ${first.child.pid}`)]);
  expect(await readyStatus(first)).toBe(200);
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  expect((await start('one')).output).toContain('is running at');
});

test('lets exactly one of several servers that start together serve', async () => {
  const together = isLongForm ? 6 : 3;
  const starts = await Promise.all(Array.from({ length: together }, () => start('many')));
  const open = starts.filter(({ output }) => output.includes('is running at'));
  expect(open).toHaveLength(1);
  expect(starts.filter(({ code }) => code === 1)).toHaveLength(together - 1);
  for (const server of open) expect(await readyStatus(server)).toBe(200);
});

const remains: [kind: string, left: Buffer][] = [['nothing but zeros', Buffer.alloc(8_192)]];
if (isLongForm) remains.push(['half a page', Buffer.from(`SQLite format 3\0${'x'.repeat(600)}`)]);

test.each(remains)(
  'starts, and locks again, when a power cut left the lock file with %s: verify and backup run beside the server, but not restore or migrate-to-postgres',
  async (kind, left) => {
    mkdirSync(join(folder, kind), { recursive: true });
    writeFileSync(join(folder, kind, 'warehouse.sqlite.lock'), left);
    const server = await start(kind);
    expect(server.output).toContain('is running at');
    const [verified, backup] = await Promise.all([run(kind, 'verify'), run(kind, 'backup')]);
    expect([verified.code, verified.output]).toEqual([0, expect.stringContaining('The ledger is intact')]);
    expect(backup.code).toBe(0);
    const made = backup.output.trim().split('\n').at(-1) ?? '';
    const refused = await Promise.all([
      run(kind, 'restore', made, '--replace'),
      run(kind, 'migrate-to-postgres', 'postgres://127.0.0.1:1/none'),
    ]);
    for (const { code, output } of refused) {
      expect([code, output]).toEqual([1, expect.stringContaining(`in use by process ${server.child.pid}`)]);
    }
    expect(await readyStatus(server)).toBe(200);
  },
);

type Started = { child: ChildProcess; output: string; code: number | null };

/** Starts a server. Resolves when it is running or has ended. */
function start(name: string): Promise<Started> {
  return follow(name, ['main.ts'], /is running at/);
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
  let output = '';
  await new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (until.test(output)) resolve();
      });
    }
    child.once('close', () => resolve());
  });
  return { child, output, code: child.exitCode };
}

async function readyStatus({ output }: Started): Promise<number> {
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0];
  return (await fetch(`${url}/readyz`)).status;
}
