import type { Item } from '@perfume/domain/items';
import { ApiProblem } from '../../api/client.ts';
import { changeStock } from '../../live/change-stock.ts';
import { entryAction } from '../../live/undo-entry.ts';
import { type Action, performed, performUndo, trackPending } from '../../live/undo-stack.ts';
import { giveFeedback } from './feedback.ts';
import type { BookingMode } from './floor-mode.ts';
import {
  addEntry,
  type Booking,
  bookedUnits,
  bookingOf,
  type JournalEntry,
  journalEntries,
  type Movement,
  newMovement,
  removeEntry,
  replaceEntry,
  shownUnits,
  updateMovement,
} from './journal.ts';

type Options = { units?: number; scanKey?: number | undefined };

/**
 * Delivers or receives units of an item. Every scan is a movement of its own, sent at once: what waited on the screen
 * for a second scan would be lost with the tab. In the journal, the same item several times in a row is one entry.
 * `scanKey` is the entry of the scanned code, which the booking replaces.
 */
export function book(item: Item, mode: BookingMode, { units = 1, scanKey }: Options = {}): void {
  const movement = newMovement(units, record(item, mode, units));
  watch(addToJournal(item, mode, movement, scanKey), item, mode, movement);
}

/** Gives feedback about a movement, and replaces it by a refusal if it is refused. */
function watch(key: number, item: Item, mode: BookingMode, movement: Movement): void {
  let refused = false;
  movement.recorded.then(
    (latest) => updateMovement(key, movement, { latest }),
    (problem) => {
      refused = true;
      removeMovement(key, movement);
      const left = bookingOf(key);
      if (left && left.undone === null && bookedUnits(left) === 0) removeEntry(key);
      addRefusal(item, mode, problem);
      giveFeedback('refused');
    },
  );
  // What is not on hand is refused without asking the server, before this runs.
  setTimeout(() => {
    if (!refused) giveFeedback('done');
  });
}

async function record(item: Item, mode: BookingMode, units: number): Promise<Action> {
  const delta = mode === 'deliver' ? -units : units;
  const id = await trackPending(changeStock(item, delta));
  const kind = mode === 'deliver' ? 'deliver' : 'restock';
  const action = entryAction({ id, itemId: item.id, delta, what: { kind, name: item.name, count: units } });
  performed(action);
  return action;
}

function addToJournal(item: Item, mode: BookingMode, movement: Movement, scanKey: number | undefined): number {
  const entries = journalEntries();
  const at = entries.findIndex(({ key }) => key === scanKey);
  const before = entries[at + 1];
  if (before && isSameBooking(before, item, mode)) {
    if (scanKey !== undefined) removeEntry(scanKey);
    addMovement(before.key, movement);
    addWanted(before.key, movement.units);
    return before.key;
  }
  const booking = { kind: 'booking', mode, item, movements: [movement], wanted: null, undone: null } as const;
  if (scanKey === undefined) return addEntry(booking);
  replaceEntry(scanKey, booking);
  return scanKey;
}

function isSameBooking(entry: JournalEntry, item: Item, mode: BookingMode): boolean {
  return entry.kind === 'booking' && entry.item.id === item.id && entry.mode === mode && entry.undone === null;
}

function addRefusal(item: Item, mode: BookingMode, problem: unknown): void {
  const [top] = journalEntries();
  const refusal = { kind: 'refusal', mode, item, problem } as const;
  if (top?.kind === 'refusal' && top.item.id === item.id) replaceEntry(top.key, refusal);
  else addEntry(refusal);
}

function addMovement(key: number, movement: Movement): void {
  const booking = bookingOf(key);
  if (booking) replaceEntry(key, { ...booking, movements: [...booking.movements, movement] });
}

/** A scan during a change of the units is added to the units wanted. */
function addWanted(key: number, units: number): void {
  const booking = bookingOf(key);
  if (booking && booking.wanted !== null) replaceEntry(key, { ...booking, wanted: booking.wanted + units });
}

function removeMovement(key: number, movement: Movement): void {
  const booking = bookingOf(key);
  if (booking)
    replaceEntry(key, { ...booking, movements: booking.movements.filter(({ key }) => key !== movement.key) });
}

/** Changes the units of a booking to 1 or more. */
export async function setUnits(key: number, wanted: number): Promise<void> {
  const booking = bookingOf(key);
  if (!booking || booking.undone !== null) return;
  replaceEntry(key, { ...booking, wanted });
  // Another change of this booking is under way, and goes on until the units are those wanted last.
  if (booking.wanted !== null) return;
  try {
    await reachWanted(key);
  } finally {
    const reached = bookingOf(key);
    if (reached) replaceEntry(key, { ...reached, wanted: null });
  }
}

/**
 * More units are one more movement. For fewer, the latest movements are undone, and what was undone too much is booked
 * again: an opposite movement would count as goods received.
 */
async function reachWanted(key: number): Promise<void> {
  for (let booking = bookingOf(key); booking && booking.undone === null; booking = bookingOf(key)) {
    const missing = shownUnits(booking) - bookedUnits(booking);
    const last = booking.movements.findLast(({ isUndone }) => !isUndone);
    if (missing === 0) return;
    if (missing > 0) return bookMore(key, booking, missing);
    if (!last) return;
    await undoMovement(key, last);
  }
}

function bookMore(key: number, { item, mode }: Booking, units: number): void {
  const movement = newMovement(units, record(item, mode, units));
  addMovement(key, movement);
  watch(key, item, mode, movement);
}

/** Undoes all movements of a booking. Those that cannot be undone stay in it. */
export async function undoBooking(key: number): Promise<void> {
  const booking = bookingOf(key);
  if (!booking || booking.undone !== null) return;
  replaceEntry(key, { ...booking, wanted: null, undone: bookedUnits(booking) });
  const outcomes = await Promise.allSettled(booking.movements.map((movement) => undoMovement(key, movement)));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (!failed) return;
  const kept = bookingOf(key);
  if (kept) replaceEntry(key, { ...kept, undone: null });
  throw failed.reason;
}

/** Undoes a movement, unless it was undone already, refused, or its booking is no longer in the list. */
async function undoMovement(key: number, movement: Movement): Promise<void> {
  await movement.recorded.catch(() => null);
  const now = bookingOf(key)?.movements.find((one) => one.key === movement.key);
  if (!now?.latest || now.isUndone) return;
  const isUndone = await undoOnce(now.latest);
  // Somebody else has undone it, or this person in another tab.
  if (!isUndone) updateMovement(key, movement, { isUndone: true });
}

/** Undoes an action. Resolves with false if it was undone elsewhere. */
export async function undoOnce(action: Action): Promise<boolean> {
  try {
    await performUndo(action);
    return true;
  } catch (problem) {
    if (!(problem instanceof ApiProblem && problem.code === 'already_undone')) throw problem;
    return false;
  }
}
