import { isEmail } from '@perfume/domain/email';
import { countCharacters } from '@perfume/domain/text';

/** The contract's value; a test keeps them equal. Importing it would put all schemas into the bundle. */
export const PASSWORD_MIN = 8;

/** The error of a field before submit, as a key of the catalogue. */
export type Check = (text: string) => `identity.${'required' | 'emailWrong' | 'passwordShort'}` | undefined;

export const checks = {
  name: (text) => (text.trim() === '' ? 'identity.required' : undefined),
  email: (text) => {
    if (text.trim() === '') return 'identity.required';
    return isEmail(text.normalize('NFKC').trim()) ? undefined : 'identity.emailWrong';
  },
  password: (text) => (text === '' ? 'identity.required' : undefined),
  newPassword: (text) => {
    if (text === '') return 'identity.required';
    return countCharacters(text) < PASSWORD_MIN ? 'identity.passwordShort' : undefined;
  },
} satisfies Record<string, Check>;
