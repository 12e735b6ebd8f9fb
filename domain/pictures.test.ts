import { expect, test } from 'vitest';
import { isBareWebp, pictureTypeOf } from './pictures.ts';

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

test.each([
  ['\xff\xd8\xff\xe0 and so on', 'image/jpeg'],
  ['\x89PNG\r\n\x1a\n and so on', 'image/png'],
  ['RIFF\x10\x00\x00\x00WEBPVP8 ', 'image/webp'],
  ['GIF89a', null],
  ['<svg xmlns="http://www.w3.org/2000/svg">', null],
  ['RIFF\x10\x00\x00\x00WAVEfmt ', null],
  ['\x89PNG\n\x1a\n', null],
  [' \xff\xd8\xff', null],
  ['\xff\xd8', null],
  ['', null],
])('%j is %s', (start, type) => {
  expect(pictureTypeOf(bytes(start))).toBe(type);
});

/** A WebP file of these chunks. */
function webpOf(...chunks: [kind: string, data: string][]): Uint8Array {
  const numberOf = (value: number) => String.fromCharCode(value & 255, (value >> 8) & 255, 0, 0);
  const body = chunks.map(([kind, data]) => kind + numberOf(data.length) + data + (data.length % 2 ? '\0' : ''));
  const content = `WEBP${body.join('')}`;
  return bytes(`RIFF${numberOf(content.length)}${content}`);
}

test('a WebP file has only pixels, or also something else', () => {
  expect(isBareWebp(webpOf(['VP8 ', 'pixels']))).toBe(true);
  expect(isBareWebp(webpOf(['VP8X', '\x10000'], ['ALPH', 'odd'], ['VP8 ', 'pixels']))).toBe(true);
  expect(isBareWebp(webpOf(['VP8 ', 'pixels'], ['EXIF', 'where']))).toBe(false);
  expect(isBareWebp(webpOf(['VP8X', '\x18000'], ['VP8 ', 'pixels']))).toBe(false);
  expect(isBareWebp(webpOf(['VP8 ', 'pixels'], ['VP8 ', 'hidden']))).toBe(false);
  expect(isBareWebp(bytes(`${String.fromCharCode(...webpOf(['VP8 ', 'pixels']))}more`))).toBe(false);
  expect(isBareWebp(webpOf(['VP8 ', 'pixels']).subarray(0, -2))).toBe(false);
  expect(isBareWebp(bytes('\x89PNG\r\n\x1a\n and so on'))).toBe(false);
});
