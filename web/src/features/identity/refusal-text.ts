import { ApiProblem } from '../../api/client.ts';
import type { Key } from '../../words/catalogues.ts';
import type { Words } from '../../words/words.tsx';

type Refusal = Extract<Key, `refused.${string}` | 'problem.offline'>;

const known: Partial<Record<string, Exclude<Refusal, `refused.wait${string}`>>> = {
  invalid_email_or_password: 'refused.invalid_email_or_password',
  password_too_common: 'refused.password_too_common',
  password_is_personal: 'refused.password_is_personal',
  provider_not_found: 'refused.provider_not_found',
  invalid_link: 'refused.invalid_link',
  invalid_input: 'refused.invalid_input',
  internal: 'refused.unknown',
  offline: 'problem.offline',
};

/** The provider's message, in the language of the page; in its own words where we have none. */
export function refusalText(problem: unknown, words: Pick<Words, 'say'>): string {
  if (!(problem instanceof ApiProblem)) return words.say('refused.unknown');
  if (problem.code === 'too_many') return tooManyText(problem, words);
  const key = known[problem.code];
  return key ? words.say(key) : problem.message;
}

function tooManyText({ retryAfter }: ApiProblem, { say }: Pick<Words, 'say'>): string {
  if (retryAfter === undefined) return say('refused.too_many');
  return `${say('refused.too_many')} ${waitText(retryAfter, say)}`;
}

function waitText(seconds: number, say: Words['say']): string {
  return seconds < 90
    ? say('refused.waitSeconds', { count: seconds })
    : say('refused.waitMinutes', { count: Math.ceil(seconds / 60) });
}

/** What stands beside the fields. */
export function fieldTexts(problem: unknown, words: Pick<Words, 'say'>): Record<string, string> {
  if (!(problem instanceof ApiProblem)) return {};
  // The password is refused with a code of its own, for which we have words.
  const isAboutPassword = problem.code === 'password_too_common' || problem.code === 'password_is_personal';
  if (!isAboutPassword) return problem.fields;
  return Object.fromEntries(Object.keys(problem.fields).map((name) => [name, refusalText(problem, words)]));
}

const socialErrors: Partial<Record<string, Exclude<Refusal, `refused.wait${string}`>>> = {
  account_not_linked: 'refused.account_not_linked',
  access_denied: 'refused.access_denied',
  email_not_found: 'refused.email_not_found',
};

/** Why another provider sent somebody back, from the `error` in the address. */
export function socialErrorText(error: string, { say }: Pick<Words, 'say'>): string {
  return say(socialErrors[error] ?? 'refused.social');
}
