import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLongForm } from '../../server/testing/form.ts';
import { run } from './run.ts';
import type { FaultKind } from './schedule.ts';
import type { World } from './world.ts';
import { embeddedWorld } from './world-embedded.ts';
import { postgresWorld } from './world-postgres.ts';

// A seed that is new each time: what it finds is found again by naming it.
const seeds = [randomBytes(4).toString('hex'), ...(isLongForm ? ['every day'] : [])];

const forms: [form: string, open: () => Promise<World>][] = [
  ['embedded', () => embeddedWorld({ diskMb: 128 })],
  ['postgres', () => postgresWorld()],
];

describe.each(forms)('%s', (form, open) => {
  let world: World;
  beforeAll(async () => {
    world = await open();
  }, 180_000);
  afterAll(() => world.close());

  test.each(seeds)(
    'nothing is lost, doubled or made up when everything goes wrong once (seed %s)',
    async (seed) => {
      const kinds = Object.keys(world.faults) as FaultKind[];
      const faults = kinds.length;
      const outcome = await run(world, { seed, kinds, faults, clients: 8, spacing: 80, noise: 6, haste: 3 });
      const again = `--form ${form} --seed "${seed}" --faults ${faults} --clients 8 --spacing 80 --noise 6 --haste 3`;
      expect(outcome.violations, `once more: npm run bench -- faults ${again}`).toEqual([]);
      expect(outcome.struck.map(({ kind }) => kind).toSorted()).toEqual(kinds.toSorted());
    },
    180_000,
  );
});
