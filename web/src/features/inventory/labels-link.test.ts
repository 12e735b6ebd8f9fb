import { expect, test } from 'vitest';
import { labelsLink, readLabelsLink } from './labels-link.ts';

const idsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`);

test.each([0, 1, 50, 51, 200, 2_000])('the link to the labels of %i items names them all', (count) => {
  const { to, state } = labelsLink(idsOf(count));
  expect(to.length).toBeLessThan(2_000);
  expect(readLabelsLink(new URL(to, 'http://a').search, state)).toEqual(idsOf(count));
});

test('a damaged link names what can be read, each once', () => {
  const [id] = idsOf(1);
  expect(readLabelsLink(`?ids=${id},x,,${id?.toUpperCase()}`, null)).toEqual([id]);
  for (const state of [null, 5, { ids: 'x' }, { ids: [5, null] }]) expect(readLabelsLink('', state)).toEqual([]);
});
