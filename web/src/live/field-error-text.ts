import type { FieldCode } from '@perfume/domain/field-errors';
import type { TypedError } from '@perfume/domain/items';
import { ApiProblem } from '../api/client.ts';
import type { Key } from '../words/catalogues.ts';
import type { Words } from '../words/words.tsx';

/** The message of each error code that a form can get. The other codes are for requests that no form sends. */
const keys = {
  required: 'field.required',
  too_long: 'field.too_long',
  hidden_characters: 'field.hidden_characters',
  not_an_email: 'field.not_an_email',
  password_too_short: 'field.password_too_short',
  password_too_common: 'authProblem.password_too_common',
  password_is_personal: 'authProblem.password_is_personal',
  description_too_short: 'field.description_too_short',
  not_a_price: 'field.not_a_price',
  ambiguous_price: 'field.ambiguous_price',
  not_a_whole_number: 'field.not_a_whole_number',
  ambiguous_quantity: 'field.ambiguous_quantity',
  not_a_web_address: 'field.not_a_web_address',
  picture_gone: 'field.picture_gone',
  wrong_check_digit: 'field.wrong_check_digit',
  code_taken: 'field.code_taken',
  too_many: 'field.too_many',
} as const satisfies Partial<Record<FieldCode | TypedError['code'], Key>>;

function isTranslated(code: string | undefined): code is keyof typeof keys {
  return code !== undefined && Object.hasOwn(keys, code);
}

/**
 * Returns the error of each field the server refused: its code, or the server's sentence where the code has no
 * translation.
 */
export function refusedFields(problem: unknown): Record<string, string> {
  if (!(problem instanceof ApiProblem)) return {};
  const { fields, fieldCodes } = problem;
  return Object.fromEntries(
    Object.entries(fields).map(([name, sentence]) => {
      const code = fieldCodes[name];
      // An edit sends its fields as `changes`, so the server calls its name `changes.name`.
      return [name.replace(/^changes\./, ''), isTranslated(code) ? code : sentence];
    }),
  );
}

/** What the messages mention: the most that a field takes, and the code that is wrong or that another item has. */
type Mentioned = { max?: number | undefined; code?: string; digit?: string; name?: string };

/** Returns the error of a field in the language of the page. A sentence from the server stays as it is. */
export function fieldErrorText(error: string, { say }: Pick<Words, 'say'>, mentioned: Mentioned = {}): string {
  if (!isTranslated(error)) return error;
  const { max = 0, code = '', digit = '', name = '' } = mentioned;
  const key = keys[error];
  if (key === 'field.too_long' || key === 'field.too_many') return say(key, { count: max });
  if (key === 'field.wrong_check_digit') return say(key, { code, digit });
  if (key === 'field.code_taken') return say(key, { code, name });
  return say(key);
}
