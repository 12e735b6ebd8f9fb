import { expect, test } from 'vitest';
import { isLongForm } from '../../server/testing/form.ts';
import type { Violation } from './checker.ts';
import { run } from './run.ts';
import { standbyWorld } from './world-standby.ts';

/** People work while the primary is lost, and its synchronous standby takes over. */
async function violationsOfLosingThePrimary(synchronousCommit: 'on' | 'local'): Promise<Violation[]> {
  const world = await standbyWorld({ synchronousCommit });
  const options = { seed: 'standby', kinds: ['primary-lost'], faults: 1, clients: 6, spacing: 120, noise: 1 } as const;
  try {
    const { violations, struck } = await run(world, options);
    expect(struck).toHaveLength(1);
    return violations;
  } finally {
    await world.close();
  }
}

test.concurrent('a standby that takes over has every change that was acknowledged', async () => {
  const violations = await violationsOfLosingThePrimary('on');
  // After its crash the old primary shows what no standby has, and what it showed may be taken back. So PostgreSQL is
  // made; nobody was told that it was done.
  expect(violations.filter(({ kind }) => kind !== 'impossible read')).toEqual([]);
}, 180_000);

if (isLongForm)
  test.concurrent('with synchronous_commit=local the same loss of the primary is caught as lost changes', async () => {
    expect((await violationsOfLosingThePrimary('local')).map(({ kind }) => kind)).toContain('lost');
  }, 180_000);
