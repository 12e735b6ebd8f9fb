import type { Db } from '../db/core/database.ts';
import { lockItems, lockItemsForBatch } from '../db/core/lock-items.ts';
import { readReorderPoint, reorderPointOf } from '../db/core/reorder-point.ts';
import { type Queries, statement } from '../db/core/statement.ts';
import type { Action } from './item-events.ts';
import { recordSettingsEvent } from './settings-events.ts';

/**
 * The number of items updated per transaction. A delivery of one of them waits for at most one batch. Deleted items are
 * left out: they get the point in effect when they are restored. Each item that becomes low changes the tally of its house,
 * and PostgreSQL keeps all versions of that row until the transaction ends.
 */
const BATCH_SIZE = 500;

/** `seen` is the point that the change is based on. With another point in effect, nothing changes. */
export type PointChange = { units: number; seen?: number };

/**
 * Sets the reorder point of a house, records that in the history, and applies it to the items without one of their own.
 * The first batch of items is updated in this transaction. The house's row stores the progress, and the other batches
 * follow in transactions of their own (`propagateReorderPoint`). Returns whether the point was changed.
 */
export async function changeReorderPoint(
  dialect: Db['dialect'],
  db: Queries,
  house: number,
  { units, seen }: PointChange,
  action: Action,
): Promise<boolean> {
  await lockItems(dialect, db);
  const [point] = await readReorderPoint(db, house);
  if (!point || point.units === units || (seen !== undefined && point.units !== seen)) return false;
  await recordSettingsEvent(db, house, action, [{ field: 'reorderPoint', from: point.units, to: units }]);
  // Alerts that this change causes get this time.
  await updatePoint(db, house, units, action.at);
  await propagateBatch(db, house, action.at);
  return true;
}

/** Updates the remaining items without a reorder point of their own. When none are left, this costs one query. */
export async function propagateReorderPoint(db: Db, at: number): Promise<void> {
  for (;;) {
    const [unfinished] = await selectUnfinished(db.query);
    if (!unfinished) return;
    await db.change(
      async (queries) => {
        await lockItemsForBatch(db.dialect, queries);
        await propagateBatch(queries, unfinished.num, at);
      },
      { repeatable: true },
    );
  }
}

/**
 * Updates one batch. The items keep their version and time, because nobody changed the items. A single row in the
 * change feed makes every open screen reload its lists; one row per item could mean a hundred thousand rows.
 */
async function propagateBatch(db: Queries, house: number, at: number): Promise<void> {
  // Locks the row of the progress, so a second server waits and then sees how far the first has come.
  const [progress] = await lockProgress(db, house);
  if (!progress) return;
  const [batchEnd] = await selectBatchEnd(db, house, progress.applied_to, progress.apply_until, BATCH_SIZE);
  const to = batchEnd?.num ?? progress.apply_until;
  await updateLowAt(db, house, progress.applied_to, to);
  if (to < progress.apply_until) return void (await setProgress(db, house, to));
  await endProgress(db, house);
  await insertListChange(db, house, at);
}

const updatePoint = statement<never, [house: number, units: number, at: number]>(
  `update houses set reorder_point = $2, reorder_point_at = $3, applied_to = 0,
     apply_until = coalesce((select max(items.num) from items), 0)
   where num = $1`,
);
const selectUnfinished = statement<{ num: number }, []>(
  'select num from houses where applied_to is not null order by num limit 1',
);
const lockProgress = statement<{ applied_to: number; apply_until: number }, [house: number]>(
  'update houses set applied_to = applied_to where num = $1 and applied_to is not null returning applied_to, apply_until',
);
const setProgress = statement<never, [house: number, to: number]>('update houses set applied_to = $2 where num = $1');
const endProgress = statement<never, [house: number]>(
  'update houses set applied_to = null, apply_until = null where num = $1',
);
const selectBatchEnd = statement<{ num: number }, [house: number, from: number, until: number, size: number]>(
  `select num from items where house = $1 and num > $2 and num <= $3 and deleted_at is null
   order by num limit 1 offset $4`,
);

const updateLowAt = statement<never, [house: number, from: number, to: number]>(
  `update items set low_at = ${reorderPointOf('$1')}
   where house = $1 and num > $2 and num <= $3 and deleted_at is null and reorder_point is null
     and low_at <> ${reorderPointOf('$1')}`,
);

const insertListChange = statement<never, [house: number, at: number]>(
  `insert into changes (house, item_id, kind, at)
   select house, id, 'edited', cast($2 as bigint) from items
   where house = $1 and deleted_at is null and reorder_point is null order by num desc limit 1`,
);
