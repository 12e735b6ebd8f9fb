import { expect, test } from 'vitest';
import { isLongForm } from '../server/testing/form.ts';
import { crashRepeatedly } from './crash.ts';

const KILLS = isLongForm ? 5 : 3;

test('kill -9 under load loses no acknowledged change and doubles no retried one', async () => {
  const report = await crashRepeatedly(KILLS);
  expect(report).toMatchObject({ kills: KILLS, lost: 0, doubled: 0, unexplained: 0, unbalanced: 0 });
  expect(report.acknowledged).toBeGreaterThan(KILLS * 10);
}, 120_000);
