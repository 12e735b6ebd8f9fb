// npm run bench -- fuzz [--requests 100000] [--seed 1] [--database sqlite|postgres] [--only '/history']
// The same seed sends the same requests, except for ids that the server assigns.
import { parseArgs } from 'node:util';
import { startPostgres } from '../../server/testing/postgres.ts';
import { fuzz } from './fuzz.ts';
import { fuzzedServer } from './server.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    database: { type: 'string', default: 'sqlite' },
    only: { type: 'string', default: '' },
  },
});

const startedAt = performance.now();
const postgres = values.database === 'postgres' ? await startPostgres() : null;
await postgres?.createDatabase('fuzz');
const server = await fuzzedServer(postgres?.url('fuzz') ?? null);
console.log(`seed ${values.seed}, ${values.requests} requests, ${values.database}`);
try {
  const report = await fuzz({
    url: server.url,
    store: server.store,
    seed: Number(values.seed),
    requests: Number(values.requests),
    only: values.only,
    onProgress: (done) => {
      if (done % 6_400 === 0) console.log(`${done} …`);
    },
  });
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  console.log(`\n${report.requests} requests to ${report.routes} routes in ${seconds} s, memory ${server.rssMb()} MB`);
  console.log(
    `slowest ${Math.round(report.slowestMs)} ms; ${report.refusedBatches} batches of refusals, nothing changed`,
  );
  console.table(report.statuses);
  for (const { number, what, curl } of report.faults) console.log(`\n#${number}: ${what}\n${curl}`);
  console.log(report.faults.length === 0 ? '\nno fault' : `\n${report.faults.length} faults; seed ${values.seed}`);
  process.exitCode = report.faults.length === 0 ? 0 : 1;
} finally {
  await server.stop();
  await postgres?.stop();
}
