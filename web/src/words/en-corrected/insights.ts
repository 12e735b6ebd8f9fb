import type { words as english } from '../en/insights.ts';
import type { Translation } from '../message.ts';

/** Only what differs from the spec's spelling. */
export const words: Partial<Translation<typeof english>> = {
  'figures.open': 'Open Analytics',
  'figures.add': 'Create new items',
  'insights.heading': 'Analytics',
};
