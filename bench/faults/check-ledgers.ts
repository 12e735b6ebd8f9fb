import type { Violation } from './checker.ts';
import { bodyOf, type Deed, named } from './deeds.ts';
import type { FinalItem, History, Movement } from './history.ts';

type Report = (kind: Violation['kind'], what: string) => void;

/** What stands in the ledgers at the end, against what was asked and answered. */
export function checkLedgers({ items }: History, deeds: Map<string, Deed>): Violation[] {
  const found: Violation[] = [];
  const report: Report = (kind, what) => void found.push({ kind, what });

  const written = rowsByKey(items, deeds, report);
  for (const deed of deeds.values()) checkDeed(deed, written.get(deed.key) ?? [], report);
  for (const item of items) {
    checkBalance(item, report);
    checkOrder(item, deeds, report);
    checkPresence(item, report);
  }
  return found;
}

/** A line of the books that belongs to a key: a movement, an event, or an item with its opening. */
type Line = { item: FinalItem; movement: Movement | null };

function rowsByKey(items: FinalItem[], deeds: Map<string, Deed>, report: Report): Map<string, Line[]> {
  const lines = new Map<string, Line[]>();
  const put = (key: string | null, line: Line, what: string) => {
    const deed = key === null ? undefined : deeds.get(key);
    if (!deed || key === null) return report('nobody asked', `${what} of item ${line.item.id} was asked for by nobody`);
    lines.set(key, [...(lines.get(key) ?? []), line]);
  };
  for (const item of items) {
    for (const [index, movement] of item.ledger.entries()) {
      if (index === 0) put(creatorOf(item, deeds), { item, movement }, `the opening ${movement.id}`);
      else {
        // A row under an id of its own is still known by its note.
        const key = deeds.has(movement.id) ? movement.id : (movement.note ?? null);
        put(key, { item, movement }, `movement ${movement.id} (${movement.delta})`);
      }
    }
    for (const event of item.events) put(event.id, { item, movement: null }, `the entry "${event.kind}" ${event.id}`);
  }
  return lines;
}

const creators = new WeakMap<Map<string, Deed>, Map<string, string>>();

/** The key an item was made under: by its name, or, when it is deleted, by the answer that gave its id. */
function creatorOf(item: FinalItem, deeds: Map<string, Deed>): string | null {
  let known = creators.get(deeds);
  if (!known) {
    known = new Map();
    for (const { key, ask, acknowledgement } of deeds.values()) {
      if (ask.what !== 'create') continue;
      known.set(ask.name, key);
      const id = acknowledgement && bodyOf<{ _id: string }>(acknowledgement)?._id;
      if (id) known.set(id, key);
    }
    creators.set(deeds, known);
  }
  return known.get(item.shown?.name ?? item.id) ?? null;
}

function checkDeed(deed: Deed, lines: Line[], report: Report): void {
  const [line] = lines;
  if (lines.length > 1) report('doubled', `${named(deed)} is there ${lines.length} times`);
  if (!line) {
    if (deed.acknowledgement && leavesALine(deed)) {
      report('lost', `${named(deed)} was acknowledged and is not there`);
    }
    return;
  }
  if (!deed.acknowledgement && deed.refusal) {
    report('refused but done', `${named(deed)} was refused with ${deed.refusal.status} and is there`);
  }
  if (!deed.acknowledgement && deed.toldUnchanged) {
    report('refused but done', `${named(deed)} was answered "nothing was changed" each time and is there`);
  }
  if (line.movement) checkMovement(deed, line.item, line.movement, report);
}

/** Taking away what is away, or bringing back what is there, is done by doing nothing. */
function leavesALine({ ask, acknowledgement }: Deed): boolean {
  if (ask.what === 'restore') return false;
  if (ask.what !== 'delete') return true;
  return acknowledgement !== null && bodyOf<{ deletedCount: number }>(acknowledgement)?.deletedCount === 1;
}

function checkMovement(deed: Deed, item: FinalItem, movement: Movement, report: Report): void {
  const { ask } = deed;
  const expected = expectedDelta(ask, item);
  if (movement.delta !== expected) {
    report('wrong difference', `${named(deed)} should be ${expected} and is ${movement.delta}`);
  }
  if ('item' in ask && ask.item !== item.id)
    report('wrong difference', `${named(deed)} is in the ledger of ${item.id}`);
  const told = deed.acknowledgement && quantityTold(deed);
  if (told !== null && told !== movement.quantityAfter) {
    report('wrong answer', `${named(deed)} was told ${told} are left, and the ledger says ${movement.quantityAfter}`);
  }
}

function expectedDelta(ask: Deed['ask'], item: FinalItem): number | undefined {
  if (ask.what === 'create') return ask.quantity;
  if (ask.what === 'undo') {
    const undone = item.ledger.find(({ id }) => id === ask.movement);
    return undone && -undone.delta;
  }
  return 'delta' in ask ? ask.delta : undefined;
}

function quantityTold({ acknowledgement }: Deed): number | null {
  const body = acknowledgement && bodyOf<{ quantity?: string; item?: { quantity?: string } }>(acknowledgement);
  const quantity = body?.item?.quantity ?? body?.quantity;
  return quantity === undefined ? null : Number(quantity);
}

/** The quantity is the sum of its movements after each of them, and never below zero. */
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

/** What was acknowledged before another was sent stands before it. */
function checkOrder({ id, ledger }: FinalItem, deeds: Map<string, Deed>, report: Report): void {
  let latest: Deed | null = null;
  for (const movement of ledger) {
    const deed = deeds.get(movement.id);
    if (!deed) continue;
    if (latest && deed.acknowledgedAt < latest.firstSentAt) {
      report(
        'out of order',
        `item ${id}: ${deed.key} was acknowledged before ${latest.key} was sent, and stands after it`,
      );
    }
    if (!latest || deed.firstSentAt > latest.firstSentAt) latest = deed;
  }
}

/** An item is taken away and brought back in turn, so at the end the counts say whether it is there. */
function checkPresence({ id, shown, events }: FinalItem, report: Report): void {
  const away = events.reduce((sum, { kind }) => sum + (kind === 'deleted' ? 1 : -1), 0);
  if (away !== (shown ? 0 : 1)) {
    report('unbalanced', `item ${id} is ${shown ? 'there' : 'away'}, taken away ${away} times more than brought back`);
  }
}
