import { hash } from 'node:crypto';

/** Validation rejects this character in every text, so two different movements never hash the same input. */
const SEPARATOR = '\x1f';

/** The hashed fields of a movement, in order. Both databases compute the same function. */
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
];

/** Each hash covers the movement and the previous hash, so a changed row breaks the chain at that row. */
export function ledgerHash(...movement: Hashed): string {
  return hash('sha256', movement.map((part) => part ?? '').join(SEPARATOR), 'hex');
}
