import type { Item } from '@perfume/domain/items';
import { useEffect } from 'react';
import type { Action } from '../../live/undo-stack.ts';
import { createStore } from '../../ui/store.ts';
import type { BookingMode, FloorMode } from './floor-mode.ts';

/** One movement of a booking. `recorded` resolves when it is recorded, and rejects when it is refused. */
export type Movement = { units: number; recorded: Promise<Action> };

export type Booking = {
  kind: 'booking';
  mode: BookingMode;
  item: Item;
  movements: readonly Movement[];
  /** The units that the person chose with the stepper, until the movements add up to them. */
  wanted: number | null;
  /** What was undone stays in the list, so that the person sees it. */
  undone: boolean;
};
/** `counted` is the number of a count that was not saved. */
export type Refusal = {
  kind: 'refusal';
  mode: BookingMode | 'count';
  item: Item;
  problem: unknown;
  counted?: number;
};
/** `item` is the item before the count. `recorded` resolves with null when the count confirmed its quantity. */
export type Counted = {
  kind: 'counted';
  item: Item;
  counted: number;
  recorded: Promise<Action | null>;
  undone: boolean;
};
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

export function bookedUnits({ movements }: Booking): number {
  return movements.reduce((sum, { units }) => sum + units, 0);
}

export function shownUnits(booking: Booking): number {
  return booking.wanted ?? bookedUnits(booking);
}
