import { bodyOf, type Change, isDone, named } from './changes.ts';
import type { Violation } from './checker.ts';
import type { FinalItem, History, Movement } from './history.ts';

type WireItem = { _id: string; quantity: string };

/**
 * Every read shows a state that existed at some instant between request and response: everything that was acknowledged before the
 * request, nothing that was sent after the response. A refusal is a read too: it says how many there were, or that the item was
 * deleted.
 */
export function checkReads({ attempts, items }: History, changes: Map<string, Change>): Violation[] {
  const found: Violation[] = [];
  const comings = Map.groupBy(changes.values(), ({ ask }) =>
    ask.what === 'delete' || ask.what === 'restore' ? ask.item : null,
  );
  const pasts = new Map(items.map((item) => [item.id, pastOf(item, changes, comings.get(item.id) ?? [])]));
  const see = (span: Span, itemId: string, seen: Seen, who: string) => {
    const past = pasts.get(itemId);
    const wrong = past ? past.contradicts(span, seen) : 'an item that is not there at the end';
    if (wrong) found.push({ kind: 'impossible read', what: `${who} of item ${itemId} shows ${wrong}` });
  };

  for (const attempt of attempts) {
    const { ask, sentAt, answeredAt } = attempt;
    if (!isDone(attempt) || answeredAt === null) continue;
    const span = { from: sentAt, to: answeredAt };
    const at = `at ${Math.round(sentAt)} ms`;
    if (ask.what === 'read-item') {
      const [item] = bodyOf<WireItem[]>(attempt) ?? [];
      see(span, ask.item, item ? { quantity: Number(item.quantity) } : 'away', `the read ${at}`);
    } else if (ask.what === 'read-ledger') {
      see(span, ask.item, { rows: (bodyOf<Movement[]>(attempt) ?? []).toReversed() }, `the ledger read ${at}`);
    } else if (ask.what === 'read-list') {
      for (const item of bodyOf<WireItem[]>(attempt) ?? []) {
        if (pasts.has(item._id)) see(span, item._id, { quantity: Number(item.quantity) }, `the list read ${at}`);
      }
    }
  }
  for (const change of changes.values()) {
    const seen = seenByRefusal(change);
    if (seen && 'item' in change.ask) see(seen.span, change.ask.item, seen.seen, `the refusal of ${named(change)}`);
    const missed = change.ask.what === 'undo' && saysMissing(change) ? changes.get(change.ask.movement) : undefined;
    if (missed && missed.acknowledgedAt < change.firstSentAt) {
      const what = `the refusal of ${named(change)} says there is no ${missed.key}, which had been acknowledged`;
      found.push({ kind: 'impossible read', what });
    }
  }
  return found;
}

type Span = { from: number; to: number };
type Seen = 'away' | { quantity: number } | { rows: Movement[] };

function seenByRefusal({ refusal, firstSentAt, ask }: Change): { span: Span; seen: Seen } | null {
  if (!refusal || refusal.answeredAt === null) return null;
  const span = { from: firstSentAt, to: refusal.answeredAt };
  const said = bodyOf<{ code?: string; onHand?: number }>(refusal);
  if (said?.onHand !== undefined) return { span, seen: { quantity: said.onHand } };
  return said?.code === 'item_not_found' && ask.what !== 'restore' ? { span, seen: 'away' } : null;
}

function saysMissing({ refusal }: Change): boolean {
  return refusal !== null && bodyOf<{ code?: string }>(refusal)?.code === 'movement_not_found';
}

/** The states of an item over time, as far as they are visible from outside. */
function pastOf({ ledger }: FinalItem, changes: Map<string, Change>, comings: Change[]) {
  const owner = (index: number) => changes.get(ledger[index]?.id ?? '');
  // For each time: the last position that was acknowledged by then, and the first that was not yet sent.
  const acknowledged = steps(
    ledger.map((_, index) => ({ at: owner(index)?.acknowledgedAt ?? Number.POSITIVE_INFINITY, index })),
    Math.max,
  );
  const unsent = steps(
    ledger.map((_, index) => ({ at: -(owner(index)?.firstSentAt ?? Number.NEGATIVE_INFINITY), index })),
    Math.min,
  );
  const places = new Map(ledger.map(({ id }, index) => [id, index]));
  const takings = comings.filter(({ ask, refusal }) => ask.what === 'delete' && !refusal);
  const returns = comings.filter(({ ask, refusal }) => ask.what === 'restore' && !refusal);

  /** The positions in the ledger that could be visible at that time. */
  function possible({ from, to }: Span): [first: number, last: number] {
    return [Math.max(0, acknowledged(from) ?? 0), (unsent(-to) ?? ledger.length) - 1];
  }

  /** Caused by what was acknowledged before, and nothing since could have reversed it. */
  function certainly(brought: Change[], undone: Change[], { from, to }: Span): boolean {
    const last = Math.max(
      ...brought.filter((change) => change.acknowledgedAt < from).map((change) => change.firstSentAt),
    );
    if (!Number.isFinite(last)) return false;
    return !undone.some((change) => change.acknowledgedAt >= last && change.firstSentAt <= to);
  }

  function contradicts(span: Span, seen: Seen): string | null {
    if (seen === 'away') {
      if (!takings.some((change) => change.firstSentAt <= span.to)) return 'nothing, though nobody had taken it away';
      return certainly(returns, takings, span) ? 'nothing, though it had been brought back' : null;
    }
    const [first, last] = possible(span);
    if ('rows' in seen) return contradictsRows(seen.rows, first, last);
    if (certainly(takings, returns, span)) return 'it, though it had been taken away';
    for (let place = first; place <= last; place++) if (ledger[place]?.quantityAfter === seen.quantity) return null;
    return `${seen.quantity}, which it was at no instant from ${Math.round(span.from)} to ${Math.round(span.to)} ms`;
  }

  function contradictsRows(rows: Movement[], first: number, last: number): string | null {
    const newest = rows.at(-1);
    const end = newest ? places.get(newest.id) : undefined;
    if (!newest || end === undefined) return `a movement ${newest?.id} that is not in its ledger at the end`;
    if (end < first) return `${newest.id} as its newest movement, though ${ledger[first]?.id} had been acknowledged`;
    if (end > last) return `${newest.id}, which had not been sent`;
    const wrong = rows.findIndex((row, index) => !same(row, ledger[end - rows.length + 1 + index]));
    return wrong < 0 ? null : `${rows[wrong]?.id} where the ledger at the end says otherwise`;
  }

  return { contradicts };
}

function same(a: Movement, b: Movement | undefined): boolean {
  return a.id === b?.id && a.delta === b.delta && a.quantityAfter === b.quantityAfter && a.undoes === b.undoes;
}

/** The highest (or lowest) index of all entries up to a time. */
function steps(entries: { at: number; index: number }[], pick: (a: number, b: number) => number) {
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
