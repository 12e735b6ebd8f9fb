import { type Change, describeChange, isDone, isRefused, isRetryable } from './changes.ts';
import type { Violation } from './checker.ts';
import type { Attempt } from './history.ts';

/** Checks the responses alone: each is of a documented kind, and a key always gets the same response. */
export function checkAnswers(attempts: Attempt[], changes: Map<string, Change>): Violation[] {
  const found: Violation[] = [];
  for (const attempt of attempts) {
    if (attempt.status === null || isDone(attempt) || isRefused(attempt) || isRetryable(attempt)) continue;
    found.push({
      kind: 'not an answer',
      what: `${attempt.action.what} under key ${attempt.key ?? 'none'} was answered ${attempt.status}: ${attempt.body}`,
    });
  }
  for (const change of changes.values()) {
    const settled = change.attempts.filter((attempt) => isDone(attempt) || isRefused(attempt));
    const responses = new Set(settled.map(({ status, body }) => `${status} ${body}`));
    if (responses.size > 1) {
      found.push({
        kind: 'answer changed',
        what: `${describeChange(change)} was answered in ${responses.size} ways: ${[...responses].join(' and ')}`,
      });
    }
  }
  return found;
}
