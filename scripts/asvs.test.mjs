import { expect, test } from 'vitest';
import { checkAsvs } from './asvs.mjs';
import { requirementsUpTo } from './asvs-levels.mjs';

const read = (file) => (file === 'a.test.ts' ? "test('a rule that holds', () => {})" : undefined);
const shown = '`a.test.ts` “a rule that holds”';
const whole = [
  ...requirementsUpTo(2).map(({ number, level }) => row(number, level, 'met', shown)),
  'Level 1: 70 met, 0 not applicable, 0 not met.',
  'Level 2: 183 met, 0 not applicable, 0 not met.',
];

test('level 1 has 70 requirements and level 2 adds 183', () => {
  expect(requirementsUpTo(1)).toHaveLength(70);
  expect(requirementsUpTo(2)).toHaveLength(253);
  expect(requirementsUpTo(3)).toHaveLength(345);
});

test('accepts and counts a complete document', () => {
  const { faults, table } = checkAsvs(whole.join('\n'), read);
  expect(faults).toEqual([]);
  expect(table.split('\n').at(-1)).toMatch(/all +70 +0 +0 +183 +0 +0$/);
});

test.each([
  ['a missing requirement', whole.slice(1), '1.1.1 (level 2) appears 0 times'],
  ['a duplicated requirement', [...whole, whole[0]], '1.1.1 (level 2) appears 2 times'],
  ['an unknown requirement', [...whole, row('1.1.9', 2, 'met', shown)], '1.1.9 is not a requirement'],
  ['a wrong level', [row('1.1.1', 1, 'met', shown), ...whole.slice(1)], '1.1.1 is a requirement of level 2, not 1'],
  ['an unknown state', [row('1.1.1', 2, 'mostly', shown), ...whole.slice(1)], '1.1.1 is “mostly”'],
  [
    'a claim without evidence',
    [row('1.1.1', 2, 'met', 'believe it please'), ...whole.slice(1)],
    'no evidence is given',
  ],
  ['a missing file', [row('1.1.1', 2, 'met', '`b.test.ts`'), ...whole.slice(1)], 'b.test.ts, which does not exist'],
  [
    'a missing test',
    [row('1.1.1', 2, 'met', '`a.test.ts` “old name”'), ...whole.slice(1)],
    'is not in a.test.ts: old name',
  ],
  ['an outdated sum', whole.slice(0, -1), 'this line is missing: Level 2: 183 met'],
  [
    'a failed requirement without a reason',
    [row('1.1.1', 2, 'not met', 'Sorry.'), ...whole.slice(1)],
    'no reason is given',
  ],
])('finds %s', (_, rows, fault) => {
  expect(checkAsvs(rows.join('\n'), read).faults.join('\n')).toContain(fault);
});

function row(number, level, state, shownBy) {
  return `| ${number} | ${level} | ${state} | Something | ${shownBy} |`;
}
