import type { AlertChoices } from '@perfume/contract/settings';
import type { AlertKind } from '@perfume/domain/alerts';
import type { Db } from '../db/core/database.ts';
import { type Queries, queryRows, statement } from '../db/core/statement.ts';
import { type Access, HOUSE_NAME, PEOPLE, perAccess } from './people.ts';

const CLAIMED_AT_ONCE = 100;

type Reader = { house: number; emailKey: string; about: AlertChoices['about'] };
/** `houseName` is null if the person is in one house only. */
export type DigestReader = Reader & { userId: string; houseName: string | null; email: string; from: number };
export type DigestLine = { itemId: string; name: string; quantity: number };
export type DigestList = { lines: DigestLine[]; total: number };
export type StockLists = Record<AlertKind, DigestList>;

/** Claims some of the people whose digest is due. Each is claimed by one server, once. */
export async function claimDigests(
  db: Db,
  access: Access,
  { now, since }: { now: number; since: number },
): Promise<DigestReader[]> {
  return db.change(async (db) => {
    const claimed = await claimDue[access](db, now, since);
    const readers = await Promise.all(claimed.map(({ user_id, house }) => selectReader[access](db, user_id, house)));
    return readers.flat();
  });
}

/** Makes digests that were claimed at `now` due again, because they could not be sent. */
export async function releaseDigests(db: Db, readers: DigestReader[], now: number): Promise<void> {
  await db.change(async (db) => {
    for (const { userId, house } of readers) await releaseDigest(db, userId, house, now);
  });
}

export async function anyDigestDue(db: Queries, access: Access, since: number): Promise<boolean> {
  return (await selectDue[access](db, since)).length > 0;
}

/** The items that are out of stock or low now, and those that recovered since the last digest and are still not low. */
export async function readDigest(
  { longQuery }: Db,
  reader: DigestReader,
  { until, maxLines }: { until: number; maxLines: number },
): Promise<StockLists> {
  const list = listsFor(longQuery, reader, maxLines);
  return {
    out: await list(() => 'i.quantity <= i.low_at and i.quantity = 0'),
    low: await list(() => 'i.quantity <= i.low_at and i.quantity > 0'),
    recovered: await list(
      (param) => `i.quantity > i.low_at and i.id in (select a.item_id from stock_alerts a
         where a.house = ${param(reader.house)} and a.kind = 'recovered' and a.at >= ${param(reader.from)} and a.at < ${param(until)})`,
    ),
  };
}

/** What the alerts that were held back report, as far as it is still true. Alerts that no server has claimed come later. */
export async function readHeldBack(
  db: Queries,
  reader: Reader & { heldFrom: number },
  maxLines: number,
): Promise<StockLists> {
  const list = listsFor((text, params) => queryRows(db, text, params), reader, maxLines);
  const about = (kind: AlertKind, isTrue: string) =>
    list(
      (param) => `${isTrue} and i.id in (select a.item_id from stock_alerts a
         where a.house = ${param(reader.house)} and a.kind = '${kind}' and a.num >= ${param(reader.heldFrom)} and a.round is not null)`,
    );
  return {
    out: await about('out', 'i.quantity = 0'),
    low: await about('low', 'i.quantity > 0 and i.quantity <= i.low_at'),
    recovered: await about('recovered', 'i.quantity > i.low_at'),
  };
}

/** Returns a function that lists the reader's items for which a condition is true. */
function listsFor(read: Db['longQuery'], { house, emailKey, about }: Reader, maxLines: number) {
  return async (which: (param: (value: unknown) => string) => string): Promise<DigestList> => {
    const params: unknown[] = [];
    const param = (value: unknown) => `$${params.push(value)}`;
    const ofOwner = about === 'all' ? '' : `and i.email_key = ${param(emailKey)}`;
    const where = `from items i where i.house = ${param(house)} and i.deleted_at is null ${ofOwner} and ${which(param)}`;
    const lines = await read<DigestLine>(
      `select i.id as "itemId", i.name, i.quantity ${where} order by i.quantity, i.name_key, i.num limit ${maxLines}`,
      params,
    );
    if (lines.length < maxLines) return { lines, total: lines.length };
    const [counted] = await read<{ total: number }>(`select count(*) as total ${where}`, params);
    return { lines, total: Number(counted?.total ?? lines.length) };
  };
}

// The users whose last digest is older than a given time. A user without a digest so far counts from the time they
// signed up. If two servers claim the same digest, the second finds that digest_at has changed.
const due = (access: Access) => `from users u join ${PEOPLE[access]} on people.user_id = u.id
   left join alert_choices c on c.user_id = u.id and c.house = people.house
   where u.email_verified = 1 and u.email_key is not null and u.disabled_at is null and coalesce(c.mail, 'daily') = 'daily'
     and coalesce(c.digest_at, u.created_at) <`;

const claimDue = perAccess((access) =>
  statement<{ user_id: string; house: number }, [now: number, since: number]>(
    `insert into alert_choices (user_id, house, digest_from, digest_at)
   select u.id, people.house, u.created_at, cast($1 as bigint) ${due(access)} $2
   order by u.id, people.house limit ${CLAIMED_AT_ONCE}
   on conflict (user_id, house) do update
   set digest_from = coalesce(alert_choices.digest_at, excluded.digest_from), digest_at = excluded.digest_at
   where alert_choices.mail = 'daily' and coalesce(alert_choices.digest_at, excluded.digest_from) < $2
   returning user_id, house`,
  ),
);

// Not if the person has switched digests on again meanwhile, which sets digest_at too.
const releaseDigest = statement<never, [userId: string, house: number, claimedAt: number]>(
  'update alert_choices set digest_at = digest_from where user_id = $1 and house = $2 and digest_at = $3',
);

const selectDue = perAccess((access) =>
  statement<{ id: string }, [since: number]>(`select u.id ${due(access)} $1 limit 1`),
);

const selectReader = perAccess((access) =>
  statement<DigestReader, [userId: string, house: number]>(
    `select u.id as "userId", c.house, ${HOUSE_NAME[access]} as "houseName", u.email, u.email_key as "emailKey", c.about,
     c.digest_from as "from"
   from alert_choices c join users u on u.id = c.user_id where u.id = $1 and c.house = $2`,
  ),
);
