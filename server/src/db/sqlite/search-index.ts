import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

/** Indexing stalls all other requests, for longer the more texts are pending and the longer they are. */
const MAX_PENDING = 32;

/** One step of merging takes a few milliseconds, during which the server answers nobody. */
const MERGED_PAGES = 20;
const IDLE_MS = 1_000;
/** After a step it rests nine times as long as the step took: whoever reads meanwhile hardly notices. */
const RESTS = 9;
const MIN_REST_MS = 20;

/** Lets a connection read the trigrams of the index with their texts. Must come before the connection refuses to write. */
export function readTerms(connection: DatabaseSync): void {
  connection.exec('create virtual table temp.item_search_terms using fts5vocab (main, item_search_index, instance)');
}

/**
 * Indexes new texts in bulk, when enough are pending or before a search, so that creating an item does not have to. What
 * is indexed together becomes a segment, and a search looks into each segment, so they are merged when nothing else is
 * written.
 */
export function searchIndex(writer: DatabaseSync) {
  const pending = writer.prepare('select count(*) as count from item_search_pending');
  const index = writer.prepare(`insert into item_search_index (rowid, text)
    select rowid, text from item_search where rowid in (select rowid from item_search_pending)`);
  const done = writer.prepare('delete from item_search_pending');
  const merge = writer.prepare(
    `insert into item_search_index (item_search_index, rank) values ('merge', ${MERGED_PAGES})`,
  );
  const countChanges = writer.prepare('select total_changes() as count');
  const changes = () => (countChanges.get() as { count: number }).count;
  const indexAll = () => {
    index.run();
    done.run();
  };
  return {
    indexAll,
    indexIfMany(): void {
      if ((pending.get() as { count: number }).count > MAX_PENDING) indexAll();
    },
    /** Merges some pages of segments. Returns whether there may be more; a merge with nothing to do changes one row. */
    mergeSome(): boolean {
      const before = changes();
      merge.run();
      return changes() - before > 1;
    },
  };
}

/** Repeats `step` until it returns false, once nothing was changed for a while. If it fails, the next change tries again. */
export function whenIdle(step: () => Promise<boolean>) {
  let isIdle = false;
  const timer = setTimeout(async () => {
    isIdle = true;
    for (let hasMore = true; hasMore && isIdle; ) {
      const startedAt = performance.now();
      hasMore = await step().catch(() => false);
      const tookMs = performance.now() - startedAt;
      await sleep(Math.max(MIN_REST_MS, RESTS * tookMs), null, { ref: false });
    }
  }, IDLE_MS).unref();
  return {
    noteChange(): void {
      isIdle = false;
      timer.refresh();
    },
    stop(): void {
      isIdle = false;
      clearTimeout(timer);
    },
  };
}
