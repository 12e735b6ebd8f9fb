import { expect, test } from 'vitest';
import { crashAgainAndAgain } from './crash.ts';

test('kill -9 under load loses nothing that was acknowledged and doubles nothing that was asked again', async () => {
  const report = await crashAgainAndAgain(5);
  expect(report).toMatchObject({ kills: 5, lost: 0, doubled: 0, unexplained: 0, unbalanced: 0 });
  expect(report.acknowledged).toBeGreaterThan(50);
}, 120_000);
