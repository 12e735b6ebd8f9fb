import { expect, test } from 'vitest';
import { rankByUse } from './rank-by-use.ts';

const on = (day: number, itemId: string | null) => ({
  itemId,
  at: `2026-05-${String(day).padStart(2, '0')}T10:00:00Z`,
});

test('items used often or used last come first; changes of the settings have no item', () => {
  const entries = [on(28, 'new'), on(27, null), on(26, 'often'), on(25, 'often'), on(24, 'often'), on(1, 'old')];
  expect(rankByUse(entries)).toEqual(['often', 'new', 'old']);
  expect(rankByUse([])).toEqual([]);
});
