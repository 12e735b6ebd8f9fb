import type { WireEntry } from '@perfume/contract/history';
import type { ProblemCode } from '@perfume/contract/problems';
import { ApiProblem } from '../../api/client.ts';
import { problemText } from '../../live/problem-text.ts';
import type { Words } from '../../words/words.tsx';
import type { Preview } from './history-query.ts';

/** Returns the text that says why an undo was refused. */
export function undoRefusalText(problem: unknown, words: Words): string {
  if (!(problem instanceof ApiProblem)) return problemText(problem, words);
  return reasonText(problem.code, problem.onHand, words) ?? problemText(problem, words);
}

/** Returns the text that says why an undo would be refused, according to its preview. */
export function previewRefusalText({ code, onHand }: Preview, entry: WireEntry, words: Words): string {
  // The item exists although this entry deleted it: somebody restored it.
  if (entry.kind === 'deleted' && code === 'changed_since') return words.say('undo.why.alreadyRestored');
  return reasonText(code, onHand, words) ?? words.say('undo.cannot');
}

const reasons = {
  over_full: 'undo.why.overFull',
  already_undone: 'undo.why.alreadyUndone',
  changed_since: 'undo.why.changedSince',
  item_deleted: 'undo.why.itemDeleted',
  item_not_found: 'undo.why.itemDeleted',
  entry_not_found: 'undo.why.entryNotFound',
  not_the_owner: 'problem.notOwner',
} as const;

function reasonText(
  code: ProblemCode | 'offline' | null,
  onHand: number | null | undefined,
  { say }: Words,
): string | null {
  if (code === 'out_of_stock') return say('undo.why.outOfStock', { count: onHand ?? 0 });
  return code !== null && Object.hasOwn(reasons, code) ? say(reasons[code as keyof typeof reasons]) : null;
}
