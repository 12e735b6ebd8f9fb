import type { WireEntry } from '@perfume/contract/history';
import { undoReasonText } from '../../live/undo-text.ts';
import type { Words } from '../../words/words.tsx';
import type { Preview } from './history-query.ts';

/** Returns the text that says why an undo would be refused, according to its preview. */
export function previewRefusalText({ code, onHand }: Preview, entry: WireEntry, words: Words): string {
  // The item exists although this entry deleted it: somebody restored it.
  if (entry.kind === 'deleted' && code === 'changed_since') return words.say('undo.why.alreadyRestored');
  if (code === 'code_taken') return words.say('undo.why.codeTaken');
  return undoReasonText(code, onHand, words) ?? words.say('undo.cannot');
}
