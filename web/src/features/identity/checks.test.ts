import { signUp } from '@perfume/contract/identity';
import { describe, expect, test } from 'vitest';
import { checks } from './checks.ts';

describe('the form accepts exactly what the server accepts', () => {
  const person = { name: 'Ines', email: 'ines@example.com', password: 'quiet otter lamp' };

  test.each([
    ['name', 'name', ['', '  ', 'Ines', 'عطّار']],
    ['email', 'email', ['', 'a', 'a@b', 'a@b.co', ' a@b.co ', 'two@@b.co', 'a b@c.de']],
    ['newPassword', 'password', ['', 'short', '1234567', '12345678', '🌹🌹🌹🌹🌹🌹🌹', '🌹🌹🌹🌹🌹🌹🌹🌹']],
  ] as const)('%s', (check, field, texts) => {
    for (const text of texts)
      expect([text, checks[check](text) === undefined]).toEqual([
        text,
        signUp.body.safeParse({ ...person, [field]: text }).success,
      ]);
  });
});
