import type { User } from '@perfume/contract/identity';
import type { AccountData } from '@perfume/contract/settings';
import { emailKey } from '@perfume/domain/email';
import { type HouseRole, roleMay } from '@perfume/domain/houses';
import { personMark } from '@perfume/domain/person-mark';
import type { Selectable } from 'kysely';
import type { Config } from '../config.ts';
import type { Db } from '../db/core/database.ts';
import { SHARED_HOUSE } from '../db/core/shared-house.ts';
import { type Queries, statement } from '../db/core/statement.ts';
import type { ApiKeyRow, CountEntryRow, PasskeyRow, ViewRow, WebhookRow } from '../db/core/tables.ts';
import { eachEntryPage } from '../history/history.store.ts';
import { toWireEntry } from '../history/wire-entry.ts';

const PAGE = 500;

/**
 * Yields everything that is stored about a person as the text of one JSON object, in parts, so that a long history needs
 * little memory. Secrets, such as hashes of passwords and tokens, are left out. `onRows` is told how many rows were read.
 */
export async function* accountData(
  db: Db,
  access: Config['access'],
  user: User,
  now: number,
  onRows: (rows: number) => void,
): AsyncGenerator<string> {
  const houses = access === 'open' ? [SHARED_HOUSE] : (await selectHouses(db.query, user.id)).map(({ house }) => house);
  yield `${JSON.stringify(await aboutAccount(db.query, access, user, now)).slice(0, -1)},"items":[`;
  yield* joined(itemsOf(db.query, houses, user, onRows));
  yield '],"history":[';
  yield* joined(entriesOf(db, houses, user, onRows));
  yield '],"counts":[';
  yield* joined(countsOf(db.query, houses, user, onRows));
  yield ']}\n';
}

async function aboutAccount(
  db: Queries,
  access: Config['access'],
  user: User,
  now: number,
): Promise<Omit<AccountData, 'items' | 'history' | 'counts'>> {
  const [account] = await selectAccount(db, user.id);
  const logins = await selectLogins(db, user.id);
  const sessions = await selectSessions(db, user.id, now);
  const passkeys = await selectPasskeys(db, user.id);
  const [twoStep] = await selectTwoStep(db, user.id);
  const apiKeys = await selectKeys(db, user.id);
  const views = await selectViews(db, user.id);
  const webhooks = (await selectWebhooks(db, user.id)).filter(isTheirs(access, user));
  const viewEmails = await selectViewEmails(db, user.id);
  const [alerts] = await selectAlerts(db, user.id);
  const renames = await selectRenames(db, user.id);
  return {
    exportedAt: time(now),
    account: {
      ...user,
      mark: personMark(user.id),
      createdAt: time(account?.created_at ?? 0),
      updatedAt: time(account?.updated_at ?? 0),
    },
    logins: logins.map(({ provider_id, account_id, created_at }) => ({
      provider: provider_id === 'credential' ? 'password' : provider_id,
      accountAtProvider: provider_id === 'credential' ? null : account_id,
      since: time(created_at),
    })),
    sessions: sessions.map(({ browser, created_at, expires_at }) => ({
      browser,
      createdAt: time(created_at),
      expiresAt: time(expires_at),
    })),
    passkeys: passkeys.map(({ name, created_at, used_at }) => ({
      name,
      createdAt: time(created_at),
      lastUsedAt: used_at === null ? null : time(used_at),
    })),
    twoStepSince: twoStep ? time(twoStep.confirmed_at) : null,
    apiKeys: apiKeys.map(({ name, scope, created_at, last_used_at, expires_at }) => ({
      name,
      scope,
      createdAt: time(created_at),
      lastUsedAt: last_used_at === null ? null : time(last_used_at),
      expiresAt: expires_at === null ? null : time(expires_at),
    })),
    views: views.map(({ name, page, query, shared, pinned, created_at, deleted_at }) => ({
      name,
      page,
      query,
      shared: shared === 1,
      pinned: pinned === 1,
      createdAt: time(created_at),
      deletedAt: deleted_at === null ? null : time(deleted_at),
    })),
    webhooks: webhooks.map(({ url, events, state, created_at }) => ({
      url,
      events: JSON.parse(events) as string[],
      active: state === 'on',
      createdAt: time(created_at),
    })),
    viewEmails: viewEmails.map(({ name, last_sent }) => ({
      view: name,
      lastSentAt: last_sent === null ? null : time(last_sent),
    })),
    alerts: alerts
      ? {
          mail: alerts.mail,
          about: alerts.about,
          lastDailyEmailAt: alerts.digest_at === null ? null : time(alerts.digest_at),
        }
      : null,
    renames: renames.map(({ from_name, to_name, at }) => ({ from: from_name, to: to_name, at: time(at) })),
  };
}

/** The items whose contact is the person's address. An unverified address may belong to somebody else. */
async function* itemsOf(db: Queries, houses: number[], user: User, onRows: (rows: number) => void) {
  if (!user.emailVerified) return;
  for (const house of houses)
    for (let after: number | undefined = 0; after !== undefined; ) {
      const items: ItemName[] = await selectItems(db, house, emailKey(user.email), after, PAGE);
      yield items.map(({ id, name }) => ({ id, name }));
      onRows(items.length);
      after = items.at(-1)?.num;
    }
}

async function* entriesOf(db: Db, houses: number[], user: User, onRows: (rows: number) => void) {
  for (const house of houses) yield* entriesIn(db, house, user, onRows);
}

async function* entriesIn(db: Db, house: number, user: User, onRows: (rows: number) => void) {
  const query = { house, itemId: null, kind: null, reason: null, actorId: user.id, from: null, to: null };
  for await (const entries of eachEntryPage(db, query)) {
    yield entries.map(toWireEntry);
    onRows(entries.length);
  }
}

async function* countsOf(db: Queries, houses: number[], user: User, onRows: (rows: number) => void) {
  for (const house of houses)
    for (let after: number | undefined = 0; after !== undefined; ) {
      const entries: CountedRow[] = await selectCounted(db, house, user.id, after, PAGE);
      yield entries.map(({ name, item_id, kind, units, at }) => ({
        count: name,
        itemId: item_id,
        kind,
        units,
        at: time(at),
      }));
      onRows(entries.length);
      after = entries.at(-1)?.num;
    }
}

/** Yields the elements of a JSON array, separated by commas. */
async function* joined(pages: AsyncIterable<unknown[]>): AsyncGenerator<string> {
  let separator = '';
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield separator + page.map((one) => JSON.stringify(one)).join(',\n');
    separator = ',\n';
  }
}

function time(at: number): string {
  return new Date(at).toISOString();
}

const selectAccount = statement<{ created_at: number; updated_at: number }, [userId: string]>(
  'select created_at, updated_at from users where id = $1',
);
const selectLogins = statement<{ provider_id: string; account_id: string; created_at: number }, [userId: string]>(
  'select provider_id, account_id, created_at from accounts where user_id = $1 order by created_at, id',
);
const selectSessions = statement<
  { browser: string | null; created_at: number; expires_at: number },
  [userId: string, now: number]
>(
  `select browser, created_at, expires_at from sign_ins where user_id = $1 and expires_at > $2
   order by created_at desc, id desc limit 1000`,
);
const selectPasskeys = statement<Pick<PasskeyRow, 'name' | 'created_at' | 'used_at'>, [userId: string]>(
  'select name, created_at, used_at from passkeys where user_id = $1 order by created_at, id',
);
const selectTwoStep = statement<{ confirmed_at: number }, [userId: string]>(
  'select confirmed_at from two_step where user_id = $1 and confirmed_at is not null',
);
const selectKeys = statement<
  Pick<ApiKeyRow, 'name' | 'scope' | 'created_at' | 'last_used_at' | 'expires_at'>,
  [userId: string]
>(
  `select name, scope, created_at, last_used_at, expires_at from api_keys where user_id = $1
   order by created_at desc, id desc`,
);
const selectViews = statement<
  Pick<ViewRow, 'name' | 'page' | 'query' | 'shared' | 'pinned' | 'created_at' | 'deleted_at'>,
  [userId: string]
>(
  `select name, page, query, shared, pinned, created_at, deleted_at from views where user_id = $1
   order by created_at desc, id desc limit 1000`,
);
type MadeWebhook = Pick<WebhookRow, 'url' | 'events' | 'state' | 'created_at' | 'owner_id' | 'house'> & {
  role: HouseRole | null;
};
const selectWebhooks = statement<MadeWebhook, [userId: string]>(
  `select w.url, w.events, w.state, w.created_at, w.owner_id, w.house, m.role
   from webhooks w left join members m on m.house = w.house and m.user_id = $1
   where w.made_by = $1 and w.state <> 'deleted' order by w.created_at desc, w.id desc limit 1000`,
);
/**
 * A webhook that a person made for a house belongs to that house: somebody may have changed its address since, and whoever
 * knows the address can often send to it.
 */
const isTheirs =
  (access: Config['access'], { id }: User) =>
  ({ owner_id, house, role }: MadeWebhook): boolean =>
    access === 'open' ? house === SHARED_HOUSE : owner_id === id || (role !== null && roleMay(role, 'changeSettings'));
// Not the name of a view that is no longer shared.
const selectViewEmails = statement<{ name: string; last_sent: number | null }, [userId: string]>(
  `select views.name, view_emails.last_sent from view_emails join views on views.id = view_emails.view_id
   where view_emails.user_id = $1 and (views.user_id = $1 or (views.shared = 1 and views.deleted_at is null))
   order by views.created_at desc, views.id desc limit 1000`,
);
const selectAlerts = statement<
  { mail: 'off' | 'at_once' | 'daily'; about: 'mine' | 'all'; digest_at: number | null },
  [userId: string]
>('select mail, about, digest_at from alert_choices where user_id = $1');
const selectRenames = statement<{ from_name: string; to_name: string; at: number }, [userId: string]>(
  'select from_name, to_name, at from renames where user_id = $1 order by at desc, id desc limit 1000',
);
const selectHouses = statement<{ house: number }, [userId: string]>(
  'select house from members where user_id = $1 order by joined_at, house',
);
type ItemName = { num: number; id: string; name: string };
const selectItems = statement<ItemName, [house: number, emailKey: string, after: number, limit: number]>(
  `select num, id, name from items
   where house = $1 and email_key = $2 and deleted_at is null and num > $3 order by num limit $4`,
);
type CountedRow = Pick<Selectable<CountEntryRow>, 'num' | 'item_id' | 'kind' | 'units' | 'at'> & { name: string };
const selectCounted = statement<CountedRow, [house: number, actorId: string, after: number, limit: number]>(
  `select e.num, e.item_id, e.kind, e.units, e.at, c.name from count_entries e join count_sessions c on c.id = e.session_id
   where c.house = $1 and e.actor_id = $2 and e.num > $3 order by e.num limit $4`,
);
