import { describe, expect, test } from 'vitest';
import { words as ar } from '../../words/ar/shell.ts';
import { words as en } from '../../words/en/shell.ts';
import { words as fr } from '../../words/fr/shell.ts';
import { firstSpelling, readCommand, type VerbWords, verbs } from './typed-command.ts';

const catalogues = { en, fr, ar };
function spellingsIn(language: keyof typeof catalogues): VerbWords {
  const words = catalogues[language];
  return {
    deliver: words['palette.verb.deliver'],
    receive: words['palette.verb.receive'],
    count: words['palette.verb.count'],
    open: words['palette.verb.open'],
  };
}

describe('a typed command', () => {
  test.each([
    ['en', 'deliver 5 oud', 'deliver', 5, 'oud'],
    ['en', '  Deliver   5  Oud Royal ', 'deliver', 5, 'Oud Royal'],
    ['en', 'restock 20 iris', 'receive', 20, 'iris'],
    ['en', 'receive 20 iris', 'receive', 20, 'iris'],
    ['en', 'deliver oud', 'deliver', 1, 'oud'],
    ['en', 'deliver 3 no 5', 'deliver', 3, 'no 5'],
    ['en', 'deliver 5x oud', 'deliver', 5, 'oud'],
    ['en', 'deliver ×5 oud', 'deliver', 5, 'oud'],
    ['en', 'deliver ٥ oud', 'deliver', 5, 'oud'],
    ['en', 'count oud', 'count', 1, 'oud'],
    ['en', 'count 5 oud', 'count', 1, '5 oud'],
    ['en', 'open Analysetic', 'open', 1, 'Analysetic'],
    ['en', 'go to settings', 'open', 1, 'settings'],
    ['fr', 'livrer 5 oud', 'deliver', 5, 'oud'],
    ['fr', 'réassortir 20 iris', 'receive', 20, 'iris'],
    ['fr', 'reassortir 20 iris', 'receive', 20, 'iris'],
    ['fr', 'COMPTER oud', 'count', 1, 'oud'],
    ['fr', 'aller à réglages', 'open', 1, 'réglages'],
    ['ar', 'تسليم ٥ عود', 'deliver', 5, 'عود'],
    ['ar', 'سلم 5 عود', 'deliver', 5, 'عود'],
    ['ar', 'سلّم ٥ عود', 'deliver', 5, 'عود'],
    ['ar', 'إعادة تخزين ٢٠ سوسن', 'receive', 20, 'سوسن'],
    ['ar', 'اعادة تخزين ٢٠ سوسن', 'receive', 20, 'سوسن'],
    ['ar', 'جرد عود', 'count', 1, 'عود'],
    ['ar', 'افتح الإعدادات', 'open', 1, 'الإعدادات'],
  ] as const)('in %s, “%s” is to %s %d of “%s”', (language, typed, verb, units, q) => {
    expect(readCommand(typed, spellingsIn(language))).toEqual({ verb, units, q });
  });

  test.each(['0', '-3', '−3', '2.5', '1,000', '1000000001', '99999999999999999999', '٠'])(
    'with %s as its number has no units',
    (number) => {
      expect(readCommand(`deliver ${number} oud`, spellingsIn('en'))).toEqual({
        verb: 'deliver',
        units: null,
        q: 'oud',
      });
    },
  );

  test.each(['deliver', 'deliver 5', 'deliver 5 '])('“%s” names no item yet', (typed) => {
    expect(readCommand(typed, spellingsIn('en'))).toMatchObject({ verb: 'deliver', q: '' });
  });

  test.each(['oud', 'delivery', 'deliv 5 oud', '5 oud deliver', 'livrer 5 oud', 'go', ''])(
    '“%s” is a search',
    (typed) => {
      expect(readCommand(typed, spellingsIn('en'))).toBeNull();
    },
  );

  test.each(['en', 'fr', 'ar'] as const)('in %s, no word starts two commands, and each can be typed', (language) => {
    const spellings = spellingsIn(language);
    for (const verb of verbs) {
      expect(readCommand(`${firstSpelling(spellings[verb])} x`, spellings)?.verb).toBe(verb);
      for (const one of spellings[verb].split(',')) expect(readCommand(`${one} x`, spellings)?.verb).toBe(verb);
    }
  });
});
