/**
 * What can be wrong with a field of a request: the sentence for each error code. A response contains both; screens
 * translate the code, and the sentences may change. The first two sentences are quoted from the spec.
 */
export const fieldSentences = {
  required: 'This field is required',
  description_too_short: 'Minimum 50 chracter required',
  unknown: 'Unknown field',
  repeated: 'This was sent more than once',
  wrong_type: 'This value has the wrong type',
  too_long: ({ max }: { max: number }) => `Use at most ${max} characters`,
  too_few: ({ min }: { min: number }) => `Send at least ${min}`,
  too_many: ({ max }: { max: number }) => `Send at most ${max}`,
  hidden_characters: 'Send text without invisible characters',
  not_a_choice: ({ choices }: { choices: readonly unknown[] }) => `Send one of ${choices.join(', ')}`,
  not_a_whole_number: ({ min, max }: { min: number; max: number }) =>
    `Enter a whole number from ${min} to ${max.toLocaleString('en-US')}`,
  not_a_price: 'Enter a price from 0 to 10,000,000 with at most two decimals',
  not_a_web_address: 'Enter a web address that begins with http:// or https://',
  picture_gone: 'This picture no longer exists. Upload it again.',
  not_https: 'Enter a web address that begins with https://',
  private_address: 'Enter an address that is reachable from the internet',
  not_an_email: 'Enter a valid email address',
  not_a_date: 'Send a date such as 2026-01-31',
  not_a_coming_day: ({ years }: { years: number }) => `Choose a day from today to ${years} years from now`,
  not_a_time: 'Send a time such as 2026-01-31T12:00:00Z',
  wrong_check_digit: ({ digits, expected }: { digits: string; expected: number }) =>
    `The last digit of ${digits} should be ${expected}. Check it, or enter your own number as the SKU.`,
  code_taken: ({ taken, name }: { taken: string; name: string }) => `“${name}” already has the code ${taken}`,
  rounded_number:
    'The spreadsheet has rounded this number. Format the column as text, enter the number again and save the file.',
  same_as_row: ({ row }: { row: number }) => `Row ${row} is about the same item`,
  not_a_table:
    'This is not a table that can be read. Save it in your spreadsheet as .xlsx or as CSV, without a password, and choose that file.',
  table_empty: 'This file has no rows. Choose a file with the names of the columns and at least one item.',
  table_too_long: ({ max }: { max: number }) =>
    `This file has more than ${max.toLocaleString('en-US')} rows. Divide it and import the parts one after the other.`,
  table_too_wide: ({ max }: { max: number }) =>
    `This file has more than ${max} columns. Remove those that are not needed.`,
  table_too_large: 'This file is too large when it is unpacked. Divide it and import the parts one after the other.',
  not_a_query: 'Send filters as the address of the page has them, such as stock=low&sort=name',
  not_a_uuid: 'Send a UUID',
  reserved_uuid: 'Send a UUID that is not of version 8',
  not_a_cursor: 'Not a valid cursor',
  not_a_position: 'Send the value of the `X-Alerts-Up-To` header',
  not_a_version: 'Send the version in double quotes, such as "3"',
  not_an_event_id: 'This event id is not from this server',
  not_both: ({ names: [one, other] }: { names: [string, string] }) => `Send either ${one} or ${other}, not both`,
  batch_taken: 'This id belongs to a bulk action of somebody else',
  reason_needs_correction: 'Send a reason only with a correction',
  after_end: 'Must not be after `to` or after today',
  too_many_days: ({ max }: { max: number }) => `Choose a period of at most ${max} days`,
  too_many_points: ({ max }: { max: number }) => `For more than ${max} days, use week or month`,
  changed_by_other: 'Someone else changed this field',
  password_too_short: ({ min }: { min: number }) => `Use at least ${min} characters`,
  password_too_common: 'This password is too common. Choose another one.',
  password_is_personal: 'Choose a password that is not your name or email address.',
} as const;

type Sentences = typeof fieldSentences;
export type FieldCode = keyof Sentences;

/** An error code, with the values that its sentence mentions. */
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
