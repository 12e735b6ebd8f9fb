import { ApiProblem } from '../api/client.ts';
import type { Key } from '../words/catalogues.ts';
import type { Words } from '../words/words.tsx';

type ProblemKey = Exclude<Extract<Key, `problem.${string}`>, 'problem.outOfStock' | 'problem.codeTakenBy'>;

const known: Partial<Record<string, ProblemKey>> = {
  offline: 'problem.offline',
  not_stored: 'problem.notStored',
  over_full: 'problem.overFull',
  item_not_found: 'problem.gone',
  item_deleted: 'problem.gone',
  code_taken: 'problem.codeTaken',
  already_undone: 'problem.alreadyUndone',
  stale_version: 'problem.stale',
  overloaded: 'problem.busy',
  unavailable: 'problem.busy',
  outcome_unknown: 'problem.unconfirmed',
  too_many: 'problem.tooMany',
  count_line_full: 'problem.countLineFull',
  count_overtaken: 'problem.countOvertaken',
  view_not_found: 'problem.viewGone',
  too_many_views: 'problem.tooManyViews',
  too_many_view_emails: 'problem.tooManyViewEmails',
  proof_needed: 'problem.notProven',
  not_signed_in: 'problem.signedOut',
  email_not_verified: 'problem.signedOut',
  not_allowed: 'problem.notAllowed',
  no_house: 'problem.noHouse',
  house_not_found: 'problem.houseNotFound',
};

/** Whether nobody knows if the change was made: no reply arrived, or the server lost its database while saving. */
export function isUnanswered(problem: unknown): boolean {
  return problem instanceof ApiProblem && (problem.code === 'offline' || problem.code === 'outcome_unknown');
}

/** Returns why a request failed, in the language of the page. */
export function problemText(problem: unknown, { say }: Pick<Words, 'say'>): string {
  if (!(problem instanceof ApiProblem)) return say('problem.unknown');
  if (problem.code === 'out_of_stock') return say('problem.outOfStock', { count: problem.onHand ?? 0 });
  if (problem.code === 'code_taken' && problem.item) return say('problem.codeTakenBy', { name: problem.item.name });
  return say(known[problem.code] ?? 'problem.unknown');
}
