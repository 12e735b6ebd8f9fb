// npm run bench -- import [--database sqlite|postgres] [--rows 100000] [--people 32]
// People restock while a file is imported. Half way the server is killed; a new one goes on with the import. Then the
// items are exported. Prints how long the people waited, with and without that, and checks that every row and every
// restock is there once.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { WireImport } from '@perfume/contract/transfer';
import type { WireItem } from '@perfume/contract/wire-item';
import { startPostgres } from '../server/testing/postgres.ts';
import { startOurs } from './servers.ts';
import { signIn } from './shop.ts';

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    rows: { type: 'string', default: '100000' },
    people: { type: 'string', default: '32' },
  },
});
const rows = Number(values.rows);
const QUIET_MS = 15_000;
const EXPORTS = ['items?format=csv', 'items?format=xlsx', 'items?format=jsonl', 'history?format=csv', 'house'];
/** A person scans a bottle about every two seconds; these are in a hurry. */
const PAUSE_MS = 100;
const DESCRIPTION = 'A deep iris over wet ink and cedar, quiet as a late library, number';

const folder = mkdtempSync(join(tmpdir(), 'perfume-bench-'));
const postgres = values.database === 'postgres' ? await startPostgres({ durable: true }) : null;
await postgres?.createDatabase('ours');
const settings = { DATA_DIR: folder, ...(postgres && { DATABASE_URL: postgres.url('ours') }) };
let server = await startOurs(settings);
let cookie = await signIn(server.url);

try {
  const before = await read<WireItem[]>('/all-inventory-items?limit=200');
  const unitsBefore = await unitsOnHand();
  const waits: Record<'quiet' | 'importing' | 'exporting', number[]> = { quiet: [], importing: [], exporting: [] };
  let phase: keyof typeof waits = 'quiet';
  let restocked = 0;
  let isOver = false;
  const people = Array.from({ length: Number(values.people) }, async (_, person) => {
    const item = before[person % before.length];
    while (!isOver) {
      const startedAt = performance.now();
      const during = phase;
      // A restock without an answer is sent again under its key.
      const key = crypto.randomUUID();
      const answer = await retry(() =>
        send('POST', `/inventory-items/${item?._id}/movements`, '{"kind":"restock","units":1}', {
          'content-type': 'application/json',
          'idempotency-key': key,
        }),
      );
      if (answer.tries === 1) waits[during].push(performance.now() - startedAt);
      restocked++;
      await wait(PAUSE_MS * Math.random() * 2);
    }
  });

  await wait(QUIET_MS);
  const sentAt = performance.now();
  const sent = await send('POST', '/imports?name=bench.csv', csv(), { 'content-type': 'text/csv' });
  const file = (await sent.json()) as WireImport;
  console.log(`${rows} rows read and checked in ${seconds(sentAt)} s: ${JSON.stringify(file.summary)}`);
  phase = 'importing';
  const startedAt = performance.now();
  await send('POST', `/imports/${file.id}/apply`);
  await until(file.id, ({ done }) => done > rows / 2);
  const killedAt = performance.now();
  server.kill('SIGKILL');
  await server.ended;
  server = await startOurs(settings);
  cookie = await signIn(server.url);
  await until(file.id, ({ done, of }) => done > of / 2 + 1_000);
  console.log(`killed half way; another server goes on after ${seconds(killedAt)} s`);
  const ended = await until(file.id, ({ state }) => state !== 'running');
  console.log(`${ended.state} after ${seconds(startedAt)} s, memory ${Math.round(server.rssMb())} MB`);
  phase = 'exporting';
  for (const path of EXPORTS) {
    const exportedAt = performance.now();
    const bytes = (await (await send('GET', `/exports/${path}`)).arrayBuffer()).byteLength;
    console.log(`/exports/${path}: ${(bytes / 1e6).toFixed(1)} MB in ${seconds(exportedAt)} s`);
  }
  console.log(`memory ${Math.round(server.rssMb())} MB`);
  isOver = true;
  await Promise.all(people);

  const quiet = p99(waits.quiet);
  for (const phase of ['importing', 'exporting'] as const) {
    const slower = p99(waits[phase]);
    console.log(
      `restocks p99: ${quiet.toFixed(1)} ms quiet, ${slower.toFixed(1)} ms ${phase}, ratio ${(slower / quiet).toFixed(2)}`,
    );
  }
  const batch = await read<{ entries: number; delta: number }>(`/batches/${ended.batch}`);
  const units = (await unitsOnHand()) - unitsBefore;
  const isExact = ended.state === 'done' && batch.entries === rows && units === restocked + batch.delta;
  console.log(
    isExact ? 'exact' : `WRONG: ${batch.entries} of ${rows} rows, ${units} units, ${restocked + batch.delta} expected`,
  );
  process.exitCode = isExact ? 0 : 1;
} finally {
  server.kill('SIGKILL');
  await server.ended;
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
}

function csv(): string {
  const lines = Array.from(
    { length: rows },
    (_, n) => `Perfume ${n};BENCH-${n};${n % 50};${Math.floor(n / 100) + 1},50;House ${n % 40};${DESCRIPTION} ${n}`,
  );
  return `Name;SKU;Quantity;Price;Supplier;Description\n${lines.join('\n')}\n`;
}

function send(method: string, path: string, body?: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(server.url + path, {
    method,
    headers: { cookie, origin: server.url, ...headers },
    ...(body !== undefined && { body }),
  });
}

async function read<T>(path: string): Promise<T> {
  return (await (await send('GET', path)).json()) as T;
}

/** Sends until the server answers with success. */
async function retry(attempt: () => Promise<Response>): Promise<{ tries: number }> {
  for (let tries = 1; ; tries++) {
    const answer = await attempt().catch(() => null);
    await answer?.arrayBuffer().catch(() => {});
    if (answer?.ok) return { tries };
    await wait(200);
  }
}

async function until(id: string, isReached: (one: WireImport) => boolean): Promise<WireImport> {
  for (;;) {
    const one = await read<WireImport>(`/imports/${id}`);
    if (isReached(one)) return one;
    await wait(500);
  }
}

async function unitsOnHand(): Promise<number> {
  return (await read<{ unitsOnHand: number }>('/insights/figures')).unitsOnHand;
}

function p99(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1_000).toFixed(1);
}
