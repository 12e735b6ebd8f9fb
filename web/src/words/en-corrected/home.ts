import type { words as english } from '../en/home.ts';
import type { Translation } from '../message.ts';

/** Only what differs from the spec's spelling. */
export const words: Partial<Translation<typeof english>> = {
  'why.heading': 'Why you should use it',
  'support.heading': 'Our location and support',
};
