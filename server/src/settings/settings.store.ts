import type { AlertChoices, WireSettings } from '@perfume/contract/settings';
import type { Db } from '../db/core/database.ts';
import { REORDER_POINT, readReorderPoint, writeSetting } from '../db/core/reorder-point.ts';
import { type Queries, queryRows, statement } from '../db/core/statement.ts';

/** The alert settings of people who have not chosen any: a daily email about their own items. */
const DEFAULT: AlertChoices = { mail: 'daily', about: 'mine' };

export async function readSettings(db: Queries, userId: string): Promise<WireSettings> {
  const [point] = await readReorderPoint(db);
  const [chosen] = await selectChoices(db, userId);
  return { reorderPoint: point?.units ?? 0, alerts: chosen ?? DEFAULT };
}

export type SettingsChange = {
  reorderPoint?: number | undefined;
  alerts?: { [Name in keyof AlertChoices]?: AlertChoices[Name] | undefined } | undefined;
};

/** Applies the whole change or nothing. Omitted settings stay as they are. */
export async function changeSettings(
  db: Db,
  request: { userId: string; change: SettingsChange; at: number },
): Promise<WireSettings> {
  const { userId, change, at } = request;
  const changed = await db.change(
    async (queries) => {
      if (change.reorderPoint !== undefined) await changeReorderPoint(db, queries, change.reorderPoint, at);
      const { mail = null, about = null } = change.alerts ?? {};
      if (mail !== null || about !== null) {
        await upsertChoices(queries, userId, mail, about, at, DEFAULT.mail, DEFAULT.about);
      }
      return readSettings(queries, userId);
    },
    { repeatable: true },
  );
  // In small warehouses all items are updated by now. In large ones the remaining items are updated after the response;
  // if this server stops meanwhile, another server continues.
  if (change.reorderPoint !== undefined) void propagateReorderPoint(db, at).catch(() => {});
  return changed;
}

const PROGRESS = 'followReorderPoint';
/** The number of items updated per transaction. A delivery of one of them waits for at most one batch. */
const BATCH_SIZE = 2_000;

/**
 * Sets the warehouse's reorder point and applies it to the items without one of their own. The first batch of items is
 * updated in this transaction. The settings store the progress, and the other batches follow in transactions of their
 * own.
 */
async function changeReorderPoint({ dialect }: Db, db: Queries, units: number, at: number): Promise<void> {
  // After this lock, every transaction that creates or edits an item has either committed with the old point or will
  // read the new one.
  if (dialect === 'postgres') await queryRows(db, 'lock table items in share row exclusive mode', []);
  const [point] = await readReorderPoint(db);
  if (point?.units === units) return;
  await writeSetting(db, 'reorderPoint', String(units));
  // Alerts that this change causes get this time.
  await writeSetting(db, 'reorderPointAt', String(at));
  const [last] = await selectLastItem(db);
  await writeSetting(db, PROGRESS, `0-${last?.num ?? 0}`);
  await propagateBatch(db, at);
}

/** Updates the remaining items without a reorder point of their own. When none are left, this costs one query. */
export async function propagateReorderPoint(db: Db, at: number): Promise<void> {
  while ((await selectSetting(db.query, PROGRESS)).length > 0) {
    await db.change((db) => propagateBatch(db, at), { repeatable: true });
  }
}

/**
 * Updates one batch. The items get a new version, because their responses change, but keep their time, because nobody
 * changed the items. A single row in the change feed makes every open screen reload its lists; one row per item could
 * mean a hundred thousand rows.
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

const selectChoices = statement<AlertChoices, [userId: string]>(
  'select mail, about from alert_choices where user_id = $1',
);

// `digest_at` is set when somebody switches digests on again, so the first digest does not report what happened before.
const upsertChoices = statement<
  never,
  [
    userId: string,
    mail: string | null,
    about: string | null,
    at: number,
    defaultMail: AlertChoices['mail'],
    defaultAbout: AlertChoices['about'],
  ]
>(
  `insert into alert_choices (user_id, mail, about)
   values ($1, coalesce(cast($2 as text), $5), coalesce(cast($3 as text), $6))
   on conflict (user_id) do update set
     mail = coalesce(cast($2 as text), alert_choices.mail),
     about = coalesce(cast($3 as text), alert_choices.about),
     digest_at = case when cast($2 as text) = 'daily' and alert_choices.mail <> 'daily'
       then cast($4 as bigint) else alert_choices.digest_at end`,
);

const selectSetting = statement<{ value: string }, [name: string]>('select value from settings where name = $1');
const lockSetting = statement<{ value: string }, [name: string]>(
  'update settings set value = value where name = $1 returning value',
);
const deleteSetting = statement<never, [name: string]>('delete from settings where name = $1');
const selectLastItem = statement<{ num: number }, []>('select num from items order by num desc limit 1');

const updateLowAt = statement<never, [from: number, to: number]>(
  `update items set low_at = ${REORDER_POINT}, version = version + 1
   where num > $1 and num <= $2 and reorder_point is null and low_at <> ${REORDER_POINT}`,
);

const insertListChange = statement<never, [at: number]>(
  `insert into changes (item_id, kind, at)
   select id, 'edited', cast($1 as bigint) from items where deleted_at is null and reorder_point is null
   order by num desc limit 1`,
);
