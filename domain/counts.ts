import type { MovementKind } from './ledger.ts';

/** What the ledger said about an item when somebody counted: how many movements it had, and its quantity. */
export type LedgerPoint = { seq: number; quantity: number };

/** What one person counted: more (or fewer) units than so far, or the whole number. */
export type CountEntry = LedgerPoint & { kind: 'add' | 'set'; units: number };

/** What a count session knows about an item that somebody counted. */
export type CountLine = {
  counted: number;
  /** The ledger at the first entry that still matters, and at the last one. */
  first: LedgerPoint;
  last: LedgerPoint;
  /**
   * The number of movements when the item was counted completely: at once for a whole number, otherwise when whoever
   * made the last entry went on to another item. Null while that may still come.
   */
  doneSeq: number | null;
};

/**
 * Adds an entry to the line of its item. A whole number replaces everything that was counted before. An entry that was
 * made without a connection may arrive after later ones.
 */
export function addToLine(line: CountLine | null, { kind, units, seq, quantity }: CountEntry): CountLine {
  const point = { seq, quantity };
  if (kind === 'set' || line === null)
    return { counted: units, first: point, last: point, doneSeq: kind === 'set' ? seq : null };
  return {
    counted: line.counted + units,
    first: seq < line.first.seq ? point : line.first,
    last: seq < line.last.seq ? line.last : point,
    doneSeq: null,
  };
}

/** The line that these entries make, oldest first; null if there are none. */
export function lineOf(entries: readonly CountEntry[]): CountLine | null {
  return entries.reduce<CountLine | null>(addToLine, null);
}

/**
 * What the ledger is off by. Deliveries and restocks after the count change the shelf and the ledger alike, so the
 * difference stays true, and posting it keeps them.
 */
export function differenceOf({ counted, last }: CountLine): number {
  return counted - last.quantity;
}

/** Whether stock moved while the item was being counted: nobody can tell which of the moved units were counted. */
export function movedWhileCounted({ first, doneSeq }: CountLine, seqNow: number): boolean {
  return first.seq !== (doneSeq ?? seqNow);
}

export type LaterMovement = { id: string; kind: MovementKind; undoes: string | null };

/**
 * Whether somebody corrected the ledger after the item was counted, given all movements since, oldest first. A
 * correction may already contain the difference, and so may the undo of a movement from before the count. The undo of a
 * later delivery only takes that delivery back.
 */
export function correctedSince(movements: readonly LaterMovement[]): boolean {
  const later = new Set<string>();
  return movements.some(({ id, kind, undoes }) => {
    const onlyMoves = kind === 'deliver' || kind === 'restock' || (undoes !== null && later.has(undoes));
    if (onlyMoves) later.add(id);
    return !onlyMoves;
  });
}
