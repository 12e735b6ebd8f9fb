import type { AlertChoices } from '@perfume/contract/settings';
import { type Queries, statement } from '../db/core/statement.ts';
import { type Access, HOUSE_NAME, PEOPLE, perAccess } from './people.ts';

/** How many instant alert emails one person gets at most. Further alerts are held back and share the next email. */
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

/** Returns the hours and the days since 1970. */
function hourAndDay(now: number): [hour: number, day: number] {
  const hour = Math.floor(now / HOUR_MS);
  return [hour, Math.floor(hour / 24)];
}

const MAY_GET_EMAIL = `(mailed_hour <> $1 or mailed_in_hour < ${MAX_EMAILS.hour})
  and (mailed_day <> $2 or mailed_in_day < ${MAX_EMAILS.day})`;

/** Whoever has left a house or cannot log in gets no email, whatever they chose. */
const READERS = perAccess(
  (access) => `alert_choices c join users u on u.id = c.user_id
   join ${PEOPLE[access]} on people.user_id = c.user_id and people.house = c.house
   where c.mail = 'at_once' and u.email_verified = 1 and u.email_key is not null and u.disabled_at is null`,
);

const selectInstantReaders = perAccess((access) =>
  statement<InstantReader, [hour: number, day: number]>(
    `select u.id as "userId", c.house, ${HOUSE_NAME[access]} as "houseName", u.email, u.email_key as "emailKey", c.about, c.held_from as "heldFrom",
     case when ${MAY_GET_EMAIL} then 1 else 0 end as "mayGetEmail"
   from ${READERS[access]} order by u.id, c.house`,
  ),
);

const selectHeldDue = perAccess((access) =>
  statement<{ user_id: string }, [hour: number, day: number]>(
    `select c.user_id from ${READERS[access]} and c.held_from is not null and ${MAY_GET_EMAIL} limit 1`,
  ),
);

// If another server has just sent this person an email, held_from or the counts have changed, and nothing is updated.
const updateCount = statement<
  { user_id: string },
  [hour: number, day: number, userId: string, house: number, heldFrom: number]
>(
  `update alert_choices set held_from = null,
     mailed_in_hour = case when mailed_hour = $1 then mailed_in_hour else 0 end + 1, mailed_hour = $1,
     mailed_in_day = case when mailed_day = $2 then mailed_in_day else 0 end + 1, mailed_day = $2
   where user_id = $3 and house = $4 and coalesce(held_from, 0) = $5 and ${MAY_GET_EMAIL}
   returning user_id`,
);

export const holdBack = statement<never, [userId: string, house: number, from: number]>(
  `update alert_choices set held_from = $3
   where user_id = $1 and house = $2 and (held_from is null or held_from > $3)`,
);

export const forgetHeldBack = statement<never, [userId: string, house: number, from: number]>(
  'update alert_choices set held_from = null where user_id = $1 and house = $2 and held_from = $3',
);
