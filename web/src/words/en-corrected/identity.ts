import type { words as english } from '../en/identity.ts';
import type { Translation } from '../message.ts';

/** Only what differs from the spec's spelling. */
export const words: Partial<Translation<typeof english>> = {
  'login.heading': 'Account login',
  'login.forgot': 'Forgot password?',
  'login.getStarted': 'Get started!',
  'register.heading': 'Sign up',
  'register.submit': 'Sign up',
  'forgot.empty': 'Please enter your email address',
  'forgot.sent': 'We sent a reset email',
};
