import { describe, expect, test } from 'vitest';
import { isCommonPassword, isPersonal } from './common-passwords.ts';

describe('isCommonPassword', () => {
  test.each(
    `password password1 Password1! P@ssw0rd p@$$w0rd passw0rd123 12345678 123456789 1234567890 87654321 11111111
    00000000 123123123 12341234 qwertyuiop qwerty123 Qwerty123! qwerty12345 1q2w3e4r 1q2w3e4r5t 1qaz2wsx zaq12wsx
    asdfghjkl iloveyou iloveyou1 sunshine1 princess1 football1 baseball welcome1 Welcome2024! letmein123 trustno1
    superman1 dragon123 monkey123 abc12345 abcd1234 abc123456 admin123 administrator changeme1 passwordpassword
    Summer2025! January2024 starwars1 michael1 jennifer liverpool1 charlie123 computer1 internet perfume123
    warehouse1 01011990 19900101 31.12.1999 aaaaaaaa abababab q1w2e3r4 a1b2c3d4 147258369 fuckyou1 helloworld
    iloveyou2 Passwort2025! Liverpool@123 sunflower2024 monkeydragon`.split(/\s+/),
  )('refuses a common password or a variation of one: %s', (password) => {
    expect(isCommonPassword(password)).toBe(true);
  });

  test.each(
    'ncc1701d 1029384756 soso123aljg 31415926 trfnthbyf 51505150 adgjmptw 11235813 Chevelle Rolltide'.split(' '),
  )('refuses a breached password: %s', (password) => {
    expect(isCommonPassword(password)).toBe(true);
  });

  test.each([
    'perfume-demo-1',
    'correct horse battery staple',
    'velvet anchor 93 tulip',
    'xK7#pQ2v',
    'Vetiver&Rhubarb',
    'a long sentence about nothing much',
    'пароль-которого-нет-нигде',
    '三百六十五日の香水',
    'kJ8-mmQ-22x',
    'tangerine!lantern',
  ])('accepts an uncommon password: %s', (password) => {
    expect(isCommonPassword(password)).toBe(false);
  });

  test.each(['a'.repeat(256), 'ab'.repeat(128), '1a'.repeat(128), '@'.repeat(256), `${'a'.repeat(255)}!`])(
    'returns for the longest input: %s',
    (worst) => {
      expect(isCommonPassword(worst)).toBeTypeOf('boolean');
    },
  );
});

test('refuses a name or an email address as a password', () => {
  const person = { email: 'jean.dupont@house.example', name: 'Jean-Marie Dupont' };
  for (const given of ['jean.dupont@house.example', 'JEANDUPONT', 'Jean Marie Dupont', 'house.example']) {
    expect([given, isPersonal(given, person)]).toEqual([given, true]);
  }
  expect(isPersonal('jean.dupont has a boat', person)).toBe(false);
  expect(isPersonal('anything at all', { email: '', name: '' })).toBe(false);
});
