// npm run bench -- faults --form embedded|postgres|cluster [--faults 40] [--seed abc] [--clients 16] [--spacing 500]
//   [--noise 1] [--haste 1] [--only server-kill,disk-full] [--history file]
// Injects faults into real servers, chosen by the seed. Then a checker compares requests, responses and the final
// state.
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { Environment } from './environment.ts';
import { clusterEnvironment } from './environment-cluster.ts';
import { embeddedEnvironment } from './environment-embedded.ts';
import { postgresEnvironment } from './environment-postgres.ts';
import { print } from './report.ts';
import { run } from './run.ts';
import { type FaultKind, faultKinds } from './schedule.ts';

const { values } = parseArgs({
  options: {
    form: { type: 'string', default: 'embedded' },
    faults: { type: 'string', default: '40' },
    seed: { type: 'string', default: randomBytes(4).toString('hex') },
    clients: { type: 'string', default: '16' },
    spacing: { type: 'string', default: '500' },
    noise: { type: 'string', default: '1' },
    haste: { type: 'string', default: '1' },
    only: { type: 'string' },
    history: { type: 'string' },
  },
});
const [faults, clients, spacing, noise] = [values.faults, values.clients, values.spacing, values.noise].map(Number);
if (!faults || !clients || !spacing || noise === undefined) throw new Error('faults, clients and spacing are numbers');

const only = values.only?.split(',') as FaultKind[] | undefined;
const unknownKind = only?.find((kind) => !faultKinds.includes(kind));
if (unknownKind) throw new Error(`there is no fault ${unknownKind}: there are ${faultKinds.join(', ')}`);

const KB_PER_OPERATION = 4;
const environments: Record<string, () => Promise<Environment>> = {
  embedded: () =>
    embeddedEnvironment({
      // Without the fault disk-full, the database file is on the machine's own disk.
      diskMb: !only || only.includes('disk-full') ? 64 + Math.ceil((faults * spacing * KB_PER_OPERATION) / 1024) : null,
    }),
  postgres: () => postgresEnvironment(),
  cluster: clusterEnvironment,
};
const openEnvironment = environments[values.form];
if (!openEnvironment) throw new Error(`--form is one of ${Object.keys(environments).join(', ')}`);

console.log(`Seed ${values.seed}`);
const environment = await openEnvironment();
try {
  const kinds = only ?? (Object.keys(environment.faults) as FaultKind[]);
  const outcome = await run(environment, {
    seed: values.seed,
    kinds,
    faults,
    clients,
    spacing,
    noise,
    haste: Number(values.haste),
    historyFile: values.history,
    log: (text) => console.error(text),
  });
  print(values.form, outcome);
  process.exitCode = outcome.violations.length > 0 ? 1 : 0;
} finally {
  await environment.close();
}
