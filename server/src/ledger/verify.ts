import { hash } from 'node:crypto';
import type { Selectable } from 'kysely';
import { OperatorError } from '../db/core/errors.ts';
import { type Hashed, hasSeparator, ledgerHash } from '../db/core/ledger-hash.ts';
import { type Queries, statement } from '../db/core/statement.ts';
import type { ItemRow, MovementRow } from '../db/core/tables.ts';

export type Verified = {
  items: number;
  movements: number;
  /** A hash of the whole ledger: two databases with the same one hold the same movements. */
  fingerprint: string;
  broken: Broken | null;
};
export type Broken = { itemId: string; seq: number; movementId: string | null; what: string };

type Movement = Selectable<MovementRow>;
type LedgerEnd = Pick<Selectable<ItemRow>, 'id' | 'quantity' | 'stock_seq' | 'ledger_hash' | 'house'>;

const PAGE_SIZE = 2_000;

/**
 * Checks the whole ledger, item by item. Every movement must start at the quantity that the previous one left and carry
 * a hash of its own content and of the previous hash. The item must have the quantity that its ledger ends with. Stops
 * at the first error.
 */
export async function verifyLedger(db: Queries, onProgress: (movements: number) => void = () => {}): Promise<Verified> {
  const heads = runningHash();
  const result: Verified = { items: 0, movements: 0, fingerprint: '', broken: null };
  let position = { item: '', seq: 0 };
  let before: Movement | null = null;
  let items = new Map<string, LedgerEnd>();
  let page: Movement[];
  do {
    page = await nextMovements(db, position.item, position.seq, PAGE_SIZE);
    items = await itemsOf(db, page, items);
    for (const movement of page) {
      if (before && before.item_id !== movement.item_id) {
        result.broken = checkEnd(before, items.get(before.item_id));
        if (result.broken) return result;
        heads.add(before);
        before = null;
      }
      result.broken = checkLink(movement, before) ?? (movement.undoes ? await checkUndo(db, movement) : null);
      if (result.broken) return result;
      if (!before) result.items++;
      result.movements++;
      before = movement;
    }
    const last = page.at(-1);
    if (last) position = { item: last.item_id, seq: last.seq };
    onProgress(result.movements);
  } while (page.length === PAGE_SIZE);
  if (before) {
    result.broken = checkEnd(before, items.get(before.item_id));
    heads.add(before);
  }
  const [withoutLedger] = result.broken ? [] : await itemsWithoutLedger(db);
  if (withoutLedger)
    result.broken = { itemId: withoutLedger.id, seq: 0, movementId: null, what: 'the item has no ledger' };
  result.fingerprint = heads.text();
  return result;
}

/** Verifies the ledger and throws if it is broken, for programs that must not continue then. */
export async function requireIntactLedger(
  db: Queries,
  onProgress?: (movements: number) => void,
): Promise<Omit<Verified, 'broken'>> {
  const { broken, ...verified } = await verifyLedger(db, onProgress);
  if (!broken) return verified;
  throw new OperatorError(describeBroken(broken));
}

export function describeBroken({ movementId, seq, itemId, what }: Broken): string {
  return `The ledger is broken at movement ${movementId ?? '(none)'}, number ${seq} of item ${itemId}: ${what}.`;
}

/** Checks that a movement continues the one before it, in its quantities and in its hash. Returns null if it does. */
function checkLink(movement: Movement, before: Movement | null): Broken | null {
  const broken = (what: string): Broken => ({
    itemId: movement.item_id,
    seq: movement.seq,
    movementId: movement.id,
    what,
  });
  if (movement.seq !== (before?.seq ?? 0) + 1) return broken('earlier movements of the item are missing');
  if (movement.quantity_before !== (before?.quantity_after ?? 0))
    return broken('its starting quantity is not what the previous movement left');
  if (before && movement.house !== before.house)
    return broken('it belongs to another house than the previous movement');
  if (movement.quantity_before + movement.delta !== movement.quantity_after)
    return broken('its quantities do not add up');
  const isUndo = movement.undoes !== null;
  if (isUndo !== (movement.undone_kind !== null) || isUndo !== (movement.undone_at !== null))
    return broken('its fields about the movement it undoes contradict each other');
  const hashed: Hashed = [
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
    movement.reason,
  ];
  if (hasSeparator(hashed)) return broken('a text of it contains the separator of the hashed fields');
  return movement.hash === ledgerHash(...hashed)
    ? null
    : broken('its hash does not match its content and the previous movement');
}

/**
 * Checks that an undo is the opposite of a movement of the same item, and names its kind and time correctly. Returns
 * null if so.
 */
async function checkUndo(db: Queries, movement: Movement): Promise<Broken | null> {
  const [undone] = await movementById(db, movement.undoes ?? '');
  const isOpposite =
    undone !== undefined &&
    undone.item_id === movement.item_id &&
    undone.delta === -movement.delta &&
    (undone.undone_kind ?? undone.kind) === movement.undone_kind &&
    (undone.undone_at ?? undone.at) === movement.undone_at;
  if (isOpposite) return null;
  const { item_id: itemId, seq, id: movementId } = movement;
  return { itemId, seq, movementId, what: 'it is not the opposite of the movement it undoes' };
}

/** Checks that the item has the quantity that its last movement left. Returns null if it has. */
function checkEnd(last: Movement, item: LedgerEnd | undefined): Broken | null {
  const isEnd =
    item?.quantity === last.quantity_after &&
    item.stock_seq === last.seq &&
    item.ledger_hash === last.hash &&
    item.house === last.house;
  if (isEnd) return null;
  const { item_id: itemId, seq, id: movementId } = last;
  return { itemId, seq, movementId, what: 'the item does not match the end of its ledger' };
}

function runningHash() {
  let text = '';
  return {
    add: (last: Movement) => {
      text = hash('sha256', `${text}${last.item_id}${last.hash}`, 'hex');
    },
    text: () => text,
  };
}

async function itemsOf(db: Queries, page: Movement[], known: Map<string, LedgerEnd>): Promise<Map<string, LedgerEnd>> {
  const ids = [...new Set(page.map(({ item_id }) => item_id))];
  const rows = ids.length === 0 ? [] : await selectItems(db, ids[0] ?? '', ids.at(-1) ?? '');
  // The last item of a page may continue on the next page.
  return new Map([...known, ...rows.map((row) => [row.id, row] as const)].slice(-PAGE_SIZE - 1));
}

const nextMovements = statement<Movement, [itemId: string, seq: number, limit: number]>(
  'select * from stock_movements where (item_id, seq) > ($1, $2) order by item_id, seq limit $3',
);
const movementById = statement<Movement, [id: string]>('select * from stock_movements where id = $1');
const selectItems = statement<LedgerEnd, [first: string, last: string]>(
  'select id, quantity, stock_seq, ledger_hash, house from items where id between $1 and $2 order by id',
);
const itemsWithoutLedger = statement<{ id: string }, []>(
  'select id from items where not exists (select 1 from stock_movements where item_id = items.id and seq = 1) limit 1',
);
