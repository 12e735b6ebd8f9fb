import type { Item } from '@perfume/domain/items';
import { useEffect } from 'react';
import { type Action, onUndone } from '../../live/undo-stack.ts';
import { createStore } from '../../ui/store.ts';
import type { BookingMode, FloorMode } from './floor-mode.ts';

/**
 * What became of something that was recorded. `latest` is the action that undoes it or, if it is undone, makes it again;
 * null until it is recorded.
 */
type Fate = { latest: Action | null; isUndone: boolean };
/** One movement of a booking. `recorded` resolves when it is recorded, and rejects when it is refused. */
export type Movement = { key: number; units: number; recorded: Promise<Action> } & Fate;

export type Booking = {
  kind: 'booking';
  mode: BookingMode;
  item: Item;
  movements: readonly Movement[];
  /** The units that the person chose with the stepper, until the movements add up to them. */
  wanted: number | null;
  /** How many units were undone, when none is left. The booking stays in the list, so that the person sees it. */
  undone: number | null;
};
/** `counted` is the number of a count that was not saved. */
export type Refusal = {
  kind: 'refusal';
  mode: BookingMode | 'count';
  item: Item;
  problem: unknown;
  counted?: number;
};
/** `item` is the item before the count. A count that confirmed its quantity has no action. */
export type Counted = { kind: 'counted'; item: Item; counted: number } & Fate;
/** A scanned code: being looked up, unknown, with a wrong check digit, or not found out because of a problem. */
export type Scanned = { kind: 'scanned'; mode: FloorMode; code: string } & (
  | { state: 'looking' | 'unknown' }
  | { state: 'wrongDigit'; expected: number }
  | { state: 'failed'; problem: unknown }
);

type Content = Booking | Refusal | Counted | Scanned;
export type JournalEntry = Content & { key: number };

const MAX_ENTRIES = 30;
/** What was done on the floor, newest first. It lasts as long as the tab; the history has all of it. */
const journal = createStore<readonly JournalEntry[]>([]);

let owner = '';
let lastKey = 0;

/** The journal of a user. It is emptied when another user signs in. */
export function useJournal(userId: string): readonly JournalEntry[] {
  const entries = journal.use();
  useEffect(() => {
    if (userId === owner) return;
    owner = userId;
    journal.set([]);
  }, [userId]);
  return userId === owner ? entries : [];
}

export function journalEntries(): readonly JournalEntry[] {
  return journal.get();
}

/** Adds an entry on top and returns its key. */
export function addEntry(content: Content): number {
  const key = ++lastKey;
  journal.set([{ ...content, key }, ...journal.get()].slice(0, MAX_ENTRIES));
  return key;
}

/** Replaces an entry in its place. */
export function replaceEntry(key: number, content: Content): void {
  journal.set(journal.get().map((entry) => (entry.key === key ? { ...content, key } : entry)));
}

export function removeEntry(key: number): void {
  journal.set(journal.get().filter((entry) => entry.key !== key));
}

export function bookingOf(key: number): (Booking & { key: number }) | null {
  const entry = journal.get().find((one) => one.key === key);
  return entry?.kind === 'booking' ? entry : null;
}

export function newMovement(units: number, recorded: Promise<Action>): Movement {
  return { key: ++lastKey, units, recorded, latest: null, isUndone: false };
}

/** Changes a movement, if its booking is still in the list. */
export function updateMovement(key: number, movement: Movement, changes: Partial<Fate>): void {
  const booking = bookingOf(key);
  if (!booking) return;
  const movements = booking.movements.map((one) => (one.key === movement.key ? { ...one, ...changes } : one));
  replaceEntry(key, withMovements(booking, movements));
}

function withMovements(booking: Booking, movements: readonly Movement[]): Booking {
  const [before, left] = [bookedUnits(booking), unitsOf(movements)];
  if (left > before) return { ...booking, movements, undone: null };
  // While the units are being changed, what was undone too much is booked again.
  const isAllUndone = left === 0 && booking.wanted === null;
  return { ...booking, movements, undone: booking.undone ?? (isAllUndone ? before : null) };
}

export function bookedUnits({ movements }: Booking): number {
  return unitsOf(movements);
}

function unitsOf(movements: readonly Movement[]): number {
  return movements.reduce((sum, { units, isUndone }) => sum + (isUndone ? 0 : units), 0);
}

export function shownUnits(booking: Booking): number {
  return booking.wanted ?? booking.undone ?? bookedUnits(booking);
}

// What is undone or made again elsewhere, with Ctrl Z, in a toast or in the history, changes here too.
onUndone((id, opposite) => {
  const follow = <T extends Fate>(one: T): T =>
    one.latest?.id === id ? { ...one, latest: opposite, isUndone: opposite === null || !one.isUndone } : one;
  for (const entry of journal.get()) {
    if (entry.kind === 'counted') replaceEntry(entry.key, follow(entry));
    if (entry.kind === 'booking') replaceEntry(entry.key, withMovements(entry, entry.movements.map(follow)));
  }
});
