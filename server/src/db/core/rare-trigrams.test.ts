import { expect, test } from 'vitest';
import { fewTogether, trigramsOf } from './rare-trigrams.ts';

const shares = (text: string, shareOf: (trigram: string) => number) =>
  trigramsOf(text)
    .map((trigram, at) => ({ trigram, at, share: shareOf(trigram) }))
    .toSorted((one, other) => one.share - other.share);
const chosen = (text: string, count: number, shareOf: (trigram: string) => number = () => 0.01) =>
  fewTogether(shares(text, shareOf), count).map(({ trigram }) => trigram);

test('of trigrams that are equally rare, those with no character in common are chosen first', () => {
  expect(chosen('791900', 2)).toEqual(['791', '900']);
  expect(chosen('791900', 3)).toEqual(['791', '900', '190']);
  expect(chosen('7919', 3)).toEqual(['791', '919']);
});

test('one that nearly every text has is not chosen for being far away', () => {
  const shareOf = (trigram: string) => (/\d\d/.test(trigram) ? 0.01 : 0.9);
  expect(chosen('no. 791', 2, shareOf)).toEqual([' 79', '791']);
});
