import { hash } from 'node:crypto';
import type { Db } from '../db/database.ts';

/** A list as it goes out: serialised once, sent as long as nothing in the store has changed. */
export type ReadyList = { body: Buffer; etag: string; total: number; link: string | null };

type Entry = { state: number | string; list: Promise<ReadyList> };

const MOST_ENTRIES = 400;
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Keeps lists ready by their exact question. Each use first asks the store whether anything was committed since,
 * so a list is never older than the request, on this server or beside others; people asking at once share one query.
 */
export function listCache(db: Db) {
  const entries = new Map<string, Entry>();
  let bytes = 0;

  async function get(question: string, make: () => Promise<Omit<ReadyList, 'etag'>>): Promise<ReadyList> {
    // Asked before the list is read: if something is committed in between, the next request sees it moved.
    const state = await db.stateOfData();
    const known = entries.get(question);
    if (known && known.state === state) return known.list;
    const list = make().then((made) => ({ ...made, etag: `"${hash('sha1', made.body, 'base64url')}"` }));
    keep(question, { state, list });
    return list;
  }

  function keep(question: string, entry: Entry): void {
    if (entries.size >= MOST_ENTRIES || bytes > MOST_BYTES) {
      entries.clear();
      bytes = 0;
    }
    entries.set(question, entry);
    entry.list.then(
      (list) => {
        bytes += list.body.length;
      },
      () => entries.delete(question),
    );
  }

  return { get };
}
