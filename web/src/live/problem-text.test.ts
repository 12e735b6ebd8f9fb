import { expect, test } from 'vitest';
import { ApiProblem } from '../api/client.ts';
import { loadArea } from '../words/catalogues.ts';
import { speaking } from '../words/words.tsx';
import { problemText } from './problem-text.ts';

const languages = ['en', 'en-corrected', 'fr', 'ar'] as const;
await Promise.all(languages.map((language) => loadArea(language, 'shell')));

test.each(languages)('not_allowed has its own text in %s', (language) => {
  const words = speaking(language);
  const text = problemText(new ApiProblem('not_allowed', 403), words);
  expect(text).not.toBe(words.say('problem.unknown'));
});
