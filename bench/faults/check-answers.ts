import type { Violation } from './checker.ts';
import { type Deed, isDone, isNotNow, isRefused, named } from './deeds.ts';
import type { Attempt } from './history.ts';

/** What the answers alone must keep to: each is one of those that are promised, and a key has one answer. */
export function checkAnswers(attempts: Attempt[], deeds: Map<string, Deed>): Violation[] {
  const found: Violation[] = [];
  for (const attempt of attempts) {
    if (attempt.status === null || isDone(attempt) || isRefused(attempt) || isNotNow(attempt)) continue;
    found.push({
      kind: 'not an answer',
      what: `${attempt.ask.what} under key ${attempt.key ?? 'none'} was answered ${attempt.status}: ${attempt.body}`,
    });
  }
  for (const deed of deeds.values()) {
    const settled = deed.attempts.filter((attempt) => isDone(attempt) || isRefused(attempt));
    const said = new Set(settled.map(({ status, body }) => `${status} ${body}`));
    if (said.size > 1) {
      found.push({
        kind: 'answer changed',
        what: `${named(deed)} was answered in ${said.size} ways: ${[...said].join(' and ')}`,
      });
    }
  }
  return found;
}
