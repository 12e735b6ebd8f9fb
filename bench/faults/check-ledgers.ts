import { bodyOf, type Change, named } from './changes.ts';
import type { Violation } from './checker.ts';
import type { FinalItem, History, Movement } from './history.ts';

type Report = (kind: Violation['kind'], what: string) => void;

/** Compares the ledgers at the end with requests and responses. */
export function checkLedgers({ items }: History, changes: Map<string, Change>): Violation[] {
  const found: Violation[] = [];
  const report: Report = (kind, what) => void found.push({ kind, what });

  const written = rowsByKey(items, changes, report);
  for (const change of changes.values()) checkChange(change, written.get(change.key) ?? [], report);
  for (const item of items) {
    checkBalance(item, report);
    checkOrder(item, changes, report);
    checkPresence(item, report);
  }
  return found;
}

/** What a key has left behind: a movement, an event, or an item with its opening. */
type LedgerEntry = { item: FinalItem; movement: Movement | null };

function rowsByKey(items: FinalItem[], changes: Map<string, Change>, report: Report): Map<string, LedgerEntry[]> {
  const entries = new Map<string, LedgerEntry[]>();
  const put = (key: string | null, entry: LedgerEntry, what: string) => {
    const change = key === null ? undefined : changes.get(key);
    if (!change || key === null)
      return report('nobody asked', `${what} of item ${entry.item.id} was asked for by nobody`);
    entries.set(key, [...(entries.get(key) ?? []), entry]);
  };
  for (const item of items) {
    for (const [index, movement] of item.ledger.entries()) {
      if (index === 0) put(creatorOf(item, changes), { item, movement }, `the opening ${movement.id}`);
      else {
        // A row under another id is recognised by its note.
        const key = changes.has(movement.id) ? movement.id : (movement.note ?? null);
        put(key, { item, movement }, `movement ${movement.id} (${movement.delta})`);
      }
    }
    for (const event of item.events) put(event.id, { item, movement: null }, `the entry "${event.kind}" ${event.id}`);
  }
  return entries;
}

const creators = new WeakMap<Map<string, Change>, Map<string, string>>();

/** The key under which an item was created: from its name or, if it is deleted, from the response that contained its id. */
function creatorOf(item: FinalItem, changes: Map<string, Change>): string | null {
  let known = creators.get(changes);
  if (!known) {
    known = new Map();
    for (const { key, ask, acknowledgement } of changes.values()) {
      if (ask.what !== 'create') continue;
      known.set(ask.name, key);
      const id = acknowledgement && bodyOf<{ _id: string }>(acknowledgement)?._id;
      if (id) known.set(id, key);
    }
    creators.set(changes, known);
  }
  return known.get(item.shown?.name ?? item.id) ?? null;
}

function checkChange(change: Change, entries: LedgerEntry[], report: Report): void {
  const [entry] = entries;
  if (entries.length > 1) report('doubled', `${named(change)} is there ${entries.length} times`);
  if (!entry) {
    if (change.acknowledgement && leavesEntry(change)) {
      report('lost', `${named(change)} was acknowledged and is not there`);
    }
    return;
  }
  if (!change.acknowledgement && change.refusal) {
    report('refused but done', `${named(change)} was refused with ${change.refusal.status} and is there`);
  }
  if (!change.acknowledgement && change.toldUnchanged) {
    report('refused but done', `${named(change)} was answered "nothing was changed" each time and is there`);
  }
  if (entry.movement) checkMovement(change, entry.item, entry.movement, report);
}

/** Deleting a deleted item, or restoring an existing one, succeeds without an entry. */
function leavesEntry({ ask, acknowledgement }: Change): boolean {
  if (ask.what === 'restore') return false;
  if (ask.what !== 'delete') return true;
  return acknowledgement !== null && bodyOf<{ deletedCount: number }>(acknowledgement)?.deletedCount === 1;
}

function checkMovement(change: Change, item: FinalItem, movement: Movement, report: Report): void {
  const { ask } = change;
  const expected = expectedDelta(ask, item);
  if (movement.delta !== expected) {
    report('wrong difference', `${named(change)} should be ${expected} and is ${movement.delta}`);
  }
  if ('item' in ask && ask.item !== item.id)
    report('wrong difference', `${named(change)} is in the ledger of ${item.id}`);
  const told = change.acknowledgement && quantityTold(change);
  if (told !== null && told !== movement.quantityAfter) {
    report('wrong answer', `${named(change)} was told ${told} are left, and the ledger says ${movement.quantityAfter}`);
  }
}

function expectedDelta(ask: Change['ask'], item: FinalItem): number | undefined {
  if (ask.what === 'create') return ask.quantity;
  if (ask.what === 'undo') {
    const undone = item.ledger.find(({ id }) => id === ask.movement);
    return undone && -undone.delta;
  }
  return 'delta' in ask ? ask.delta : undefined;
}

function quantityTold({ acknowledgement }: Change): number | null {
  const body = acknowledgement && bodyOf<{ quantity?: string; item?: { quantity?: string } }>(acknowledgement);
  const quantity = body?.item?.quantity ?? body?.quantity;
  return quantity === undefined ? null : Number(quantity);
}

/** After each movement the quantity is the sum of all movements so far, and never below zero. */
function checkBalance({ id, ledger, shown }: FinalItem, report: Report): void {
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
  if (shown && shown.quantity !== sum)
    report('unbalanced', `item ${id} shows ${shown.quantity}, its ledger sums to ${sum}`);
}

/** A change that was acknowledged before another was sent comes before it. */
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

/** Deletions and restorations alternate, so their counts say whether the item exists at the end. */
function checkPresence({ id, shown, events }: FinalItem, report: Report): void {
  const away = events.reduce((sum, { kind }) => sum + (kind === 'deleted' ? 1 : -1), 0);
  if (away !== (shown ? 0 : 1)) {
    report('unbalanced', `item ${id} is ${shown ? 'there' : 'away'}, taken away ${away} times more than brought back`);
  }
}
