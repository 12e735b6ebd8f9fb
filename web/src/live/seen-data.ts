import { codeKey, codeKeys } from '@perfume/domain/codes';
import type { Item } from '@perfume/domain/items';
import { foldForSearch } from '@perfume/domain/text';
import type { QueryKey } from '@tanstack/react-query';
import { hashKey } from '@tanstack/react-query';
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { createStore } from '../ui/store.ts';
import { pendingNewItem, pendingNewItems, withPending } from './pending-stock.ts';

type SeenAnswer = { hash: string; key: QueryKey; data: unknown; at: number };
type SeenItem = { id: string; item: Item; codes: string[]; at: number };

interface Schema extends DBSchema {
  answers: { key: string; value: SeenAnswer; indexes: { at: number } };
  items: { key: string; value: SeenItem; indexes: { codes: string; at: number } };
}

/** Pages and items beyond this number are dropped, the oldest first. */
const MAX_ANSWERS = 80;
export const MAX_SEEN_ITEMS = 20_000;
/** What is older is dropped: it would mislead more than it helps. */
const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1_000;

let opened: Promise<IDBPDatabase<Schema>> | null = null;

/** When the data on screen was read, if it is a copy from this device; null if it is the server's. */
export const seenAt = createStore<number | null>(null);

/** Opens the copies of what a person saw last in their house. They are kept apart from all others. */
export function openSeenData(database: string): void {
  opened = openDB<Schema>(database, 1, {
    upgrade: (db) => {
      db.createObjectStore('answers', { keyPath: 'hash' }).createIndex('at', 'at');
      const items = db.createObjectStore('items', { keyPath: 'id' });
      items.createIndex('codes', 'codes', { multiEntry: true });
      items.createIndex('at', 'at');
    },
    // The person has logged out or works in another house: their copies are being deleted.
    blocking: (_from, _to, event) => (event.target as IDBDatabase).close(),
  });
  opened.then(dropOld, () => {});
}

export function closeSeenData(): void {
  opened?.then((db) => db.close()).catch(() => {});
  opened = null;
  seenAt.set(null);
}

/** Works with the copies. Without them, or when the browser refuses, the result is `otherwise`. */
async function withSeen<T>(work: (db: IDBPDatabase<Schema>) => Promise<T>, otherwise: T): Promise<T> {
  try {
    return opened ? await work(await opened) : otherwise;
  } catch {
    return otherwise;
  }
}

/** Returns the last answer to a query, for when the server does not answer. */
export async function seenAnswer<T>(key: QueryKey): Promise<T | undefined> {
  const found = await withSeen((db) => db.get('answers', hashKey(key)), undefined);
  if (found) noteAge(found.at);
  return found?.data as T | undefined;
}

/** Returns an item as it was last seen. */
export async function seenItem(id: string): Promise<Item | undefined> {
  const found = await withSeen((db) => db.get('items', id), undefined);
  if (found) noteAge(found.at);
  return found?.item;
}

function noteAge(at: number): void {
  const oldest = seenAt.get();
  if (oldest === null || at < oldest) seenAt.set(at);
}

export async function keepAnswers(answers: readonly SeenAnswer[]): Promise<void> {
  await withSeen(async (db) => {
    const transaction = db.transaction('answers', 'readwrite');
    await Promise.all(answers.map((answer) => transaction.store.put(answer)));
    let excess = (await transaction.store.count()) - MAX_ANSWERS;
    for (let oldest = await transaction.store.index('at').openCursor(); oldest && excess > 0; excess--) {
      await oldest.delete();
      oldest = await oldest.continue();
    }
    await transaction.done;
  }, undefined);
}

/**
 * Keeps copies of items. A code belongs to one item: a copy that changed earlier loses it, because the code was moved
 * while this device did not hear of it.
 */
export async function keepItems(items: readonly Item[], at: number): Promise<void> {
  forgetSearchCopy();
  await withSeen(async (db) => {
    const transaction = db.transaction('items', 'readwrite');
    const { store } = transaction;
    for (const item of items) {
      const codes = new Set(codeKeys(item));
      for (const code of [...codes]) {
        for (const other of await store.index('codes').getAll(code)) {
          if (other.id === item.id) continue;
          if (other.item.updatedAt > item.updatedAt) codes.delete(code);
          else await store.put({ ...other, codes: other.codes.filter((one) => one !== code) });
        }
      }
      await store.put({ id: item.id, item, codes: [...codes], at });
    }
    await transaction.done;
  }, undefined);
}

export async function forgetItem(id: string): Promise<void> {
  forgetSearchCopy();
  await withSeen((db) => db.delete('items', id), undefined);
}

/** Drops the items that a complete reading, begun at this time, has not found. */
export async function forgetItemsBefore(at: number): Promise<void> {
  forgetSearchCopy();
  await withSeen(async (db) => {
    const transaction = db.transaction('items', 'readwrite');
    const range = IDBKeyRange.upperBound(at, true);
    for (let old = await transaction.store.index('at').openCursor(range); old; old = await old.continue())
      await old.delete();
    await transaction.done;
  }, undefined);
}

const READ_ALL = 'all items';

/** When all items were read last, or 0. */
export async function itemsReadAt(): Promise<number> {
  return (await withSeen((db) => db.get('answers', READ_ALL), undefined))?.at ?? 0;
}

export async function noteItemsRead(at: number): Promise<void> {
  await keepAnswers([{ hash: READ_ALL, key: [], data: null, at }]);
}

async function dropOld(db: IDBPDatabase<Schema>): Promise<void> {
  const transaction = db.transaction('answers', 'readwrite');
  const range = IDBKeyRange.upperBound(Date.now() - MAX_AGE_MS);
  for (let old = await transaction.store.index('at').openCursor(range); old; old = await old.continue())
    await old.delete();
  await transaction.done;
  await forgetItemsBefore(Date.now() - MAX_AGE_MS);
}

/** Finds an item on this device by a scanned or typed code, without a connection. Null if this device knows none. */
export async function findOffline(code: string): Promise<Item | null> {
  const key = codeKey(code);
  const unsent = pendingNewItems().find((item) => codeKeys(item).includes(key));
  if (unsent) return withPending(unsent);
  const copies = await withSeen((db) => db.getAllFromIndex('items', 'codes', key), []);
  // Copies from before codes were removed from other copies: the item that changed last has taken the code over.
  const [newest] = copies.map(({ item }) => item).sort((a, b) => b.updatedAt - a.updatedAt);
  return newest ? withPending(newest) : null;
}

/** Memory copy of all items, for searching while a person types. */
let searchCopy: Promise<{ item: Item; text: string }[]> | null = null;

function forgetSearchCopy(): void {
  searchCopy = null;
}

async function readSearchCopy(): Promise<{ item: Item; text: string }[]> {
  const stored = await withSeen((db) => db.getAll('items'), []);
  const items = [...pendingNewItems(), ...stored.map(({ item }) => item)];
  return items.map((item) => ({
    item,
    text: foldForSearch([item.name, item.supplierName, item.sku ?? '', ...item.barcodes].join('\n')),
  }));
}

/** Finds items on this device whose name, supplier or code contains all words of the text, without a connection. */
export async function searchOffline(text: string, limit = 20): Promise<Item[]> {
  searchCopy ??= readSearchCopy();
  const words = foldForSearch(text).split(/\s+/).filter(Boolean);
  const matching = (await searchCopy).filter((one) => words.every((word) => one.text.includes(word)));
  return matching.slice(0, limit).map(({ item }) => withPending(pendingNewItem(item.id) ?? item));
}
