import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSafeLine, isSafeText, isVisible } from './safe-text.ts';
import { countCharacters, descriptionPreview, firstCharacters, foldForSearch, normalText } from './text.ts';

describe('counting characters', () => {
  test('counts an emoji as one character', () => {
    expect(countCharacters('🌹'.repeat(50))).toBe(50);
  });

  test('takes the first characters without cutting one in half', () => {
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

describe('normalised text', () => {
  test('does not change when normalised again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(normalText(normalText(text))).toBe(normalText(text));
      }),
    );
  });

  test('has one form for both ways to write an accent', () => {
    expect(normalText(' Co\u0302te ')).toBe('Côte');
  });
});

describe('safe text', () => {
  test.each(['\u0000', '\u0007', '\u001b', '\u0085', '\u202e', '\u2066', '\ud800', '\udc00'])(
    'does not contain %j',
    (character) => {
      expect(isSafeText(`a${character}b`)).toBe(false);
    },
  );

  test('has at most thirty marks on a letter: sorting thousands of them takes seconds', () => {
    const marked = (marks: number) => `e${'\u0316\u0301'.repeat(marks / 2)}`;
    expect([isSafeText(marked(30)), isSafeText(marked(32)), isSafeText(`か${'ﾞﾟ'.repeat(16)}`)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(normalText(marked(30))).not.toBe(marked(30));
    expect(normalText(marked(32))).toBe(marked(32));
    expect(foldForSearch(marked(30_000))).toBe('e');
  });

  test('may contain line breaks and tabs; a single line may not', () => {
    expect([isSafeText('a\n\tb'), isSafeLine('a\nb'), isSafeLine('a\tb'), isSafeLine('a b')]).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  test.each(['', ' ', '\u200b', '\u00a0\u2003', '\ufeff'])('%j is not visible', (text) => {
    expect(isVisible(text)).toBe(false);
  });
});

describe('text for search', () => {
  test('ignores case, accents and width', () => {
    expect(foldForSearch('  VÉTIVER\n Ｃôtier ')).toBe('vetiver cotier');
  });

  test('does not change when folded again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(foldForSearch(foldForSearch(text))).toBe(foldForSearch(text));
      }),
    );
  });
});

test("a card's preview is the first fifty characters and an ellipsis", () => {
  expect(descriptionPreview('🌹'.repeat(60))).toBe(`${'🌹'.repeat(50)}…`);
});
