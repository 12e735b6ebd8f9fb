import type { Selectable } from 'kysely';
import { type Queries, statement } from '../db/core/statement.ts';
import type { SettingsEventRow } from '../db/core/tables.ts';
import type { Action, FieldChange } from './item-events.ts';

/**
 * Records a change of a shared setting. No two have the same time, so their order is clear to everyone who reads them.
 */
export async function recordSettingsEvent(
  db: Queries,
  house: number,
  action: Action,
  changes: FieldChange[],
): Promise<void> {
  const at = await nextSettingsTime(db, house, action.at);
  await insertEvent(
    db,
    house,
    action.id,
    JSON.stringify(changes),
    action.actor.id,
    action.actor.name,
    at,
    action.undoes,
  );
}

/** Returns the time of the next event of a house: now, or just after the last one. */
export async function nextSettingsTime(db: Queries, house: number, now: number): Promise<number> {
  const [last] = await selectLastTime(db, house);
  return Math.max(now, (last?.at ?? 0) + 1);
}

export const selectSettingsEvent = statement<Pick<Selectable<SettingsEventRow>, 'id'>, [id: string]>(
  "select id from settings_events where id = $1 and kind = 'settings'",
);
export const selectSettingsEventUndoing = statement<{ id: string }, [id: string]>(
  'select id from settings_events where undoes = $1',
);

const selectLastTime = statement<{ at: number }, [house: number]>(
  'select at from settings_events where house = $1 order by at desc, id desc limit 1',
);

const insertEvent = statement<
  never,
  [house: number, id: string, changes: string, actorId: string, actorName: string, at: number, undoes: string | null]
>(
  `insert into settings_events (house, id, kind, changes, actor_id, actor_name, at, undoes)
   values ($1, $2, 'settings', $3, $4, $5, $6, $7)`,
);
