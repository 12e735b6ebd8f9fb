import { expect, test } from 'vitest';
import type { SeenCode } from './frame-messages.ts';
import { createViewfinder } from './viewfinder.ts';

const seen = (code: string, offCentre = 0, format = 'ean_13'): SeenCode => ({ code, format, offCentre });

/** Shows pictures, 100 ms apart unless told otherwise, and returns the scans, with the picture in which each was made. */
function scans(pictures: readonly (readonly SeenCode[])[], everyMs = 100): [picture: number, code: string][] {
  const look = createViewfinder();
  return pictures.flatMap((codes, i) => {
    const code = look(codes, 5_000 + i * everyMs);
    return code === null ? [] : [[i, code] as [number, string]];
  });
}

const times = <T>(count: number, picture: T): T[] => Array.from({ length: count }, () => picture);

test('a code that stays in view is one scan, even if some pictures miss it', () => {
  expect(scans([...times(20, [seen('a')]), ...times(8, []), ...times(20, [seen('a')])])).toEqual([[0, 'a']]);
});

test('a busy device that looks every 800 ms and misses a picture scans a code once', () => {
  expect(scans([[seen('a')], [], [seen('a')], [], [], [seen('a')]], 800)).toEqual([[0, 'a']]);
});

test('a code that was out of view for a second is scanned again', () => {
  expect(scans([[seen('a')], ...times(10, []), [seen('a')]])).toEqual([
    [0, 'a'],
    [11, 'a'],
  ]);
});

test('after another code, half a second is enough', () => {
  const pictures = [[seen('a')], [], [], [seen('b')], [], [seen('a')]];
  expect(scans(pictures)).toEqual([
    [0, 'a'],
    [3, 'b'],
    [5, 'a'],
  ]);
});

test('of two codes on one box, the one nearest to the middle is scanned, and only that one', () => {
  const both = [seen('qr', 300), seen('ean', 20)];
  expect(scans([both, both, [seen('qr', 300)], both, both])).toEqual([[0, 'ean']]);
});

test('a code that is read as a UPC in one picture and as its EAN in the next is one scan', () => {
  const upc = seen('036000291452', 0, 'upc_a');
  expect(scans([[upc], [], [], [seen('0036000291452')], [], [], [upc]])).toEqual([[0, '036000291452']]);
});

test('a short code is scanned when two pictures agree on it', () => {
  const wrong = seen('01234565', 0, 'upc_e');
  expect(scans([[wrong], [seen('96385074', 0, 'ean_8')], [seen('96385074', 0, 'ean_8')]])).toEqual([[2, '96385074']]);
});
