import { PASSWORD_MIN } from '@perfume/domain/accounts';
import { isEmail } from '@perfume/domain/email';
import type { FieldCode } from '@perfume/domain/field-errors';
import { countCharacters, inForm } from '@perfume/domain/text';

/** Checks the text of a field before the form is sent. Returns the error code, or undefined if the text is valid. */
export type Check = (text: string) => FieldCode | undefined;

export const checks = {
  name: (text) => (text.trim() === '' ? 'required' : undefined),
  email: (text) => {
    if (text.trim() === '') return 'required';
    return isEmail(inForm('NFKC', text).trim()) ? undefined : 'not_an_email';
  },
  password: (text) => (text === '' ? 'required' : undefined),
  newPassword: (text) => {
    if (text === '') return 'required';
    return countCharacters(text) < PASSWORD_MIN ? 'password_too_short' : undefined;
  },
} satisfies Record<string, Check>;
