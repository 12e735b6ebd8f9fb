import type { AlertChoices, WireSettings } from '@perfume/contract/settings';
import type { Db } from '../db/core/database.ts';
import { REORDER_POINT, readReorderPoint, writeSetting } from '../db/core/settings.ts';
import { type Queries, queryRows, statement } from '../db/core/statement.ts';

/** Who has not chosen hears of their own items, once a day. */
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

/** All of the change or nothing; what is not named stays as it is. */
export async function changeSettings(
  db: Db,
  request: { userId: string; change: SettingsChange; at: number },
): Promise<WireSettings> {
  const { userId, change, at } = request;
  const changed = await db.change(
    async (queries) => {
      if (change.reorderPoint !== undefined) await moveReorderPoint(db, queries, change.reorderPoint, at);
      const { mail = null, about = null } = change.alerts ?? {};
      if (mail !== null || about !== null) {
        await upsertChoices(queries, userId, mail, about, at, DEFAULT.mail, DEFAULT.about);
      }
      return readSettings(queries, userId);
    },
    { repeatable: true },
  );
  // A small warehouse has followed already. In a large one the rest does so after the answer; should this server die
  // over it, any server goes on.
  if (change.reorderPoint !== undefined) void followReorderPoint(db, at).catch(() => {});
  return changed;
}

const FOLLOWING = 'followReorderPoint';
/** So many items at a time: nobody who wants to deliver one of them waits longer than for that. */
const PORTION = 2_000;

/**
 * The warehouse's point, and with it that of every item that has none of its own: the first of them in this very
 * change, the others in portions of their own, from where the settings say they have come to.
 */
async function moveReorderPoint({ dialect }: Db, db: Queries, units: number, at: number): Promise<void> {
  // Who is creating or editing an item has read the old point and is done, or will read the new one: never between.
  if (dialect === 'postgres') await queryRows(db, 'lock table items in share row exclusive mode', []);
  const [point] = await readReorderPoint(db);
  if (point?.units === units) return;
  await writeSetting(db, 'reorderPoint', String(units));
  // The time of the alerts that come of it.
  await writeSetting(db, 'reorderPointAt', String(at));
  const [last] = await selectLast(db);
  await writeSetting(db, FOLLOWING, `0-${last?.num ?? 0}`);
  await followInside(db, at);
}

/** Lets every item without a point of its own have the warehouse's. Nothing to do costs one look. */
export async function followReorderPoint(db: Db, at: number): Promise<void> {
  while ((await selectSetting(db.query, FOLLOWING)).length > 0) {
    await db.change((db) => followInside(db, at), { repeatable: true });
  }
}

/**
 * One portion. The items' versions move, for what is shown of them has changed; their time does not, for nothing
 * happened to them. One line in the change feed makes every open screen read its lists again; a line for each item
 * could be a hundred thousand.
 */
async function followInside(db: Queries, at: number): Promise<void> {
  // Held, so that of two servers one comes second and sees how far the other has come.
  const [following] = await holdSetting(db, FOLLOWING);
  if (!following) return;
  const [from = 0, last = 0] = following.value.split('-').map(Number);
  const to = Math.min(from + PORTION, last);
  await updateLowAt(db, from, to);
  if (to < last) return void (await writeSetting(db, FOLLOWING, `${to}-${last}`));
  await deleteSetting(db, FOLLOWING);
  await insertOneChange(db, at);
}

const selectChoices = statement<AlertChoices, [userId: string]>(
  'select mail, about from alert_choices where user_id = $1',
);

// Digests begin with the choice for them: nobody is told at once of what happened while they did not want to know.
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
const holdSetting = statement<{ value: string }, [name: string]>(
  'update settings set value = value where name = $1 returning value',
);
const deleteSetting = statement<never, [name: string]>('delete from settings where name = $1');
const selectLast = statement<{ num: number }, []>('select num from items order by num desc limit 1');

const updateLowAt = statement<never, [from: number, to: number]>(
  `update items set low_at = ${REORDER_POINT}, version = version + 1
   where num > $1 and num <= $2 and reorder_point is null and low_at <> ${REORDER_POINT}`,
);

const insertOneChange = statement<never, [at: number]>(
  `insert into changes (item_id, kind, at)
   select id, 'edited', cast($1 as bigint) from items where deleted_at is null and reorder_point is null
   order by num desc limit 1`,
);
