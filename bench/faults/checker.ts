import { checkAnswers } from './check-answers.ts';
import { checkLedgers } from './check-ledgers.ts';
import { checkReads } from './check-reads.ts';
import { deedsOf } from './deeds.ts';
import type { History } from './history.ts';

/** What can be wrong with a history. */
export type Violation = {
  kind:
    | 'lost'
    | 'doubled'
    | 'refused but done'
    | 'nobody asked'
    | 'wrong difference'
    | 'wrong answer'
    | 'answer changed'
    | 'not an answer'
    | 'unbalanced'
    | 'out of order'
    | 'impossible read';
  /** A sentence that names the item and the key. */
  what: string;
};

/**
 * Knows nothing of servers, faults or databases: only what was asked and answered, and what the public API says of every
 * item at the end. Each rule names what breaks it; no violation means that this history could have happened in a
 * warehouse with one clerk who does one thing after the other and loses nothing.
 */
export function check(history: History): Violation[] {
  const deeds = deedsOf(history.attempts);
  return [...checkAnswers(history.attempts, deeds), ...checkLedgers(history, deeds), ...checkReads(history, deeds)];
}
