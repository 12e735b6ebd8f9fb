import { hash } from 'node:crypto';

/**
 * Separates the hashed fields. Validation rejects this character in every text, and `verify` reports a text that has
 * one, so two different movements never hash the same input.
 */
const SEPARATOR = '\x1f';

/** The hashed fields of a movement, in order. PostgreSQL computes the same hash in SQL. */
export type Hashed = [
  before: string,
  itemId: string,
  seq: number,
  id: string,
  kind: string,
  delta: number,
  quantityAfter: number,
  actorId: string,
  actorName: string,
  at: number,
  note: string | null,
  undoes: string | null,
  batch: string | null,
  reason?: string | null,
];

/** Whether a field contains the separator. Such a field could take the place of two, for example of batch and reason. */
export function hasSeparator(movement: Hashed): boolean {
  return movement.some((part) => typeof part === 'string' && part.includes(SEPARATOR));
}

const WITHOUT_REASON = 13;

/**
 * Returns the hash of a movement. It also covers the previous hash, so a changed row breaks the chain at that row. A
 * missing reason adds nothing, so movements from before there were reasons keep their hash.
 */
export function ledgerHash(...movement: Hashed): string {
  const hashed = movement[WITHOUT_REASON] == null ? movement.slice(0, WITHOUT_REASON) : movement;
  return hash('sha256', hashed.map((part) => part ?? '').join(SEPARATOR), 'hex');
}
