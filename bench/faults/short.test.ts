import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLongForm } from '../../server/testing/form.ts';
import type { Environment } from './environment.ts';
import { embeddedEnvironment } from './environment-embedded.ts';
import { postgresEnvironment } from './environment-postgres.ts';
import { run } from './run.ts';
import type { FaultKind } from './schedule.ts';

// Each run uses a new seed; a failure can be repeated with its seed.
const seeds = [randomBytes(4).toString('hex'), ...(isLongForm ? ['every day'] : [])];

/** How many operations come between two faults. */
const spacing = isLongForm ? 80 : 50;

const forms: [form: string, open: () => Promise<Environment>][] = [
  ['embedded', () => embeddedEnvironment({ diskMb: 128 })],
  ['postgres', () => postgresEnvironment()],
];

describe.each(forms)('%s', (form, open) => {
  let environment: Environment;
  beforeAll(async () => {
    environment = await open();
  }, 180_000);
  afterAll(() => environment.close());

  test.each(seeds)(
    'nothing is lost, doubled or made up when everything goes wrong once (seed %s)',
    async (seed) => {
      const kinds = Object.keys(environment.faults) as FaultKind[];
      const faults = kinds.length;
      const outcome = await run(environment, { seed, kinds, faults, clients: 8, spacing, noise: 6, haste: 3 });
      const again = `--form ${form} --seed "${seed}" --faults ${faults} --clients 8 --spacing ${spacing} --noise 6 --haste 3`;
      expect(outcome.violations, `once more: npm run bench -- faults ${again}`).toEqual([]);
      expect(outcome.injectedFaults.map(({ kind }) => kind).toSorted()).toEqual(kinds.toSorted());
    },
    180_000,
  );
});
