// npm run bench -- move [--items 100000] [--movements 10]
// Measures how long it takes to back up a large warehouse, to restore it, and to move it to PostgreSQL: each with its
// own command, while nothing else runs.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../server/testing/postgres.ts';
import { chainMillion, fillMillion } from './million.ts';
import { startOurs } from './servers.ts';

const { values } = parseArgs({
  options: { items: { type: 'string', default: '100000' }, movements: { type: 'string', default: '10' } },
});
const size = { items: Number(values.items), movements: Number(values.movements) };
const ROOT = join(import.meta.dirname, '..');

console.log(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}, load ${loadavg()[0]?.toFixed(1)}, ` +
    `${size.items} items, ${size.items * size.movements} movements`,
);
const folder = mkdtempSync(join(tmpdir(), 'perfume-move-'));
const postgres = await startPostgres({ durable: true });
try {
  const data = join(folder, 'data');
  const file = join(data, 'warehouse.sqlite');
  // The first start creates the tables.
  const first = await startOurs({ DATA_DIR: data });
  first.kill();
  await first.ended;
  await fillMillion(file, size);
  chainMillion(file);
  await postgres.createDatabase('moved');

  const backups = join(folder, 'backups');
  const table: Record<string, Measured> = {};
  table.verify = await run({ DATA_DIR: data }, 'verify');
  table.backup = await run({ DATA_DIR: data }, 'backup', backups);
  const backup = join(backups, readdirSync(backups)[0] ?? '');
  table.restore = await run({ DATA_DIR: join(folder, 'restored') }, 'restore', backup);
  table['migrate-to-postgres'] = await run({ DATA_DIR: data }, 'migrate-to-postgres', postgres.url('moved'));
  table['verify, on PostgreSQL'] = await run({ DATABASE_URL: postgres.url('moved') }, 'verify');
  console.log(`The file has ${Math.round(statSync(file).size / 1e6)} MB.`);
  console.table(table);
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}

type Measured = { seconds: string; 'most memory, MB': number };

async function run(env: Record<string, string>, program: string, ...args: string[]): Promise<Measured> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [`server/src/${program}.ts`, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let most = 0;
  const look = setInterval(() => {
    most = Math.max(most, highWaterMb(child.pid ?? 0));
  }, 50);
  const code = await new Promise((resolve) => child.once('exit', resolve));
  clearInterval(look);
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
  return { seconds: ((performance.now() - startedAt) / 1_000).toFixed(1), 'most memory, MB': most };
}

/** The memory of the process itself in megabytes, without mapped files. */
function highWaterMb(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Math.round(Number(/RssAnon:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024);
  } catch {
    return 0;
  }
}
