import type { User } from '@perfume/contract/identity';

/**
 * Whether the page must reload because a different user is signed in than before. Data of a verified user may be in
 * memory, and the next user must not see it.
 */
export function mustReload(before: User | null | undefined, now: User | null): boolean {
  return before?.emailVerified === true && before.id !== now?.id;
}
