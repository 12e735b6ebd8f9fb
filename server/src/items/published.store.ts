import { type PublicWireItem, toPublicWire } from '@perfume/contract/wire-item';
import type { Item } from '@perfume/domain/items';
import { isSafeText } from '@perfume/domain/safe-text';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Db } from '../db/core/database.ts';
import { lockItemsForBatch } from '../db/core/lock-items.ts';
import { type Queries, statement } from '../db/core/statement.ts';

/** The number of items updated per transaction. A delivery of one of them waits for at most one batch. */
const BATCH_SIZE = 500;

export type PublishedHouse = { num: number; name: string; slug: string };

/** Finds a house that visitors see. */
export async function findPublishedHouse(db: Queries, slug: string): Promise<PublishedHouse | null> {
  // PostgreSQL refuses some texts, which no slug contains.
  const [house] = isSafeText(slug) ? await selectPublished(db, slug) : [];
  return house ?? null;
}

/** Converts items for visitors, each with its house. Leaves out items of houses that are no longer published. */
export async function toPublicWireWithHouses(db: Queries, items: Item[]): Promise<PublicWireItem[]> {
  if (items.length === 0) return [];
  const ids = items.map(({ id }) => id);
  // Two queries: SQLite would join them by reading every item of every published house.
  const owned = await db.selectFrom('items').select(['id', 'house']).where('id', 'in', ids).execute();
  const rows = await db
    .selectFrom('houses')
    .select(['num', 'name', 'slug'])
    .where('num', 'in', [...new Set(owned.map(({ house }) => house))])
    .where('published', '=', 1)
    .execute();
  const houseOf = new Map(owned.map(({ id, house }) => [id, house]));
  const houses = new Map(rows.map(({ num, name, slug }) => [num, { name, slug }]));
  return items.flatMap((item) => {
    const house = houses.get(houseOf.get(item.id) ?? 0);
    return house ? [{ ...toPublicWire(item), house }] : [];
  });
}

/**
 * Shows the items of a house to visitors, or hides them. On PostgreSQL the transaction must hold `lockItems`. It only
 * marks the house, whose row stores the progress; the items follow in batches, each in a transaction of its own
 * (`propagatePublished`). Hiding takes effect at once, because the lists for visitors also ask whether the house is
 * published.
 */
export async function publishItems(db: Queries, house: number, published: boolean): Promise<void> {
  await setPublished(db, house, published ? 1 : 0);
}

/** Updates the newest items of a house, which are all of them in a small house. */
export function propagateFirst(db: Db, house: number): Promise<void> {
  return takeTurn(db, () => changeBatch(db, house));
}

/** Updates the remaining items of all houses. When none are left, this costs one query. */
export async function propagatePublished(db: Db): Promise<void> {
  const isMore = () =>
    takeTurn(db, async () => {
      const [unfinished] = await selectUnfinished(db.query);
      if (unfinished) await changeBatch(db, unfinished.num);
      return unfinished !== undefined;
    });
  while (await isMore());
}

/** However many houses are published at once, a server updates one batch at a time, with turns for others in between. */
async function takeTurn<T>(db: Db, work: () => Promise<T>): Promise<T> {
  const turn = turnsOf.get(db) ?? pLimit(1);
  turnsOf.set(db, turn);
  return turn(async () => {
    const done = await work();
    await new Promise(setImmediate);
    return done;
  });
}

const turnsOf = new WeakMap<Db, LimitFunction>();

function changeBatch(db: Db, house: number): Promise<void> {
  return db.change(
    async (queries) => {
      await lockItemsForBatch(db.dialect, queries);
      await propagateBatch(queries, house);
    },
    { repeatable: true },
  );
}

async function propagateBatch(db: Queries, house: number): Promise<void> {
  // Locks the row of the progress, so a second server waits and then sees how far the first has come.
  const [progress] = await lockProgress(db, house);
  if (!progress) return;
  const [batchEnd] = await selectBatchEnd(db, house, progress.publish_below, BATCH_SIZE);
  await updateItems(db, house, batchEnd?.num ?? 0, progress.publish_below, progress.published);
  await setProgress(db, house, batchEnd?.num ?? null);
}

const selectPublished = statement<PublishedHouse, [slug: string]>(
  'select num, name, slug from houses where slug = $1 and published = 1',
);
const setPublished = statement<never, [house: number, published: 0 | 1]>(
  `update houses set published = $2, publish_below = (select coalesce(max(items.num), 0) + 1 from items) where num = $1`,
);
const selectUnfinished = statement<{ num: number }, []>(
  'select num from houses where publish_below is not null order by num limit 1',
);
const lockProgress = statement<{ publish_below: number; published: 0 | 1 }, [house: number]>(
  `update houses set publish_below = publish_below where num = $1 and publish_below is not null
   returning publish_below, published`,
);
const setProgress = statement<never, [house: number, below: number | null]>(
  'update houses set publish_below = $2 where num = $1',
);
const selectBatchEnd = statement<{ num: number }, [house: number, below: number, size: number]>(
  `select num from items where house = $1 and num < $2 and deleted_at is null
   order by num desc limit 1 offset $3 - 1`,
);
const updateItems = statement<never, [house: number, from: number, below: number, published: 0 | 1]>(
  `update items set published = $4
   where house = $1 and num >= $2 and num < $3 and deleted_at is null and published <> $4`,
);
