import { ApiProblem } from '../api/client.ts';
import type { Words } from '../words/words.tsx';
import { problemText } from './problem-text.ts';
import type { Action, What } from './undo-stack.ts';

export function whatText(what: What, { say }: Pick<Words, 'say'>): string {
  switch (what.kind) {
    case 'settings':
      return say('undo.what.settings');
    case 'deliver':
    case 'restock':
      return say(`undo.what.${what.kind}`, what);
    case 'deliverEach':
    case 'restockEach':
      return say(`undo.what.${what.kind}`, what);
    case 'correctMany':
    case 'editMany':
    case 'deleteMany':
    case 'restoreMany':
    case 'importMany':
      return say(`undo.what.${what.kind}`, what);
    default:
      return say(`undo.what.${what.kind}`, what);
  }
}

/** Returns the text for an action, or for its undo. */
export function actionText({ what, isUndo }: Pick<Action, 'what' | 'isUndo'>, words: Pick<Words, 'say'>): string {
  const text = whatText(what, words);
  return isUndo ? words.say('undo.what.undo', { what: text }) : text;
}

/** Returns the text that says why an undo was refused. */
export function undoRefusalText(problem: unknown, words: Words): string {
  if (!(problem instanceof ApiProblem)) return problemText(problem, words);
  return undoReasonText(problem.code, problem.onHand, words) ?? problemText(problem, words);
}

const reasons = {
  over_full: 'undo.why.overFull',
  already_undone: 'undo.why.alreadyUndone',
  changed_since: 'undo.why.changedSince',
  item_deleted: 'undo.why.itemDeleted',
  item_not_found: 'undo.why.itemDeleted',
  entry_not_found: 'undo.why.entryNotFound',
} as const;

/** Returns the text for a problem that only undos have; null for any other problem. */
export function undoReasonText(
  code: ApiProblem['code'] | null,
  onHand: number | null | undefined,
  { say }: Words,
): string | null {
  if (code === 'out_of_stock') return say('undo.why.outOfStock', { count: onHand ?? 0 });
  return code !== null && Object.hasOwn(reasons, code) ? say(reasons[code as keyof typeof reasons]) : null;
}
