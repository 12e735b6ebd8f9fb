/**
 * What can be wrong with a field of a request. A response has the code and this sentence; screens translate the code, and the
 * sentences may change. The first two are exactly the spec's.
 */
export const fieldSentences = {
  required: 'This field is required',
  description_too_short: 'Minimum 50 chracter required',
  unknown: 'Unknown field',
  repeated: 'Given more than once',
  wrong_type: 'This value has the wrong type',
  too_long: ({ max }: { max: number }) => `At most ${max} characters`,
  too_few: ({ min }: { min: number }) => `At least ${min}`,
  too_many: ({ max }: { max: number }) => `At most ${max}`,
  hidden_characters: 'Enter text without hidden characters',
  not_a_choice: ({ choices }: { choices: readonly unknown[] }) => `One of ${choices.join(', ')}`,
  not_a_whole_number: ({ min, max }: { min: number; max: number }) =>
    `Enter a whole number from ${min} to ${max.toLocaleString('en-US')}`,
  not_a_price: 'Enter a price from 0 to 10,000,000 with at most two decimals',
  not_a_web_address: 'Enter a web address that begins with http:// or https://',
  not_https: 'Enter a web address that begins with https://',
  not_an_email: 'Enter a valid email address',
  not_a_date: 'A date such as 2026-01-31',
  not_a_time: 'A time such as 2026-01-31T12:00:00Z',
  not_a_uuid: 'Send a UUID',
  reserved_uuid: 'Send a UUID of another version than 8',
  not_a_cursor: 'Not a valid cursor',
  not_a_position: 'Send the value of `X-Alerts-Up-To`',
  not_a_version: 'Send the version in quotes',
  not_an_event_id: 'Not an event id of this server',
  not_both: ({ names: [one, other] }: { names: [string, string] }) => `Send either ${one} or ${other}`,
  after_end: 'Must not be after `to` or after today',
  too_many_days: ({ max }: { max: number }) => `At most ${max} days`,
  too_many_points: ({ max }: { max: number }) => `At most ${max} days by day: use week or month`,
  changed_by_other: 'Changed by somebody else',
  password_too_short: ({ min }: { min: number }) => `Use at least ${min} characters`,
  password_too_common: 'This password is too common. Choose another one.',
  password_is_personal: 'Choose a password that is not your name or email address.',
} as const;

type Sentences = typeof fieldSentences;
export type FieldCode = keyof Sentences;

/** A code, with the values its sentence names. */
export type FieldError = {
  [Code in FieldCode]: Sentences[Code] extends (values: infer Values) => string
    ? { code: Code } & Values
    : { code: Code };
}[FieldCode];

export function sentenceOf(error: FieldError): string {
  const sentence: string | ((values: never) => string) = fieldSentences[error.code];
  return typeof sentence === 'string' ? sentence : sentence(error as never);
}

/** A valid value, or what is wrong with it. */
export type Checked<T, Wrong = FieldError> = { ok: true; value: T } | { ok: false; error: Wrong };

export const valid = <T>(value: T): Checked<T, never> => ({ ok: true, value });
export const invalid = <Wrong>(error: Wrong): Checked<never, Wrong> => ({ ok: false, error });
