import { describe, expect, test } from 'vitest';
import { isLongForm } from '../../server/testing/form.ts';
import type { Violation } from './checker.ts';
import { type MutantName, mustApply, mutants } from './mutants.ts';
import { run } from './run.ts';
import { embeddedWorld } from './world-embedded.ts';

/** Much going wrong on the line; and the same with crashes. */
const NOISY = { seed: 'teeth', kinds: ['server-kill'], faults: 0, clients: 8, spacing: 250, noise: 10 } as const;
const CRASHING = { ...NOISY, seed: 'teeth that shut', faults: 2, spacing: 100 } as const;

async function violationsOf(
  runs: (typeof NOISY | typeof CRASHING)[],
  mutant?: MutantName,
): Promise<Violation['kind'][]> {
  const world = await embeddedWorld({ diskMb: null, mutant });
  try {
    const found: Violation[] = [];
    for (const options of runs) found.push(...(await run(world, options)).violations);
    return found.map(({ kind }) => kind);
  } finally {
    await world.close();
  }
}

// Most of their time they wait for servers to start, so they may wait together.
describe.concurrent('the checker has teeth', () => {
  test('with idempotency off it finds doubled changes', async () => {
    expect(await violationsOf([NOISY], 'idempotency off')).toContain('doubled');
  }, 180_000);

  if (isLongForm) {
    test('with last write wins it finds wrong differences', async () => {
      expect(await violationsOf([NOISY], 'last write wins')).toContain('wrong difference');
    }, 180_000);

    test('with an answer before the commit it finds lost changes', async () => {
      expect(await violationsOf([CRASHING], 'answer before the commit')).toContain('lost');
    }, 180_000);

    test('the product as it is passes the very same runs', async () => {
      expect(await violationsOf([NOISY, CRASHING])).toEqual([]);
    }, 180_000);
  }

  // The fourth, synchronous_commit=local, needs a standby: standby.test.ts.

  test.each(Object.keys(mutants) as MutantName[])('the place where "%s" bites is still there', (name) => {
    expect(() => mustApply(name)).not.toThrow();
  });
});
