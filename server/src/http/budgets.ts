import { bulk, undoBatch } from '@perfume/contract/bulk';
import { decideCountLines, postCount, recordCount, undoCountEntry } from '@perfume/contract/counts';
import type { Endpoint } from '@perfume/contract/endpoint';
import { changeHouse } from '@perfume/contract/houses';
import { createItem, editItem } from '@perfume/contract/items';
import { putSettings, readAccountData } from '@perfume/contract/settings';
import { changeImport } from '@perfume/contract/transfer';
import { changeWebhook, createWebhook, rotateSecret, testWebhook } from '@perfume/contract/webhooks';

/** What a person may use at once (`burst`), and how much of it comes back every second. */
type Budget = { burst: number; perSecond: number };

/** More than any honest shop needs, but not enough for one account to fill a disk in a day or to keep the server busy. */
export const BUDGETS = {
  /** Single changes, with undo and restore. A shop with scanners makes tens a second for a while. */
  changes: { burst: 10_000, perSecond: 10 },
  /** Items in bulk actions, in undos of them and in count sessions. A selection may be the whole warehouse. */
  bulkItems: { burst: 200_000, perSecond: 100 },
  /** Changes of what everyone shares, undos of them, and what makes the server send requests to others. */
  settings: { burst: 40, perSecond: 0.1 },
  /** Rows of lists, or their kibibytes, and changes that screens missed. An export may be the whole warehouse. */
  rows: { burst: 2_000_000, perSecond: 2_000 },
} as const satisfies Record<string, Budget>;

const MAX_PEOPLE = 10_000;
const ENTRIES_PER_BATCH_CALL = 100;
const NAMES_ITEMS: readonly Endpoint[] = [bulk, recordCount, decideCountLines];
/** Undoing an entry of a count adds up the other entries of its item, and a new mapping checks every row of a file. */
const CHANGES_A_BATCH: readonly Endpoint[] = [undoBatch, postCount, undoCountEntry, changeImport];
/** The history keeps every text that an item ever had. */
const WRITES_TEXTS: readonly Endpoint[] = [createItem, editItem];
/** Each makes the server send a request to an address that the person chose. */
const SENDS_REQUESTS: readonly Endpoint[] = [createWebhook, changeWebhook, rotateSecret, testWebhook];
/** The field of each endpoint whose change concerns every item of a house. */
const CONCERNS_EVERY_ITEM = new Map<Endpoint, string>([
  [putSettings, 'reorderPoint'],
  [changeHouse, 'published'],
]);

/**
 * How many requests of one person that change many items may run and wait. All changes wait in one queue, so without
 * this a person could put 200,000 of them before everybody else's.
 */
export const BATCH_LIMITS = { running: 1, waiting: 50 };

/**
 * How many other changes of one person may run and wait. Everybody's changes wait in one queue. On PostgreSQL each holds
 * one of 16 connections, also while it waits for another change of the same row.
 */
export const CHANGE_LIMITS = { running: 8, waiting: 1_000 };

/** Whether a request may change many items. Scanners send entries of a count one by one, several at a time. */
export function changesMany(endpoint: Endpoint, body: unknown): boolean {
  if (endpoint === recordCount) return countIds(body) > 1;
  if (endpoint === changeHouse) return hasField(body, 'published');
  return CHANGES_A_BATCH.includes(endpoint) || NAMES_ITEMS.includes(endpoint);
}

export type Budgets = ReturnType<typeof personBudgets>;
type PersonBudget = ReturnType<typeof personBudget>;

/** The budgets of all people, in memory: each server counts for itself. `factor` multiplies them. */
export function personBudgets(clock: () => number, factor: number) {
  const scaled = ({ burst, perSecond }: Budget) =>
    personBudget({ burst: burst * factor, perSecond: perSecond * factor }, clock);
  return {
    changes: scaled(BUDGETS.changes),
    bulkItems: scaled(BUDGETS.bulkItems),
    settings: scaled(BUDGETS.settings),
    rows: scaled(BUDGETS.rows),
  };
}

/** Counts what each person uses of one budget. For too many people, the one counted first is forgotten. */
export function personBudget({ burst, perSecond }: Budget, clock: () => number, maxPeople = MAX_PEOPLE) {
  const people = new Map<string, { used: number; at: number }>();

  /** Adds to what a person has used, even beyond the budget. */
  function add(personId: string, amount: number): void {
    if (amount === 0) return;
    const now = clock();
    const person = people.get(personId);
    if (person) {
      person.used = usedNow(person, now) + amount;
      person.at = now;
      return;
    }
    if (people.size >= maxPeople) {
      const [first = ''] = people.keys();
      people.delete(first);
    }
    people.set(personId, { used: amount, at: now });
  }

  /** Spends from the budget if it allows that, and returns null. Otherwise returns the seconds to wait. */
  function spend(personId: string, amount: number): number | null {
    const person = people.get(personId);
    const excess = (person ? usedNow(person, clock()) : 0) + amount - burst;
    if (excess > 0) return Math.ceil(excess / perSecond);
    add(personId, amount);
    return null;
  }

  function usedNow({ used, at }: { used: number; at: number }, now: number): number {
    return Math.max(0, used - (Math.max(0, now - at) / 1_000) * perSecond);
  }

  return { add, spend };
}

/**
 * Returns the function that spends what a request to this endpoint costs. It returns the seconds to wait, or null if
 * the request may go on. Lists cost nothing in advance: their rows are added once they are known.
 */
export function spendingOn(endpoint: Endpoint, budgets: Budgets): (personId: string, body: unknown) => number | null {
  const spendFrom = (budget: PersonBudget, costOf: (body: unknown) => number) => (personId: string, body: unknown) =>
    budget.spend(personId, costOf(body));
  const isList = endpoint.query !== undefined && 'limit' in endpoint.query.shape;
  // A file or a stream is made of rows, too.
  const readsRows = isList || endpoint.gives !== undefined || endpoint === readAccountData;
  if (endpoint.method === 'GET') return readsRows ? spendFrom(budgets.rows, () => 0) : () => null;
  if (NAMES_ITEMS.includes(endpoint)) return spendFrom(budgets.bulkItems, countIds);
  if (CHANGES_A_BATCH.includes(endpoint)) return spendFrom(budgets.bulkItems, () => ENTRIES_PER_BATCH_CALL);
  if (WRITES_TEXTS.includes(endpoint)) return spendFrom(budgets.changes, kibibytesOf);
  if (SENDS_REQUESTS.includes(endpoint)) return spendFrom(budgets.settings, () => 1);
  const spendOnChange = spendFrom(budgets.changes, () => 1);
  const field = CONCERNS_EVERY_ITEM.get(endpoint);
  if (field === undefined) return spendOnChange;
  return (personId, body) =>
    hasField(body, field) ? budgets.settings.spend(personId, 1) : spendOnChange(personId, body);
}

/** The body is not validated yet. */
function hasField(body: unknown, name: string): boolean {
  return typeof body === 'object' && body !== null && name in body;
}

/** What the answer to a single change adds to its cost: it contains the item, and is stored for 30 days. */
export function costOfAnswer(endpoint: Endpoint, bytes: number): number {
  const isChange = endpoint.method !== 'GET' && !NAMES_ITEMS.includes(endpoint) && !CHANGES_A_BATCH.includes(endpoint);
  return isChange ? Math.floor(bytes / 1_024) : 0;
}

function kibibytesOf(body: unknown): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify(body ?? null)) / 1_024);
}

/** The body is not validated yet. */
function countIds(body: unknown): number {
  const ids = typeof body === 'object' && body !== null && 'ids' in body ? body.ids : null;
  return Array.isArray(ids) ? ids.length : 1;
}
