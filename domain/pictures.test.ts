import { expect, test } from 'vitest';
import { pictureTypeOf } from './pictures.ts';

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
