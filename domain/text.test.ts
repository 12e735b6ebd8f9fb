import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  countCharacters,
  firstCharacters,
  foldForSearch,
  isSafeLine,
  isSafeText,
  isVisible,
  normalText,
} from './text.ts';

describe('counting', () => {
  test('fifty emoji are fifty characters', () => {
    expect(countCharacters('🌹'.repeat(50))).toBe(50);
  });

  test('the first characters are never half a character, and never too many', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(80), (text, count) => {
        const first = firstCharacters(text, count);
        expect(text.startsWith(first)).toBe(true);
        expect(countCharacters(first)).toBe(Math.min(count, countCharacters(text)));
        expect(first.isWellFormed()).toBe(text.isWellFormed() || first.isWellFormed());
      }),
    );
  });
});

describe('normal form', () => {
  test('is reached in one step', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(normalText(normalText(text))).toBe(normalText(text));
      }),
    );
  });

  test('two ways to write an accent are one text', () => {
    expect(normalText(' Co\u0302te ')).toBe('Côte');
  });
});

describe('safe text', () => {
  test.each(['\u0000', '\u0007', '\u001b', '\u0085', '\u202e', '\u2066', '\ud800', '\udc00'])(
    'has no %j',
    (character) => {
      expect(isSafeText(`a${character}b`)).toBe(false);
    },
  );

  test('keeps lines and tabs; a single line does not', () => {
    expect([isSafeText('a\n\tb'), isSafeLine('a\nb'), isSafeLine('a\tb'), isSafeLine('a b')]).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  test.each(['', ' ', '\u200b', '\u00a0\u2003', '\ufeff'])('%j is nothing to look at', (text) => {
    expect(isVisible(text)).toBe(false);
  });
});

describe('what search compares', () => {
  test('has no case, accent or width', () => {
    expect(foldForSearch('  VÉTIVER\n Ｃôtier ')).toBe('vetiver cotier');
  });

  test('folding twice is folding once', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(foldForSearch(foldForSearch(text))).toBe(foldForSearch(text));
      }),
    );
  });
});
