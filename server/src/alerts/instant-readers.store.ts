import type { AlertChoices } from '@perfume/contract/settings';
import { type Queries, statement } from '../db/core/statement.ts';
import { type Access, HOUSE_NAME, PEOPLE, perAccess } from './people.ts';

/**
 * How many instant alert emails and emails about saved views one person gets at most. Further alerts are held back and
 * share the next email.
 */
export const MAX_EMAILS = { hour: 20, day: 100 };

const HOUR_MS = 60 * 60 * 1_000;

export type InstantReader = {
  userId: string;
  house: number;
  /** Null if the person is in one house only. */
  houseName: string | null;
  email: string;
  emailKey: string;
  about: AlertChoices['about'];
  /** The first alert that was held back, or null if there is none. */
  heldFrom: number | null;
  /** 1 unless the limit is reached. */
  mayGetEmail: number;
};

export async function instantReaders(db: Queries, access: Access, now: number): Promise<InstantReader[]> {
  return selectInstantReaders[access](db, ...hourAndDay(now));
}

/** Whether there are alerts that were held back and may be sent now. */
export async function anyHeldDue(db: Queries, access: Access, now: number): Promise<boolean> {
  return (await selectHeldDue[access](db, ...hourAndDay(now))).length > 0;
}

/** Counts an email that reports everything held back so far. Returns false if it must not be sent. */
export async function countEmail(db: Queries, reader: InstantReader, now: number): Promise<boolean> {
  return (await updateCount(db, ...hourAndDay(now), reader.userId, reader.house, reader.heldFrom ?? 0)).length > 0;
}

type EmailLimit = Pick<InstantReader, 'userId' | 'house'>;

/** Whether a person has had too many emails lately. */
export async function isAtLimit(db: Queries, { userId, house }: EmailLimit, now: number): Promise<boolean> {
  return (await selectAtLimit(db, ...hourAndDay(now), userId, house)).length > 0;
}

/** Counts an email about a saved view, which shares the limit. Returns false if it must not be sent now. */
export async function countViewEmail(db: Queries, { userId, house }: EmailLimit, now: number): Promise<boolean> {
  return (await insertCount(db, ...hourAndDay(now), userId, house)).length > 0;
}

/** Returns the hours and the days since 1970. */
function hourAndDay(now: number): [hour: number, day: number] {
  const hour = Math.floor(now / HOUR_MS);
  return [hour, Math.floor(hour / 24)];
}

const mayGetEmail = (
  choices: 'c' | 'alert_choices',
) => `(${choices}.mailed_hour <> $1 or ${choices}.mailed_in_hour < ${MAX_EMAILS.hour})
  and (${choices}.mailed_day <> $2 or ${choices}.mailed_in_day < ${MAX_EMAILS.day})`;

const ONE_MORE = `
     mailed_in_hour = case when alert_choices.mailed_hour = $1 then alert_choices.mailed_in_hour else 0 end + 1, mailed_hour = $1,
     mailed_in_day = case when alert_choices.mailed_day = $2 then alert_choices.mailed_in_day else 0 end + 1, mailed_day = $2`;

/** Whoever has left a house or cannot log in gets no email, whatever they chose. */
const READERS = perAccess(
  (access) => `alert_choices c join users u on u.id = c.user_id
   join ${PEOPLE[access]} on people.user_id = c.user_id and people.house = c.house
   where c.mail = 'at_once' and u.email_verified = 1 and u.email_key is not null and u.disabled_at is null`,
);

const selectInstantReaders = perAccess((access) =>
  statement<InstantReader, [hour: number, day: number]>(
    `select u.id as "userId", c.house, ${HOUSE_NAME[access]} as "houseName", u.email, u.email_key as "emailKey", c.about, c.held_from as "heldFrom",
     case when ${mayGetEmail('c')} then 1 else 0 end as "mayGetEmail"
   from ${READERS[access]} order by u.id, c.house`,
  ),
);

const selectHeldDue = perAccess((access) =>
  statement<{ user_id: string }, [hour: number, day: number]>(
    `select c.user_id from ${READERS[access]} and c.held_from is not null and ${mayGetEmail('c')} limit 1`,
  ),
);

// If another server has just sent this person an email, held_from or the counts have changed, and nothing is updated.
const updateCount = statement<
  { user_id: string },
  [hour: number, day: number, userId: string, house: number, heldFrom: number]
>(
  `update alert_choices set held_from = null, ${ONE_MORE}
   where user_id = $3 and house = $4 and coalesce(held_from, 0) = $5 and ${mayGetEmail('alert_choices')}
   returning user_id`,
);

const selectAtLimit = statement<{ user_id: string }, [hour: number, day: number, userId: string, house: number]>(
  `select c.user_id from alert_choices c where c.user_id = $3 and c.house = $4 and not (${mayGetEmail('c')})`,
);

const insertCount = statement<{ user_id: string }, [hour: number, day: number, userId: string, house: number]>(
  `insert into alert_choices (mailed_hour, mailed_day, user_id, house, mailed_in_hour, mailed_in_day)
   values ($1, $2, $3, $4, 1, 1)
   on conflict (user_id, house) do update set ${ONE_MORE} where ${mayGetEmail('alert_choices')}
   returning user_id`,
);

export const holdBack = statement<never, [userId: string, house: number, from: number]>(
  `update alert_choices set held_from = $3
   where user_id = $1 and house = $2 and (held_from is null or held_from > $3)`,
);

export const forgetHeldBack = statement<never, [userId: string, house: number, from: number]>(
  'update alert_choices set held_from = null where user_id = $1 and house = $2 and held_from = $3',
);
