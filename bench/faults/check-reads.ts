import { bodyOf, type Change, describeChange, isDone } from './changes.ts';
import type { Violation } from './checker.ts';
import type { FinalItem, History, Movement } from './history.ts';

type WireItem = { _id: string; quantity: string };

/**
 * Checks that every read shows a state that existed at some instant between request and response: with everything that
 * was acknowledged before the request, without anything that was sent after the response. A refusal is a read too: it
 * says how many units there were, or that the item was deleted.
 */
export function checkReads({ attempts, items }: History, changes: Map<string, Change>): Violation[] {
  const found: Violation[] = [];
  const deletionsAndRestorations = Map.groupBy(changes.values(), ({ action }) =>
    action.what === 'delete' || action.what === 'restore' ? action.item : null,
  );
  const statesOf = new Map(
    items.map((item) => [item.id, possibleStates(item, changes, deletionsAndRestorations.get(item.id) ?? [])]),
  );
  const check = (span: Span, itemId: string, seen: Seen, who: string) => {
    const past = statesOf.get(itemId);
    const contradiction = past ? past.contradicts(span, seen) : 'an item that is not there at the end';
    if (contradiction) found.push({ kind: 'impossible read', what: `${who} of item ${itemId} shows ${contradiction}` });
  };

  for (const attempt of attempts) {
    const { action, sentAt, answeredAt } = attempt;
    if (!isDone(attempt) || answeredAt === null) continue;
    const span = { from: sentAt, to: answeredAt };
    const at = `at ${Math.round(sentAt)} ms`;
    if (action.what === 'read-item') {
      const [item] = bodyOf<WireItem[]>(attempt) ?? [];
      check(span, action.item, item ? { quantity: Number(item.quantity) } : 'missing', `the read ${at}`);
    } else if (action.what === 'read-ledger') {
      check(span, action.item, { rows: (bodyOf<Movement[]>(attempt) ?? []).toReversed() }, `the ledger read ${at}`);
    } else if (action.what === 'read-list') {
      for (const item of bodyOf<WireItem[]>(attempt) ?? []) {
        if (statesOf.has(item._id)) check(span, item._id, { quantity: Number(item.quantity) }, `the list read ${at}`);
      }
    }
  }
  for (const change of changes.values()) {
    const seen = seenByRefusal(change);
    if (seen && 'item' in change.action)
      check(seen.span, change.action.item, seen.seen, `the refusal of ${describeChange(change)}`);
    const missed =
      change.action.what === 'undo' && saysMissing(change) ? changes.get(change.action.movement) : undefined;
    if (missed && missed.acknowledgedAt < change.firstSentAt) {
      const what = `the refusal of ${describeChange(change)} says there is no ${missed.key}, which had been acknowledged`;
      found.push({ kind: 'impossible read', what });
    }
  }
  return found;
}

type Span = { from: number; to: number };
type Seen = 'missing' | { quantity: number } | { rows: Movement[] };

function seenByRefusal({ refusal, firstSentAt, action }: Change): { span: Span; seen: Seen } | null {
  if (!refusal || refusal.answeredAt === null) return null;
  const span = { from: firstSentAt, to: refusal.answeredAt };
  const body = bodyOf<{ code?: string; onHand?: number }>(refusal);
  if (body?.onHand !== undefined) return { span, seen: { quantity: body.onHand } };
  return body?.code === 'item_not_found' && action.what !== 'restore' ? { span, seen: 'missing' } : null;
}

function saysMissing({ refusal }: Change): boolean {
  return refusal !== null && bodyOf<{ code?: string }>(refusal)?.code === 'movement_not_found';
}

/** The states of an item over time, as far as they are visible from outside. */
function possibleStates({ ledger }: FinalItem, changes: Map<string, Change>, deletionsAndRestorations: Change[]) {
  const owner = (index: number) => changes.get(ledger[index]?.id ?? '');
  // For each time: the last position that was acknowledged by then, and the first that was not yet sent.
  const acknowledged = cumulative(
    ledger.map((_, index) => ({ at: owner(index)?.acknowledgedAt ?? Number.POSITIVE_INFINITY, index })),
    Math.max,
  );
  const unsent = cumulative(
    ledger.map((_, index) => ({ at: -(owner(index)?.firstSentAt ?? Number.NEGATIVE_INFINITY), index })),
    Math.min,
  );
  const positions = new Map(ledger.map(({ id }, index) => [id, index]));
  const deletions = deletionsAndRestorations.filter(({ action, refusal }) => action.what === 'delete' && !refusal);
  const restorations = deletionsAndRestorations.filter(({ action, refusal }) => action.what === 'restore' && !refusal);

  /** The first and last movement of the ledger that could be the latest one at that time. */
  function possible({ from, to }: Span): [first: number, last: number] {
    return [Math.max(0, acknowledged(from) ?? 0), (unsent(-to) ?? ledger.length) - 1];
  }

  /** Whether a state must hold: one of the causes was acknowledged before, and nothing since could have reversed it. */
  function mustHold(causes: Change[], reversals: Change[], { from, to }: Span): boolean {
    const last = Math.max(
      ...causes.filter((change) => change.acknowledgedAt < from).map((change) => change.firstSentAt),
    );
    if (!Number.isFinite(last)) return false;
    return !reversals.some((change) => change.acknowledgedAt >= last && change.firstSentAt <= to);
  }

  function contradicts(span: Span, seen: Seen): string | null {
    if (seen === 'missing') {
      if (!deletions.some((change) => change.firstSentAt <= span.to)) return 'nothing, although nobody had deleted it';
      return mustHold(restorations, deletions, span) ? 'nothing, although it had been restored' : null;
    }
    const [first, last] = possible(span);
    if ('rows' in seen) return contradictsRows(seen.rows, first, last);
    if (mustHold(deletions, restorations, span)) return 'it, although it had been deleted';
    for (let position = first; position <= last; position++)
      if (ledger[position]?.quantityAfter === seen.quantity) return null;
    return `${seen.quantity}, which it was at no instant from ${Math.round(span.from)} to ${Math.round(span.to)} ms`;
  }

  function contradictsRows(rows: Movement[], first: number, last: number): string | null {
    const newest = rows.at(-1);
    const end = newest ? positions.get(newest.id) : undefined;
    if (!newest || end === undefined) return `a movement ${newest?.id} that is not in its ledger at the end`;
    if (end < first) return `${newest.id} as its newest movement, although ${ledger[first]?.id} had been acknowledged`;
    if (end > last) return `${newest.id}, which had not been sent`;
    const contradiction = rows.findIndex((row, index) => !same(row, ledger[end - rows.length + 1 + index]));
    return contradiction < 0 ? null : `${rows[contradiction]?.id} where the ledger at the end says otherwise`;
  }

  return { contradicts };
}

function same(a: Movement, b: Movement | undefined): boolean {
  return a.id === b?.id && a.delta === b.delta && a.quantityAfter === b.quantityAfter && a.undoes === b.undoes;
}

/** Returns a function that gives the highest (or lowest) index of all entries up to a time. */
function cumulative(entries: { at: number; index: number }[], pick: (a: number, b: number) => number) {
  const sorted = entries.filter(({ at }) => Number.isFinite(at)).sort((a, b) => a.at - b.at);
  const best: number[] = [];
  for (const { index } of sorted) best.push(best.length === 0 ? index : pick(best.at(-1) ?? index, index));
  return (time: number): number | undefined => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle]?.at ?? 0) < time) low = middle + 1;
      else high = middle;
    }
    return best[low - 1];
  };
}
