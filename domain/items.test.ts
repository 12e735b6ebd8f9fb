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
  checkTypedPrice,
  checkTypedQuantity,
} from './items.ts';
import { MAX_PRICE_CENTS } from './money.ts';
import { MAX_QUANTITY } from './quantity.ts';

const required = { ok: false, error: { code: 'required' } };
const tooShort = { ok: false, error: { code: 'description_too_short' } };

describe('required fields', () => {
  test.each([checkName, checkPrice, checkQuantity, checkImageUrl, checkSupplierName, checkEmail])(
    "are reported in the spec's words when empty",
    (check) => {
      for (const empty of [undefined, null, '', '   ']) expect(check(empty)).toEqual(required);
    },
  );

  test('a description needs fifty characters', () => {
    for (const short of [undefined, null, '', 'x'.repeat(49), '🌹'.repeat(49), ' '.repeat(60)]) {
      expect(checkDescription(short)).toEqual(tooShort);
    }
    expect(checkDescription('🌹'.repeat(50)).ok).toBe(true);
    expect(checkDescription('x'.repeat(5_000)).ok).toBe(true);
    expect(checkDescription('x'.repeat(5_001)).ok).toBe(false);
  });
});

describe('a number typed into a field', () => {
  const locales = ['en-US', 'fr-FR', 'ar-u-nu-arab', 'de-DE', 'de-CH', 'fa-IR', 'es-ES'];
  const resultOf = (checked: ReturnType<typeof checkTypedPrice>) => (checked.ok ? checked.value : checked.error.code);

  test('with decimals is read to the cent in the notation of any language', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...locales),
        fc.integer({ min: 0, max: MAX_PRICE_CENTS }),
        fc.boolean(),
        (locale, cents, useGrouping) => {
          const typed = (cents / 100).toLocaleString(locale, { minimumFractionDigits: 2, useGrouping });
          expect(resultOf(checkTypedPrice(typed)), typed).toBe(cents);
        },
      ),
    );
  });

  test('without decimals is read exactly, or refused if it has two readings', () => {
    fc.assert(
      fc.property(fc.constantFrom(...locales), fc.integer({ min: 0, max: MAX_QUANTITY }), (locale, units) => {
        const typed = units.toLocaleString(locale);
        const isAmbiguous = /^[0-9]{1,3}[.,][0-9]{3}$/.test(typed);
        expect(resultOf(checkTypedQuantity(typed)), typed).toBe(isAmbiguous ? 'ambiguous_quantity' : units);
      }),
    );
  });

  test.each([
    ['58,50', 5_850],
    ['$ 58.50', 5_850],
    ['58,50 $', 5_850],
    ['58.50 USD', 5_850],
    ['1,234', 'ambiguous_price'],
    ['1.234', 'ambiguous_price'],
    ['1234,567', 'not_a_price'],
    ['10000000,01', 'not_a_price'],
    ['', 'required'],
    ['$', 'required'],
  ])('%j as a price is %j', (typed, value) => {
    expect(resultOf(checkTypedPrice(typed))).toBe(value);
  });

  test.each([
    ['007', 7],
    ['1 234', 1_234],
    ['1,234', 'ambiguous_quantity'],
    ['1.234', 'ambiguous_quantity'],
    ['1,5', 'not_a_whole_number'],
    ['-1', 'not_a_whole_number'],
    [' ', 'required'],
  ])('%j as a quantity is %j', (typed, value) => {
    expect(resultOf(checkTypedQuantity(typed))).toBe(value);
  });
});

describe('an image address', () => {
  test.each([
    'https://a.example/b.jpg',
    'http://a.example',
    '/uploads/0190-ab.webp',
    '/bottles/nuit-d-encre.svg',
    'HTTPS://A.example/x?y=1#z',
  ])('is accepted: %s', (url) => {
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
  ])('is refused: %s', (url) => {
    expect(checkImageUrl(url).ok).toBe(false);
  });

  test('is http, https or one of our own paths, whatever the input', () => {
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

describe('an email address', () => {
  test.each(['a@b.co', 'first.last+tag@sub.house.example', 'élan@maison.example', "o'neil@x.example"])(
    'is accepted: %s',
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
  ])('is refused: %j', (email) => {
    expect(isEmail(email)).toBe(false);
  });

  test('has one key in all spellings', () => {
    expect(emailKey(' Ａda@House.EXAMPLE')).toBe(emailKey('ada@house.example'));
  });

  test('long texts made to slow down a pattern are refused', () => {
    for (const text of ['a'.repeat(60_000), `${'a.'.repeat(30_000)}@b.co`, `a@${'b-'.repeat(30_000)}.co`]) {
      expect(isEmail(text)).toBe(false);
    }
    expect(checkImageUrl(`https://${'a'.repeat(60_000)}`).ok).toBe(false);
    expect(checkDescription(' '.repeat(60_000)).ok).toBe(false);
  });
});
