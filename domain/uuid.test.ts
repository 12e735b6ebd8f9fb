import { expect, test } from 'vitest';
import { isUuid, parseUuid } from './uuid.ts';

const id = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';

test('a UUID is read in either case and returned in lower case', () => {
  expect([parseUuid(id), parseUuid(id.toUpperCase())]).toEqual([id, id]);
  expect([isUuid(id), isUuid(id.toUpperCase())]).toEqual([true, false]);
});

test.each(['', id.slice(1), `${id}0`, `{${id}}`, id.replaceAll('-', ''), ` ${id}`, `${id}\n`, id.replace('0', 'g')])(
  '%j is refused',
  (text) => {
    expect(parseUuid(text)).toBeNull();
  },
);
