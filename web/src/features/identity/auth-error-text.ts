import { ApiProblem } from '../../api/client.ts';
import type { Key } from '../../words/catalogues.ts';
import type { Words } from '../../words/words.tsx';

type Refusal = Extract<Key, `authProblem.${string}` | 'problem.busy' | 'problem.offline'>;

const known: Partial<Record<string, Exclude<Refusal, `authProblem.wait${string}`>>> = {
  invalid_email_or_password: 'authProblem.invalid_email_or_password',
  account_disabled: 'authProblem.account_disabled',
  wrong_code: 'authProblem.wrong_code',
  login_expired: 'authProblem.login_expired',
  passkey_refused: 'authProblem.passkey_refused',
  last_way_in: 'authProblem.last_way_in',
  proof_needed: 'authProblem.proof_needed',
  password_too_common: 'authProblem.password_too_common',
  password_is_personal: 'authProblem.password_is_personal',
  sign_up_closed: 'authProblem.sign_up_closed',
  sign_up_refused: 'authProblem.sign_up_refused',
  provider_not_found: 'authProblem.provider_not_found',
  invalid_link: 'authProblem.invalid_link',
  invalid_input: 'authProblem.invalid_input',
  internal: 'authProblem.unknown',
  offline: 'problem.offline',
  overloaded: 'problem.busy',
};

/** Returns the error in the language of the page, or the server's own text where there is no translation. */
export function authErrorText(problem: unknown, words: Pick<Words, 'say'>): string {
  if (!(problem instanceof ApiProblem)) return words.say('authProblem.unknown');
  if (problem.code === 'too_many') return tooManyText(problem, words);
  const key = known[problem.code];
  return key ? words.say(key) : problem.message;
}

function tooManyText({ retryAfter }: ApiProblem, { say }: Pick<Words, 'say'>): string {
  if (retryAfter === undefined) return say('authProblem.too_many');
  return `${say('authProblem.too_many')} ${waitText(retryAfter, say)}`;
}

function waitText(seconds: number, say: Words['say']): string {
  return seconds < 90
    ? say('authProblem.waitSeconds', { count: seconds })
    : say('authProblem.waitMinutes', { count: Math.ceil(seconds / 60) });
}

const socialErrors: Partial<Record<string, Exclude<Refusal, `authProblem.wait${string}`>>> = {
  account_disabled: 'authProblem.account_disabled',
  account_not_linked: 'authProblem.account_not_linked',
  access_denied: 'authProblem.access_denied',
  email_not_found: 'authProblem.email_not_found',
  sign_up_closed: 'authProblem.sign_up_closed',
  sign_up_refused: 'authProblem.sign_up_refused',
};

/** Returns why a social sign-in failed, from the `error` parameter of the URL. */
export function socialErrorText(error: string, { say }: Pick<Words, 'say'>): string {
  return say(socialErrors[error] ?? 'authProblem.social');
}
