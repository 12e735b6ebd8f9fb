import { expect, test } from 'vitest';
import { addRows, MASS_READ } from './mass-reads.ts';

test('rows count for an hour, and for at most ten thousand people', () => {
  const windows: Parameters<typeof addRows>[0] = new Map();
  expect(addRows(windows, 'mia', 600, 0)).toBe(600);
  expect(addRows(windows, 'mia', 600, MASS_READ.windowMs - 1)).toBe(1_200);
  expect(addRows(windows, 'mia', 600, MASS_READ.windowMs)).toBe(600);
  for (let n = 0; n < MASS_READ.maxPeople; n++) addRows(windows, `person ${n}`, 1, MASS_READ.windowMs);
  expect(windows.size).toBe(MASS_READ.maxPeople);
  expect(windows.has('mia')).toBe(false);
});
