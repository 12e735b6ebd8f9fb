import { hash } from 'node:crypto';
import type { Selectable } from 'kysely';
import { OperatorError } from '../db/core/errors.ts';
import { ledgerHash } from '../db/core/ledger-hash.ts';
import { type Queries, statement } from '../db/core/statement.ts';
import type { ItemRow, MovementRow } from '../db/core/tables.ts';

export type Verified = {
  items: number;
  movements: number;
  /** One text for the whole ledger. Kept elsewhere, it shows later whether even a rewritten chain is the same. */
  fingerprint: string;
  broken: Broken | null;
};
export type Broken = { itemId: string; seq: number; movementId: string | null; what: string };

type Movement = Selectable<MovementRow>;
type Shelf = Pick<Selectable<ItemRow>, 'id' | 'quantity' | 'stock_seq' | 'ledger_hash'>;

const AT_ONCE = 2_000;

/**
 * Walks the whole ledger, item by item in the order of their ids: every movement is the sum of what came before it and
 * carries the hash that its own words and the one before it give, and the shelf shows where its ledger ends.
 * Stops at the first row that does not.
 */
export async function verifyLedger(db: Queries, onProgress: (movements: number) => void = () => {}): Promise<Verified> {
  const heads = hash256();
  const seen: Verified = { items: 0, movements: 0, fingerprint: '', broken: null };
  let place = { item: '', seq: 0 };
  let before: Movement | null = null;
  let shelves = new Map<string, Shelf>();
  let page: Movement[];
  do {
    page = await nextMovements(db, place.item, place.seq, AT_ONCE);
    shelves = await shelvesOf(db, page, shelves);
    for (const movement of page) {
      if (before && before.item_id !== movement.item_id) {
        seen.broken = endOf(before, shelves.get(before.item_id));
        if (seen.broken) return seen;
        heads.add(before);
        before = null;
      }
      seen.broken = linkOf(movement, before) ?? (movement.undoes ? await mirrorOf(db, movement) : null);
      if (seen.broken) return seen;
      if (!before) seen.items++;
      seen.movements++;
      before = movement;
    }
    const last = page.at(-1);
    if (last) place = { item: last.item_id, seq: last.seq };
    onProgress(seen.movements);
  } while (page.length === AT_ONCE);
  if (before) {
    seen.broken = endOf(before, shelves.get(before.item_id));
    heads.add(before);
  }
  const [lost] = seen.broken ? [] : await itemsWithoutLedger(db);
  if (lost) seen.broken = { itemId: lost.id, seq: 0, movementId: null, what: 'the item has no ledger' };
  seen.fingerprint = heads.text();
  return seen;
}

/** For work that must not go on with a ledger that is broken. */
export async function requireWholeLedger(
  db: Queries,
  onProgress?: (movements: number) => void,
): Promise<Omit<Verified, 'broken'>> {
  const { broken, ...whole } = await verifyLedger(db, onProgress);
  if (!broken) return whole;
  const { movementId, seq, itemId, what } = broken;
  throw new OperatorError(
    `The ledger is broken at movement ${movementId ?? '(none)'}, number ${seq} of item ${itemId}: ${what}.`,
  );
}

/** Whether a movement continues the one before it, in its sum and in its hash. */
function linkOf(movement: Movement, before: Movement | null): Broken | null {
  const broken = (what: string): Broken => ({
    itemId: movement.item_id,
    seq: movement.seq,
    movementId: movement.id,
    what,
  });
  if (movement.seq !== (before?.seq ?? 0) + 1) return broken('movements before it are missing');
  if (movement.quantity_before !== (before?.quantity_after ?? 0))
    return broken('it does not begin where the one before ended');
  if (movement.quantity_before + movement.delta !== movement.quantity_after) return broken('its sum is wrong');
  const isUndo = movement.undoes !== null;
  if (isUndo !== (movement.undone_kind !== null) || isUndo !== (movement.undone_at !== null))
    return broken('it does not say what it undoes');
  const expected = ledgerHash(
    before?.hash ?? '',
    movement.item_id,
    movement.seq,
    movement.id,
    movement.kind,
    movement.delta,
    movement.quantity_after,
    movement.actor_id,
    movement.actor_name,
    movement.at,
    movement.note,
    movement.undoes,
    movement.batch,
  );
  return movement.hash === expected ? null : broken('its hash is not that of its words and of the movement before it');
}

/** An undo is the mirror image of a movement of the same item, and knows the kind and the time of the one it takes back. */
async function mirrorOf(db: Queries, movement: Movement): Promise<Broken | null> {
  const [undone] = await movementById(db, movement.undoes ?? '');
  const isMirror =
    undone !== undefined &&
    undone.item_id === movement.item_id &&
    undone.delta === -movement.delta &&
    (undone.undone_kind ?? undone.kind) === movement.undone_kind &&
    (undone.undone_at ?? undone.at) === movement.undone_at;
  if (isMirror) return null;
  const { item_id: itemId, seq, id: movementId } = movement;
  return { itemId, seq, movementId, what: 'it is not the mirror image of what it undoes' };
}

/** Whether the shelf shows what its last movement left there. */
function endOf(last: Movement, shelf: Shelf | undefined): Broken | null {
  const isEnd =
    shelf?.quantity === last.quantity_after && shelf.stock_seq === last.seq && shelf.ledger_hash === last.hash;
  if (isEnd) return null;
  const { item_id: itemId, seq, id: movementId } = last;
  return { itemId, seq, movementId, what: 'the shelf does not show where its ledger ends' };
}

function hash256() {
  let text = '';
  return {
    add: (last: Movement) => {
      text = hash('sha256', `${text}${last.item_id}${last.hash}`, 'hex');
    },
    text: () => text,
  };
}

async function shelvesOf(db: Queries, page: Movement[], known: Map<string, Shelf>): Promise<Map<string, Shelf>> {
  const ids = [...new Set(page.map(({ item_id }) => item_id))];
  const rows = ids.length === 0 ? [] : await selectShelves(db, ids[0] ?? '', ids.at(-1) ?? '');
  // The item a page ends in goes on in the next one.
  return new Map([...known, ...rows.map((row) => [row.id, row] as const)].slice(-AT_ONCE - 1));
}

const nextMovements = statement<Movement, [itemId: string, seq: number, limit: number]>(
  'select * from stock_movements where (item_id, seq) > ($1, $2) order by item_id, seq limit $3',
);
const movementById = statement<Movement, [id: string]>('select * from stock_movements where id = $1');
const selectShelves = statement<Shelf, [first: string, last: string]>(
  'select id, quantity, stock_seq, ledger_hash from items where id between $1 and $2 order by id',
);
const itemsWithoutLedger = statement<{ id: string }, []>(
  'select id from items where not exists (select 1 from stock_movements where item_id = items.id and seq = 1) limit 1',
);
