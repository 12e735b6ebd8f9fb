import type { AlertChoices, WireSettings } from '@perfume/contract/settings';
import type { Db } from '../db/core/database.ts';
import { type Idempotency, type KeyReused, runIdempotent } from '../db/core/idempotency.ts';
import { readReorderPoint } from '../db/core/reorder-point.ts';
import { type Queries, statement } from '../db/core/statement.ts';
import type { Action } from '../items/item-events.ts';
import { changeReorderPoint, propagateReorderPoint } from '../items/reorder-point.store.ts';

/** The alert settings of people who have not chosen any: a daily email about their own items. */
const DEFAULT: AlertChoices = { mail: 'daily', about: 'mine' };

export async function readSettings(db: Queries, house: number, userId: string): Promise<WireSettings> {
  const [point] = await readReorderPoint(db, house);
  const [chosen] = await selectChoices(db, house, userId);
  return { reorderPoint: point?.units ?? 0, alerts: chosen ?? DEFAULT };
}

export type SettingsChange = {
  reorderPoint?: number | undefined;
  alerts?: { [Name in keyof AlertChoices]?: AlertChoices[Name] | undefined } | undefined;
};

/** `entryId`: the entry in the history that records a new reorder point; null without one. */
export type SettingsChanged = { ok: true; settings: WireSettings; entryId: string | null };

/** Applies the whole change or nothing. Omitted settings stay as they are. */
export async function changeSettings(
  db: Db,
  request: { house: number; change: SettingsChange; action: Action; idempotency: Idempotency | null },
): Promise<SettingsChanged | KeyReused> {
  const { house, change, action, idempotency } = request;
  const { reorderPoint: units } = change;
  const userId = action.actor.id;
  const changed = await runIdempotent<SettingsChanged>(db, idempotency, async (queries) => {
    const isNew = units !== undefined && (await changeReorderPoint(db.dialect, queries, house, { units }, action));
    const { mail = null, about = null } = change.alerts ?? {};
    if (mail !== null || about !== null) {
      await upsertChoices(queries, house, userId, mail, about, action.at, DEFAULT.mail, DEFAULT.about);
    }
    return { ok: true, settings: await readSettings(queries, house, userId), entryId: isNew ? action.id : null };
  });
  // In small houses all items are updated by now. In large ones the remaining items are updated after the response;
  // if this server stops meanwhile, another server continues.
  if (units !== undefined) void propagateReorderPoint(db, action.at).catch(() => {});
  return changed;
}

const selectChoices = statement<AlertChoices, [house: number, userId: string]>(
  'select mail, about from alert_choices where house = $1 and user_id = $2',
);

// `digest_at` is set when somebody switches digests on again, so the first digest does not report what happened before.
const upsertChoices = statement<
  never,
  [
    house: number,
    userId: string,
    mail: string | null,
    about: string | null,
    at: number,
    defaultMail: AlertChoices['mail'],
    defaultAbout: AlertChoices['about'],
  ]
>(
  `insert into alert_choices (house, user_id, mail, about)
   values ($1, $2, coalesce(cast($3 as text), $6), coalesce(cast($4 as text), $7))
   on conflict (user_id, house) do update set
     mail = coalesce(cast($3 as text), alert_choices.mail),
     about = coalesce(cast($4 as text), alert_choices.about),
     digest_at = case when cast($3 as text) = 'daily' and alert_choices.mail <> 'daily'
       then cast($5 as bigint) else alert_choices.digest_at end`,
);
