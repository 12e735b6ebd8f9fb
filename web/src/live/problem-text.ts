import { ApiProblem } from '../api/client.ts';
import type { Key } from '../words/catalogues.ts';
import type { Words } from '../words/words.tsx';

type Refusal = Exclude<Extract<Key, `refusal.${string}`>, 'refusal.outOfStock'>;

const known: Partial<Record<string, Refusal>> = {
  offline: 'refusal.offline',
  over_full: 'refusal.overFull',
  item_not_found: 'refusal.gone',
  item_deleted: 'refusal.gone',
  already_undone: 'refusal.alreadyUndone',
  not_undoable: 'refusal.notUndoable',
  stale_version: 'refusal.stale',
  overloaded: 'refusal.busy',
  unavailable: 'refusal.busy',
  outcome_unknown: 'refusal.unconfirmed',
  too_many: 'refusal.busy',
  not_the_owner: 'refusal.notOwner',
  not_signed_in: 'refusal.signedOut',
  email_not_verified: 'refusal.signedOut',
};

/** Nobody here knows whether it was done. */
export function isUnanswered(problem: unknown): boolean {
  return problem instanceof ApiProblem && (problem.code === 'offline' || problem.code === 'outcome_unknown');
}

/** Why something did not work, in the language of the page. */
export function problemText(problem: unknown, { say }: Pick<Words, 'say'>): string {
  if (!(problem instanceof ApiProblem)) return say('refusal.unknown');
  if (problem.code === 'out_of_stock') return say('refusal.outOfStock', { count: problem.onHand ?? 0 });
  return say(known[problem.code] ?? 'refusal.unknown');
}
