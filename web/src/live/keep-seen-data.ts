import { fromWire } from '@perfume/contract/wire-item';
import type { Item } from '@perfume/domain/items';
import { hashKey, type Query } from '@tanstack/react-query';
import { queryClient } from '../api/query-client.ts';
import { isBriefLogin, SEEN } from '../api/session.ts';
import { cachedItem, eachMatching, type ListPage } from './item-cache.ts';
import { isHeld, isLost, onLiveChange, onLiveGap } from './live-items.ts';
import { withoutPending } from './pending-stock.ts';
import {
  closeSeenData,
  forgetItem,
  forgetItemsBefore,
  itemsReadAt,
  keepAnswers,
  keepItems,
  MAX_SEEN_ITEMS,
  noteItemsRead,
  openSeenData,
  seenAt,
} from './seen-data.ts';

const WRITE_EVERY_MS = 1_000;
/** All items are read again this often, beside the changes that arrive live. */
const READ_ALL_EVERY_MS = 12 * 60 * 60 * 1_000;
/** If changes were missed, they are read sooner. Not each time: a phone that is often locked misses changes often. */
const READ_AFTER_GAP_MS = 10 * 60 * 1_000;
const READ_ALL_AFTER_MS = 15_000;
const CHECK_EVERY_MS = 60_000;
const PAUSE_MS = 500;

/**
 * Keeps copies of the lists and items that the person sees, and quietly of all items, so that the app shows them and
 * finds scanned codes without a connection. Returns a function that stops it. Keeps nothing of a person who has logged
 * in without 'Remember me'.
 */
export function keepSeenData(database: string): () => void {
  void deleteAllBut(isBriefLogin() ? null : database);
  if (isBriefLogin()) return () => {};
  openSeenData(database);
  const changed = new Map<string, Query>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writtenAt = Number.NEGATIVE_INFINITY;
  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    writtenAt = performance.now();
    const answers = [...changed.values()].flatMap(answerOf);
    const unanswered = [...changed].filter(([, query]) => itemsOf(query).some(({ id }) => isHeld(id)));
    changed.clear();
    // Kept later: what is in flight now may be stored as a change too, and would count twice after a reload.
    for (const [hash, query] of unanswered) changed.set(hash, query);
    if (unanswered.length > 0) timer = setTimeout(write, WRITE_EVERY_MS);
    // Without a connection, only changes of this person arrive: the copies keep the age of what the server said last.
    if (isLost() || seenAt.get() !== null) return;
    void keepAnswers(answers);
    void keepItems(
      answers.flatMap(({ data }) => ('items' in data ? data.items : [data])),
      Date.now(),
    );
  };
  const keep = (query: Query) => {
    if (!['list', 'item'].includes(String(query.queryKey[0]))) return;
    changed.set(query.queryHash, query);
    // The first is kept at once, because the page may be left in the next moment.
    timer ??= setTimeout(write, Math.max(0, writtenAt + WRITE_EVERY_MS - performance.now()));
  };
  // The first rows may have arrived before anything was rendered.
  for (const query of queryClient.getQueryCache().getAll())
    if (Date.now() - query.state.dataUpdatedAt < WRITE_EVERY_MS) keep(query);
  const stopWatching = queryClient.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && ['success', 'setState'].includes(event.action.type)) keep(event.query as Query);
  });
  const stopListening = onLiveChange(({ itemId, item }) => {
    if (item === null) void forgetItem(itemId);
    else if (cachedItem(itemId) === null) void keepItems([fromWire(item)], Date.now());
  });
  // Changes may have been missed before this page was opened.
  let gapAt = Date.now();
  const stopWaiting = onLiveGap(() => {
    gapAt = Date.now();
  });
  const stopReading = new AbortController();
  const readIfDue = async () => {
    const readAt = await itemsReadAt();
    const everyMs = gapAt > readAt ? READ_AFTER_GAP_MS : READ_ALL_EVERY_MS;
    if (Date.now() - readAt >= everyMs && !isLost()) await readAll(stopReading.signal);
    // Looks again and again, because a timer of hours stands still while the device sleeps.
    if (!stopReading.signal.aborted) readTimer = setTimeout(() => void readIfDue(), CHECK_EVERY_MS);
  };
  let readTimer = setTimeout(() => void readIfDue(), READ_ALL_AFTER_MS);
  addEventListener('pagehide', write);
  return () => {
    stopWatching();
    stopListening();
    stopWaiting();
    stopReading.abort();
    clearTimeout(readTimer);
    removeEventListener('pagehide', write);
    clearTimeout(timer);
    closeSeenData();
  };
}

type Answer = { hash: string; key: Query['queryKey']; data: ListPage | Item; at: number };

function itemsOf({ state }: Query): Item[] {
  const data = state.data as ListPage | Item | null | undefined;
  if (!data) return [];
  return 'items' in data ? data.items : [data];
}

function answerOf(query: Query): Answer[] {
  const { queryKey, state } = query;
  const data = state.data as ListPage | Item | null | undefined;
  if (!data || state.status !== 'success' || itemsOf(query).some(({ id }) => isHeld(id))) return [];
  const own = 'items' in data ? { ...data, items: data.items.map(withoutPending) } : withoutPending(data);
  if (!('items' in own) && own.version === 0) return [];
  return [{ hash: hashKey(queryKey), key: queryKey, data: own, at: Date.now() }];
}

/** Reads all items, page by page, when the person does not wait for anything else. */
async function readAll(signal: AbortSignal): Promise<void> {
  const startedAt = Date.now();
  const everything = { scope: 'all', email: '', q: '', sort: 'newest', stock: null } as const;
  let count = 0;
  try {
    for await (const { items } of eachMatching(everything, signal)) {
      await keepItems(items, Date.now());
      count += items.length;
      if (count >= MAX_SEEN_ITEMS) break;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    await forgetItemsBefore(startedAt);
    await noteItemsRead(startedAt);
  } catch {
    // Without a connection the copies stay as they are until the next time.
  }
}

/** Removes the copies of people who used this browser before and did not log out, and those of other houses. */
async function deleteAllBut(kept: string | null): Promise<void> {
  const all = (await indexedDB.databases?.().catch(() => [])) ?? [];
  for (const { name = '' } of all) if (name.startsWith(SEEN) && name !== kept) indexedDB.deleteDatabase(name);
}
