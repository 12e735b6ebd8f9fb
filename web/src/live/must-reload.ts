import type { WireUser } from '@perfume/contract/identity';

type Known = Pick<WireUser, 'id' | 'emailVerified' | 'house'>;

/**
 * Whether the page must reload because a different user is signed in than before. Data of a verified user may be in
 * memory, and the next user must not see it.
 */
export function mustReload(before: Known | null | undefined, now: Known | null): boolean {
  return before?.emailVerified === true && before.id !== now?.id;
}

/** Whether the user works in another house than before, or in none. */
export function hasMoved(before: Known | null | undefined, now: Known | null): boolean {
  return before?.house !== undefined && before.house?.id !== now?.house?.id;
}
