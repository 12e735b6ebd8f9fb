/** Nobody signs up 16 million times to get the mark of a colleague. */
const LENGTH = 6;

/**
 * Returns a short mark of an account, shown beside the name of the person. People choose their names, and two may have
 * the same one; the mark comes from the account's id, which nobody can choose. The end of the id is its random part.
 */
export function personMark(accountId: string): string {
  return accountId.slice(-LENGTH).toUpperCase();
}
