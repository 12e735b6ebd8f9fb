import { problems } from '@perfume/contract/problems';
import { describe, expect, test } from 'vitest';
import { ApiProblem } from '../../api/client.ts';
import { loadArea } from '../../words/catalogues.ts';
import { speaking } from '../../words/words.tsx';
import { authErrorText, socialErrorText } from './auth-error-text.ts';

await Promise.all([loadArea('en', 'identity'), loadArea('fr', 'site'), loadArea('fr', 'identity')]);
const english = speaking('en');
const french = speaking('fr');

describe('a refusal', () => {
  test.each([
    'invalid_email_or_password',
    'account_disabled',
    'password_too_common',
    'password_is_personal',
    'sign_up_closed',
    'sign_up_refused',
    'provider_not_found',
    'invalid_link',
    'invalid_input',
  ] as const)("%s has the server's text", (code) => {
    const { status, detail } = problems[code];
    expect(authErrorText(new ApiProblem(code, status, { detail }), english)).toBe(detail);
  });

  test('is in the language of the page', () => {
    expect(authErrorText(new ApiProblem('invalid_email_or_password', 401), french)).toBe(
      'E-mail ou mot de passe incorrect',
    );
  });

  test('of a disabled account is in the language of the page, whatever way they log in', () => {
    const text = 'Ce compte a été désactivé. Adressez-vous à la personne qui gère ce serveur.';
    expect(authErrorText(new ApiProblem('account_disabled', 403), french)).toBe(text);
    expect(socialErrorText('account_disabled', french)).toBe(text);
  });

  test('by a busy server is said in the language of the page', () => {
    expect(authErrorText(new ApiProblem('overloaded', 503), french)).toMatch(/^Le serveur est occupé/);
  });

  test('without a translation keeps the text of the server', () => {
    const unavailable = new ApiProblem('unavailable', 503, { detail: 'Come back later.' });
    expect(authErrorText(unavailable, french)).toBe('Come back later.');
  });

  test.each([
    [1, 'Too many attempts. Try again in 1 second.'],
    [59, 'Too many attempts. Try again in 59 seconds.'],
    [91, 'Too many attempts. Try again in 2 minutes.'],
    [900, 'Too many attempts. Try again in 15 minutes.'],
    [undefined, 'Too many attempts.'],
  ])('after too many attempts says how long to wait: %s', (retryAfter, text) => {
    const problem = new ApiProblem('too_many', 429, retryAfter === undefined ? {} : { retryAfter });
    expect(authErrorText(problem, english)).toBe(text);
  });

  test('of a social login never shows text from the URL', () => {
    expect(socialErrorText('access_denied', english)).toBe('You cancelled the login. Try again or log in another way.');
    expect(socialErrorText('sign_up_refused', english)).toBe(problems.sign_up_refused.detail);
    expect(socialErrorText('<b>pay here</b>', english)).toBe('Could not log in with that provider. Please try again.');
  });
});
