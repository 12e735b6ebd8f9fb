import { hash } from 'node:crypto';

/** No text of ours may hold this character, so no two movements can be written as the same text. */
const BETWEEN = '\x1f';

/** What a movement says of itself, in the order in which it is hashed; both databases know the same function. */
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

/** Each movement's hash covers the movement and the hash before it: a changed row breaks the chain at its own place. */
export function ledgerHash(...movement: Hashed): string {
  return hash('sha256', movement.map((part) => part ?? '').join(BETWEEN), 'hex');
}
