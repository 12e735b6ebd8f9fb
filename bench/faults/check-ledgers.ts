import { bodyOf, type Change, describeChange } from './changes.ts';
import type { Violation } from './checker.ts';
import type { FinalItem, History, Movement } from './history.ts';

type Report = (kind: Violation['kind'], what: string) => void;

/** Compares the ledgers at the end with requests and responses. */
export function checkLedgers({ items }: History, changes: Map<string, Change>): Violation[] {
  const found: Violation[] = [];
  const report: Report = (kind, what) => void found.push({ kind, what });

  const written = entriesByKey(items, changes, report);
  for (const change of changes.values()) checkChange(change, written.get(change.key) ?? [], report);
  for (const item of items) {
    checkBalance(item, report);
    checkOrder(item, changes, report);
    checkExistence(item, report);
  }
  return found;
}

/** What a change has left in the database: a movement, an event, or an item with its opening stock. */
type LedgerEntry = { item: FinalItem; movement: Movement | null };

function entriesByKey(items: FinalItem[], changes: Map<string, Change>, report: Report): Map<string, LedgerEntry[]> {
  const entries = new Map<string, LedgerEntry[]>();
  const add = (key: string | null, entry: LedgerEntry, what: string) => {
    const change = key === null ? undefined : changes.get(key);
    if (!change || key === null)
      return report('not requested', `${what} of item ${entry.item.id} was requested by nobody`);
    entries.set(key, [...(entries.get(key) ?? []), entry]);
  };
  for (const item of items) {
    for (const [index, movement] of item.ledger.entries()) {
      if (index === 0) add(creatorOf(item, changes), { item, movement }, `the opening ${movement.id}`);
      else {
        // A movement that was stored under another id is recognised by its note.
        const key = changes.has(movement.id) ? movement.id : (movement.note ?? null);
        add(key, { item, movement }, `movement ${movement.id} (${movement.delta})`);
      }
    }
    for (const event of item.events) add(event.id, { item, movement: null }, `the entry "${event.kind}" ${event.id}`);
  }
  return entries;
}

const creators = new WeakMap<Map<string, Change>, Map<string, string>>();

/**
 * The key under which an item was created. It is in the item's name or, if the item is deleted, known from the response
 * that contained its id.
 */
function creatorOf(item: FinalItem, changes: Map<string, Change>): string | null {
  let keys = creators.get(changes);
  if (!keys) {
    keys = new Map();
    for (const { key, action, acknowledgement } of changes.values()) {
      if (action.what !== 'create') continue;
      keys.set(action.name, key);
      const id = acknowledgement && bodyOf<{ _id: string }>(acknowledgement)?._id;
      if (id) keys.set(id, key);
    }
    creators.set(changes, keys);
  }
  return keys.get(item.current?.name ?? item.id) ?? null;
}

function checkChange(change: Change, entries: LedgerEntry[], report: Report): void {
  const [entry] = entries;
  if (entries.length > 1) report('doubled', `${describeChange(change)} is there ${entries.length} times`);
  if (!entry) {
    if (change.acknowledgement && leavesEntry(change)) {
      report('lost', `${describeChange(change)} was acknowledged and is not there`);
    }
    return;
  }
  if (!change.acknowledgement && change.refusal) {
    report('refused but done', `${describeChange(change)} was refused with ${change.refusal.status} and is there`);
  }
  if (!change.acknowledgement && change.saidUnchanged) {
    report('refused but done', `${describeChange(change)} was answered "nothing was changed" each time and is there`);
  }
  if (entry.movement) checkMovement(change, entry.item, entry.movement, report);
}

/**
 * Whether the change must leave an entry: deleting a deleted item, or restoring an existing one, succeeds without one.
 */
function leavesEntry({ action, acknowledgement }: Change): boolean {
  if (action.what === 'restore') return false;
  if (action.what !== 'delete') return true;
  return acknowledgement !== null && bodyOf<{ deletedCount: number }>(acknowledgement)?.deletedCount === 1;
}

function checkMovement(change: Change, item: FinalItem, movement: Movement, report: Report): void {
  const { action } = change;
  const expected = expectedDelta(action, item);
  if (movement.delta !== expected) {
    report('wrong difference', `${describeChange(change)} should be ${expected} and is ${movement.delta}`);
  }
  if ('item' in action && action.item !== item.id)
    report('wrong difference', `${describeChange(change)} is in the ledger of ${item.id}`);
  const reported = change.acknowledgement && reportedQuantity(change);
  if (reported !== null && reported !== movement.quantityAfter) {
    report(
      'wrong answer',
      `${describeChange(change)} was told ${reported} are left, and the ledger says ${movement.quantityAfter}`,
    );
  }
}

function expectedDelta(action: Change['action'], item: FinalItem): number | undefined {
  if (action.what === 'create') return action.quantity;
  if (action.what === 'undo') {
    const undone = item.ledger.find(({ id }) => id === action.movement);
    return undone && -undone.delta;
  }
  return 'delta' in action ? action.delta : undefined;
}

function reportedQuantity({ acknowledgement }: Change): number | null {
  const body = acknowledgement && bodyOf<{ quantity?: string; item?: { quantity?: string } }>(acknowledgement);
  const quantity = body?.item?.quantity ?? body?.quantity;
  return quantity === undefined ? null : Number(quantity);
}

/** Checks that after each movement the quantity is the sum of all movements so far, and never below zero. */
function checkBalance({ id, ledger, current }: FinalItem, report: Report): void {
  if (ledger[0]?.kind !== 'opening') report('unbalanced', `the ledger of item ${id} does not begin with its opening`);
  let sum = 0;
  for (const movement of ledger) {
    sum += movement.delta;
    if (sum !== movement.quantityAfter) {
      report(
        'unbalanced',
        `item ${id}: after ${movement.id} the sum is ${sum}, the row says ${movement.quantityAfter}`,
      );
      sum = movement.quantityAfter;
    }
    if (movement.quantityAfter < 0) report('unbalanced', `item ${id}: ${movement.id} leaves ${movement.quantityAfter}`);
  }
  if (current && current.quantity !== sum)
    report('unbalanced', `item ${id} shows ${current.quantity}, its ledger sums to ${sum}`);
}

/** Checks the order of changes: one that was acknowledged before another was sent comes first. */
function checkOrder({ id, ledger }: FinalItem, changes: Map<string, Change>, report: Report): void {
  let latest: Change | null = null;
  for (const movement of ledger) {
    const change = changes.get(movement.id);
    if (!change) continue;
    if (latest && change.acknowledgedAt < latest.firstSentAt) {
      report(
        'out of order',
        `item ${id}: ${change.key} was acknowledged before ${latest.key} was sent, and stands after it`,
      );
    }
    if (!latest || change.firstSentAt > latest.firstSentAt) latest = change;
  }
}

/**
 * Checks whether the item exists at the end. Deletions and restorations alternate, so their counts say whether it
 * should.
 */
function checkExistence({ id, current, events }: FinalItem, report: Report): void {
  const deletions = events.reduce((sum, { kind }) => sum + (kind === 'deleted' ? 1 : -1), 0);
  if (deletions !== (current ? 0 : 1)) {
    report(
      'unbalanced',
      `item ${id} is ${current ? 'there' : 'missing'}, deleted ${deletions} times more than restored`,
    );
  }
}
