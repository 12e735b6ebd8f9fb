import { describe, expect, test } from 'vitest';
import { isLongForm } from '../../server/testing/form.ts';
import type { Violation } from './checker.ts';
import { embeddedEnvironment } from './environment-embedded.ts';
import { type MutantName, mustApply, mutants } from './mutants.ts';
import { run } from './run.ts';

/** A plan with many network faults, and one with crashes in addition. */
const NOISY = { seed: 'teeth', kinds: ['server-kill'], faults: 0, clients: 8, spacing: 250, noise: 10 } as const;
const CRASHING = { ...NOISY, seed: 'teeth that shut', faults: 2, spacing: 100 } as const;

async function violationsOf(
  runs: (typeof NOISY | typeof CRASHING)[],
  mutant?: MutantName,
): Promise<Violation['kind'][]> {
  const environment = await embeddedEnvironment({ diskMb: null, mutant });
  try {
    const found: Violation[] = [];
    for (const options of runs) found.push(...(await run(environment, options)).violations);
    return found.map(({ kind }) => kind);
  } finally {
    await environment.close();
  }
}

// These tests mostly wait for servers to start, so they run in parallel.
describe.concurrent('the checker', () => {
  test('finds doubled changes when idempotency is disabled', async () => {
    expect(await violationsOf([NOISY], 'idempotency off')).toContain('doubled');
  }, 180_000);

  if (isLongForm) {
    test('finds wrong differences with last write wins', async () => {
      expect(await violationsOf([NOISY], 'last write wins')).toContain('wrong difference');
    }, 180_000);

    test('finds lost changes when the response comes before the commit', async () => {
      expect(await violationsOf([CRASHING], 'answer before the commit')).toContain('lost');
    }, 180_000);

    test('finds nothing in the unchanged product with the same runs', async () => {
      expect(await violationsOf([NOISY, CRASHING])).toEqual([]);
    }, 180_000);
  }

  // The fourth mutant, synchronous_commit=local, needs a standby. It is in standby.test.ts.

  test.each(Object.keys(mutants) as MutantName[])('can still apply the mutant "%s" to the source', (name) => {
    expect(() => mustApply(name)).not.toThrow();
  });
});
