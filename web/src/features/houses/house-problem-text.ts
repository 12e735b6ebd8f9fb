import { ApiProblem } from '../../api/client.ts';
import { problemText } from '../../live/problem-text.ts';
import type { Key } from '../../words/catalogues.ts';
import type { Words } from '../../words/words.tsx';

const known: Partial<Record<string, Extract<Key, `houseProblem.${string}`>>> = {
  last_owner: 'houseProblem.last_owner',
  already_member: 'houseProblem.already_member',
  too_many_members: 'houseProblem.too_many_members',
  too_many_houses: 'houseProblem.too_many_houses',
  member_not_found: 'houseProblem.member_not_found',
  invitation_not_found: 'houseProblem.invitation_not_found',
  not_allowed: 'houseProblem.not_allowed',
  too_many: 'houseProblem.too_many',
};

/** Returns why a request about a house failed, in the language of the page. */
export function houseProblemText(problem: unknown, words: Pick<Words, 'say'>): string {
  const key = problem instanceof ApiProblem ? known[problem.code] : undefined;
  return key ? words.say(key) : problemText(problem, words);
}
