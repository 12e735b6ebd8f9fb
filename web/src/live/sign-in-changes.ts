import type { User } from '@perfume/contract/identity';

type Seen = User | null | undefined;

/**
 * What to do when the server names another person than the page knew. Whoever was here and verified may have left
 * things in memory: the page starts anew, so the next person meets none of them.
 */
export function afterLookingAgain(before: Seen, now: User | null): 'go on' | 'start anew' {
  return before?.emailVerified && before.id !== now?.id ? 'start anew' : 'go on';
}
