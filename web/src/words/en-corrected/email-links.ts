import type { words as english } from '../en/email-links.ts';
import type { Translation } from '../message.ts';

/** Only what differs from the spec's spelling. */
export const words: Partial<Translation<typeof english>> = {
  'gate.heading': 'Your email is not verified',
  'gate.lead': 'Please verify your email address',
  'gate.sent': 'We sent an email',
  'gate.failed': 'You may have tried too many times, or something went wrong',
};
