import { sheets } from '@perfume/domain/labels';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type LabelChoices, parseChoices, parts, serializeChoices, sheetOf, symbols } from './label-choices.ts';

const length = fc.integer({ min: 15, max: 200 });
const someChoices: fc.Arbitrary<LabelChoices> = fc.record({
  sheet: fc.constantFrom(...(Object.keys(sheets) as LabelChoices['sheet'][]), 'own' as const),
  own: fc.record({ width: length, height: length }),
  symbol: fc.constantFrom(...symbols),
  shown: fc.subarray([...parts]),
  first: fc.constant(0),
});

test('the choices of a device are remembered', () => {
  fc.assert(
    fc.property(someChoices, (choices) => {
      expect(parseChoices(serializeChoices(choices))).toEqual(choices);
    }),
  );
});

test('the first free position is remembered only where the sheet has it', () => {
  const first = (sheet: string, position: string) => parseChoices(`sheet=${sheet}&first=${position}`).first;
  expect([first('a4-70x37', '23'), first('a4-70x37', '24'), first('roll-57x32', '1'), first('own', '1')]).toEqual([
    23, 0, 0, 0,
  ]);
  expect(['-1', '1.5', 'x', ''].map((position) => first('a4-70x37', position))).toEqual([0, 0, 0, 0]);
});

test.each(['', 'sheet=x&width=5&height=NaN&symbol=z', '%', 'toString=1&sheet=toString'])(
  'what cannot be read is as on the first visit (%j)',
  (text) => {
    const choices = parseChoices(text);
    expect(choices).toEqual({
      sheet: 'a4-70x37',
      own: { width: 50, height: 30 },
      symbol: 'barcode',
      shown: ['name', 'price', 'code'],
      first: 0,
    });
    expect(sheetOf(choices)).toBe(sheets['a4-70x37']);
  },
);
