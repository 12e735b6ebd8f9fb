import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db } from '../db/core/database.ts';
import { StoreUnavailable } from '../db/core/errors.ts';
import { statement } from '../db/core/statement.ts';
import { hasPicture, NAME_LENGTH, pictureName, savePicture } from './pictures.store.ts';

const HOUR_MS = 60 * 60 * 1_000;
const UNUSED_LIFETIME_MS = 24 * HOUR_MS;
const INTERVAL_MS = 10 * 60 * 1_000;
/** How many pictures one run checks. */
const MAX_PER_RUN = 50;

/** Remembers an upload until an item uses it. Returns false while the same picture is being removed. */
export async function trackUpload(db: Db, name: string, now: number): Promise<boolean> {
  const [upload] = await db.change((db) => insertOrRenew(db, name, now));
  return upload !== undefined && upload.at >= 0;
}

/** Stores a picture. It is removed after a day unless an item uses it. Returns its address. */
export async function storeUpload(db: Db, folder: string, bytes: Buffer, now: number): Promise<string> {
  const name = pictureName(bytes);
  // The same picture, unused until now, is being removed at this moment.
  if (!(await trackUpload(db, name, now))) throw new StoreUnavailable('the picture is being removed');
  await savePicture(folder, name, bytes);
  return `/uploads/${name}`;
}

/**
 * Returns the function that is called before an item is saved with a picture: the picture then stays for another day,
 * in which the item is saved. It returns false if the picture is one of ours and no longer exists.
 */
export function pictureKeeper(db: Db, folder: string) {
  return async function keep(imageUrl: string, now: number): Promise<boolean> {
    const name = /\/uploads\/([0-9a-f]{40}\.webp)$/.exec(imageUrl)?.[1];
    if (name === undefined) return true;
    const [upload] = await db.change((db) => renew(db, name, now));
    // The address may also be one of another host.
    if (!imageUrl.startsWith('/')) return true;
    return upload ? upload.at >= 0 : hasPicture(folder, name);
  };
}

/** Removes the pictures that no item has used for a day after their upload. Returns a function that stops this. */
export function scheduleUploadCleanup(db: Db, folder: string): () => void {
  const timer = setInterval(() => {
    // If the database or the disk is unavailable, the next run in ten minutes catches up.
    removeUnusedUploads(db, folder, Date.now()).catch(() => {});
  }, INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Checks the oldest uploads. One that an item uses, or used at any time, is never checked again: the history can bring
 * it back. Of several servers that find the same unused one, only the one that claims it removes the file. A claim
 * fails if the picture was put into an item meanwhile.
 */
export async function removeUnusedUploads(db: Db, folder: string, now: number): Promise<void> {
  // A claim of more than an hour ago is of a server that has crashed.
  const uploads = await oldest(db.query, now - UNUSED_LIFETIME_MS, HOUR_MS - now);
  if (uploads.length === 0) return;
  const used = await usedAmong(
    db,
    uploads.map(({ name }) => name),
  );
  for (const { name, at } of uploads) {
    if (used.has(name)) {
      await db.change((db) => forget(db, name, at));
      continue;
    }
    const [claimed] = await db.change((db) => claim(db, name, at, -now));
    if (!claimed) continue;
    await rm(join(folder, name), { force: true });
    await db.change((db) => forget(db, name, -now));
  }
}

/**
 * Returns those pictures that are in an item, deleted or not, or were in one before an edit. The condition on `changes`
 * is the one of the index of these edits (decision 0040), word for word.
 */
async function usedAmong(db: Db, names: string[]): Promise<Set<string>> {
  const isAmong = `in (${names.map((_, index) => `$${index + 1}`).join(', ')})`;
  const isSqlite = db.dialect === 'sqlite';
  const endOf = (url: string) => (isSqlite ? `substr(${url}, -${NAME_LENGTH})` : `right(${url}, ${NAME_LENGTH})`);
  const before = endOf(`(change.value ->> 'from')`);
  const rows = await db.longQuery<{ name: string }>(
    `select ${endOf('image_url')} as name from items where ${endOf('image_url')} ${isAmong}
     union
     select ${before} from item_events
       cross join ${isSqlite ? 'json_each(changes)' : 'json_array_elements(changes::json)'} as change
     where ${isSqlite ? `changes glob '*"field":"imageUrl"*'` : `strpos(changes, '"field":"imageUrl"') > 0`}
       and change.value ->> 'field' = 'imageUrl' and ${before} ${isAmong}`,
    names,
  );
  return new Set(rows.map(({ name }) => name));
}

type Upload = { name: string; at: number };

const insertOrRenew = statement<Upload, [name: string, now: number]>(
  `insert into uploads (name, at) values ($1, $2)
   on conflict (name) do update set at = case when uploads.at < 0 then uploads.at else excluded.at end
   returning name, at`,
);
const renew = statement<Upload, [name: string, now: number]>(
  'update uploads set at = case when at < 0 then at else $2 end where name = $1 returning name, at',
);
const oldest = statement<Upload, [unusedSince: number, claimedSince: number]>(
  `select name, at from uploads where at >= 0 and at < $1 or at < 0 and at > $2 order by at limit ${MAX_PER_RUN}`,
);
const claim = statement<Upload, [name: string, at: number, claimedAt: number]>(
  'update uploads set at = $3 where name = $1 and at = $2 returning name, at',
);
const forget = statement<never, [name: string, at: number]>('delete from uploads where name = $1 and at = $2');
