import type { Db } from '../db/core/database.ts';
import { REORDER_POINT, readReorderPoint, writeSetting } from '../db/core/reorder-point.ts';
import { type Queries, queryRows, statement } from '../db/core/statement.ts';
import type { Action } from './item-events.ts';
import { recordSettingsEvent } from './settings-events.ts';

const PROGRESS = 'followReorderPoint';
/** The number of items updated per transaction. A delivery of one of them waits for at most one batch. */
const BATCH_SIZE = 2_000;

/** `seen` is the point that the change is based on. With another point in effect, nothing changes. */
export type PointChange = { units: number; seen?: number };

/**
 * Sets the warehouse's reorder point, records that in the history, and applies it to the items without one of their
 * own. The first batch of items is updated in this transaction. The settings store the progress, and the other batches
 * follow in transactions of their own (`propagateReorderPoint`). Returns whether the point was changed.
 */
export async function changeReorderPoint(
  dialect: Db['dialect'],
  db: Queries,
  { units, seen }: PointChange,
  action: Action,
): Promise<boolean> {
  await lockReorderPoint(dialect, db);
  const [point] = await readReorderPoint(db);
  if (!point || point.units === units || (seen !== undefined && point.units !== seen)) return false;
  await recordSettingsEvent(db, action, [{ field: 'reorderPoint', from: point.units, to: units }]);
  await writeSetting(db, 'reorderPoint', String(units));
  // Alerts that this change causes get this time.
  await writeSetting(db, 'reorderPointAt', String(action.at));
  const [last] = await selectLastItem(db);
  await writeSetting(db, PROGRESS, `0-${last?.num ?? 0}`);
  await propagateBatch(db, action.at);
  return true;
}

/**
 * Makes other changes of the point wait until this transaction ends. Every transaction that creates or edits an item
 * has either committed with the old point before, or will read the new one. SQLite has one writer at a time anyway.
 */
export async function lockReorderPoint(dialect: Db['dialect'], db: Queries): Promise<void> {
  if (dialect === 'postgres') await queryRows(db, 'lock table items in share row exclusive mode', []);
}

/** Updates the remaining items without a reorder point of their own. When none are left, this costs one query. */
export async function propagateReorderPoint(db: Db, at: number): Promise<void> {
  while ((await selectSetting(db.query, PROGRESS)).length > 0) {
    await db.change(
      async (queries) => {
        // Locks the items before the progress, as `changeReorderPoint` does: in the other order the two would deadlock.
        if (db.dialect === 'postgres') await queryRows(queries, 'lock table items in row exclusive mode', []);
        await propagateBatch(queries, at);
      },
      { repeatable: true },
    );
  }
}

/**
 * Updates one batch. The items keep their version and time, because nobody changed the items. A single row in the
 * change feed makes every open screen reload its lists; one row per item could mean a hundred thousand rows.
 */
async function propagateBatch(db: Queries, at: number): Promise<void> {
  // Locks the row of the progress, so a second server waits and then sees how far the first has come.
  const [progress] = await lockSetting(db, PROGRESS);
  if (!progress) return;
  const [from = 0, last = 0] = progress.value.split('-').map(Number);
  const to = Math.min(from + BATCH_SIZE, last);
  await updateLowAt(db, from, to);
  if (to < last) return void (await writeSetting(db, PROGRESS, `${to}-${last}`));
  await deleteSetting(db, PROGRESS);
  await insertListChange(db, at);
}

const selectSetting = statement<{ value: string }, [name: string]>('select value from settings where name = $1');
const lockSetting = statement<{ value: string }, [name: string]>(
  'update settings set value = value where name = $1 returning value',
);
const deleteSetting = statement<never, [name: string]>('delete from settings where name = $1');
const selectLastItem = statement<{ num: number }, []>('select num from items order by num desc limit 1');

const updateLowAt = statement<never, [from: number, to: number]>(
  `update items set low_at = ${REORDER_POINT}
   where num > $1 and num <= $2 and reorder_point is null and low_at <> ${REORDER_POINT}`,
);

const insertListChange = statement<never, [at: number]>(
  `insert into changes (item_id, kind, at)
   select id, 'edited', cast($1 as bigint) from items where deleted_at is null and reorder_point is null
   order by num desc limit 1`,
);
