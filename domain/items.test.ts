import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emailKey, isEmail } from './email.ts';
import {
  checkDescription,
  checkEmail,
  checkImageUrl,
  checkName,
  checkPrice,
  checkQuantity,
  checkSupplierName,
  descriptionPreview,
} from './items.ts';

const required = { ok: false, message: 'This field is required' };
const tooShort = { ok: false, message: 'Minimum 50 chracter required' };

describe('required fields', () => {
  test.each([checkName, checkPrice, checkQuantity, checkImageUrl, checkSupplierName, checkEmail])(
    "say so in the spec's words",
    (check) => {
      for (const nothing of [undefined, null, '', '   ']) expect(check(nothing)).toEqual(required);
    },
  );

  test('a description asks for its fifty characters', () => {
    for (const short of [undefined, null, '', 'x'.repeat(49), '🌹'.repeat(49), ' '.repeat(60)]) {
      expect(checkDescription(short)).toEqual(tooShort);
    }
    expect(checkDescription('🌹'.repeat(50)).ok).toBe(true);
    expect(checkDescription('x'.repeat(5_000)).ok).toBe(true);
    expect(checkDescription('x'.repeat(5_001)).ok).toBe(false);
  });
});

describe('an image', () => {
  test.each([
    'https://a.example/b.jpg',
    'http://a.example',
    '/uploads/0190-ab.webp',
    '/bottles/nuit-d-encre.svg',
    'HTTPS://A.example/x?y=1#z',
  ])('may be %s', (url) => {
    expect(checkImageUrl(url)).toEqual({ ok: true, value: url });
  });

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:image/svg+xml,<svg/>',
    'vbscript:x',
    'file:///etc/passwd',
    '//evil.example/x.png',
    'https:/a.example',
    'https:a.example',
    'https://user:pw@a.example/',
    'https://a.example/ x',
    'https://a.example/"onerror="x',
    'https://[::1',
    '/uploads/../secret',
    '/uploads/a/b.png',
    '/etc/passwd',
    'a.png',
    'blob:https://a.example/x',
    `https://a.example/${'x'.repeat(2_048)}`,
  ])('is never %s', (url) => {
    expect(checkImageUrl(url).ok).toBe(false);
  });

  test('is http or ours, whatever text comes', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.string().map((text) => `https://${text}`),
        ),
        (text) => {
          const checked = checkImageUrl(text);
          if (checked.ok) expect(checked.value).toMatch(/^(?:https?:\/\/|\/uploads\/|\/bottles\/)/i);
        },
      ),
    );
  });
});

describe('an e-mail address', () => {
  test.each(['a@b.co', 'first.last+tag@sub.house.example', 'élan@maison.example', "o'neil@x.example"])(
    '%s is one',
    (email) => {
      expect(isEmail(email)).toBe(true);
    },
  );

  test.each([
    '',
    'a',
    'a@b',
    '@b.co',
    'a@',
    'a b@c.de',
    'a@b..co',
    '.a@b.co',
    'a.@b.co',
    'a..b@c.de',
    'a@-b.co',
    'a@b-.co',
    'a@b.c\n',
    '"x"@b.co',
    `${'a'.repeat(65)}@b.co`,
    `a@${'b'.repeat(250)}.co`,
  ])('%j is none', (email) => {
    expect(isEmail(email)).toBe(false);
  });

  test('two spellings have one key', () => {
    expect(emailKey(' Ａda@House.EXAMPLE')).toBe(emailKey('ada@house.example'));
  });

  test('texts made to keep a pattern busy are judged all the same', () => {
    for (const text of ['a'.repeat(60_000), `${'a.'.repeat(30_000)}@b.co`, `a@${'b-'.repeat(30_000)}.co`]) {
      expect(isEmail(text)).toBe(false);
    }
    expect(checkImageUrl(`https://${'a'.repeat(60_000)}`).ok).toBe(false);
    expect(checkDescription(' '.repeat(60_000)).ok).toBe(false);
  });
});

test("a card's preview is the first fifty characters and an ellipsis", () => {
  expect(descriptionPreview('🌹'.repeat(60))).toBe(`${'🌹'.repeat(50)}…`);
});
