import { changesOf } from './changes.ts';
import { checkAnswers } from './check-answers.ts';
import { checkLedgers } from './check-ledgers.ts';
import { checkReads } from './check-reads.ts';
import type { History } from './history.ts';

/** A broken promise that the checker found. */
export type Violation = {
  kind:
    | 'lost'
    | 'doubled'
    | 'refused but done'
    | 'not requested'
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
 * Checks a history. It knows nothing about servers, faults or databases: only requests, responses, and what the public
 * API says about every item at the end. No violation means that this history could have happened in a warehouse with
 * one clerk who does one thing after the other and loses nothing (the history is linearizable).
 */
export function check(history: History): Violation[] {
  const changes = changesOf(history.attempts);
  return [
    ...checkAnswers(history.attempts, changes),
    ...checkLedgers(history, changes),
    ...checkReads(history, changes),
  ];
}
