import { hash, randomBytes } from 'node:crypto';
import type { User, WireSession, WireUser } from '@perfume/contract/identity';
import { emailKey } from '@perfume/domain/email';
import type { Db } from '../db/core/database.ts';
import { isUniqueViolation } from '../db/core/errors.ts';
import { newId } from '../db/core/ids.ts';
import { type Queries, statement } from '../db/core/statement.ts';
import { batcherPerStore } from '../db/postgres/batcher.ts';
import { deleteInvitation } from './invitations.store.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
export const SIGN_IN_LIFETIME_MS = 30 * DAY_MS;
/** A session that is not used for this long ends earlier. */
const UNUSED_LIFETIME_MS = 14 * DAY_MS;

/** Returns when a session ends that was created and last used at these times. */
export function sessionEnd(createdAt: number, usedAt: number): number {
  return Math.min(createdAt + SIGN_IN_LIFETIME_MS, usedAt + UNUSED_LIFETIME_MS);
}

/** Creates a user without a sign-up, for the demo and for tests. Returns the existing user if there is one. */
export async function ensureUser(
  db: Db,
  person: { email: string; name: string; emailVerified: boolean; now: number },
): Promise<User> {
  const { email, name, emailVerified, now } = person;
  return db.change(async (db) => {
    await insertUser(db, newId(now), email, emailKey(email), name, emailVerified ? 1 : 0, now);
    const [user] = await selectUserByEmail(db, emailKey(email));
    if (!user) throw new Error('the new user was not found');
    return toUser(user);
  });
}

export async function addPassword(db: Db, userId: string, passwordHash: string, now: number): Promise<void> {
  await db.change(async (db) => {
    await insertPassword(db, newId(now), userId, passwordHash, now);
  });
}

export async function hasPassword(db: Db, userId: string): Promise<boolean> {
  return (await passwordHashOf(db, userId)) !== null;
}

export async function passwordHashOf(db: Db, userId: string): Promise<string | null> {
  const [account] = await selectPassword(db.query, userId);
  return account?.password ?? null;
}

/** Returns when the user got their present password, or null if they have none. */
export async function passwordSetAtOf(db: Db, userId: string): Promise<number | null> {
  const [account] = await selectPassword(db.query, userId);
  return account?.updated_at ?? null;
}

/** Returns when the account with this email address got its present password, or null if it has none. */
export async function passwordSetAt(db: Db, email: string): Promise<number | null> {
  const [account] = await selectPasswordSetAt(db.query, emailKey(email));
  return account?.updated_at ?? null;
}

/**
 * Stores the same password with a new hash, unless the password was changed in the meantime. The time the password was
 * set stays the same.
 */
export async function replacePasswordHash(
  db: Db,
  userId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await db.change(async (db) => {
    await replacePassword(db, userId, from, to);
  });
}

export async function findUserByEmail(db: Db, email: string): Promise<User | null> {
  const [row] = await selectUserByEmail(db.query, emailKey(email));
  return row ? toUser(row) : null;
}

export async function findUserById(db: Db, id: string): Promise<User | null> {
  const [row] = await selectUserById(db.query, id);
  return row ? toUser(row) : null;
}

export async function isDisabled(db: Db, id: string): Promise<boolean> {
  return (await selectDisabled(db.query, id)).length > 0;
}

/** Creates a session. The browser gets the token; the database stores only its hash. */
export async function signIn(
  db: Db,
  userId: string,
  now: number,
  browser: string | null = null,
): Promise<{ token: string; expiresAt: number }> {
  const token = randomBytes(32).toString('base64url');
  const expiresAt = sessionEnd(now, now);
  await db.change(async (db) => {
    await insertSignIn(db, signInId(token), newId(now), userId, browser, expiresAt, now);
  });
  return { token, expiresAt };
}

/** Whether a session was opened with 'Remember me'. One without ends after a day, used or not. */
export function isRemembered({ createdAt, expiresAt }: { createdAt: number; expiresAt: number }): boolean {
  return expiresAt >= sessionEnd(createdAt, createdAt);
}

/** Whether using a session now moves its end by a day or more. So a session is written at most once a day. */
export function isExtendedBy(session: { createdAt: number; expiresAt: number }, usedAt: number): boolean {
  return isRemembered(session) && sessionEnd(session.createdAt, usedAt) - session.expiresAt >= DAY_MS;
}

export async function extendSignIn(db: Db, id: string, createdAt: number, usedAt: number): Promise<void> {
  await db.change(async (db) => {
    await updateExpiry(db, id, sessionEnd(createdAt, usedAt), usedAt);
  });
}

/** Makes a new session one without 'Remember me'. */
export async function makeSignInBrief(db: Db, id: string): Promise<void> {
  await db.change(async (db) => {
    await updateToBrief(db, id, DAY_MS);
  });
}

export async function endSignIn(db: Db, id: string): Promise<void> {
  await db.change(async (db) => {
    await deleteSignIn(db, id);
  });
}

/** How many sessions are listed at most. A longer list is not useful to anyone. */
const MAX_SIGN_INS = 100;

/** Returns the user's sessions, newest first. */
export async function sessionsOf(
  db: Db,
  userId: string,
  now: number,
): Promise<{ tokenHash: string; session: WireSession }[]> {
  const rows = await selectSessions(db.query, userId, now, MAX_SIGN_INS);
  return rows.map((row) => ({ tokenHash: row.token_hash, session: toSession(row) }));
}

export async function thisSession(db: Db, id: string): Promise<WireSession | null> {
  const [row] = await selectSession(db.query, id);
  return row ? toSession(row) : null;
}

/** Returns the user in the form in which the API shows people their own account. */
export async function accountOf(
  { db, access }: { db: Db; access: { houseOf(user: User): Promise<WireUser['house']> } },
  user: User,
): Promise<WireUser> {
  const rows = await selectAccounts(db.query, user.id);
  const providers = rows.map(({ provider_id }) => (provider_id === 'credential' ? 'password' : provider_id));
  return {
    ...user,
    displayName: user.name,
    photoURL: user.image,
    providers: [...new Set(providers)].filter((provider) => provider !== null) as WireUser['providers'],
    createdAt: new Date(rows[0]?.created_at ?? 0).toISOString(),
    updatedAt: new Date(rows[0]?.updated_at ?? 0).toISOString(),
    house: await access.houseOf(user),
  };
}

/** Ends one of the user's own sessions, named by its public id. */
export async function endOwnSignIn(db: Db, userId: string, uuid: string): Promise<void> {
  await db.change(async (db) => {
    await deleteOwnSignIn(db, userId, uuid);
  });
}

/** Ends all sessions of the user except `keptId`, or all of them if it is null. */
export async function endSignIns(db: Db, userId: string, keptId: string | null): Promise<void> {
  await db.change(async (db) => {
    await deleteOtherSignIns(db, userId, keptId ?? '');
  });
}

/** Invalidates all reset links of the user that were already sent. */
export async function endResetLinks(db: Db, userId: string): Promise<void> {
  await db.change(async (db) => {
    await deleteLinksOf(db, userId);
  });
}

export async function unlinkProviders(db: Db, userId: string): Promise<void> {
  await db.change(async (db) => {
    await deleteProviders(db, userId);
  });
}

/**
 * Unlinks a provider and ends all sessions except `keptId`, because they may have been opened through it. `last`: nothing
 * else logs the user in, so nothing was changed. `usable` are the providers that this server offers.
 */
export async function unlinkProvider(
  db: Db,
  userId: string,
  providerId: string,
  { usable, keptId }: { usable: readonly string[]; keptId: string | null },
): Promise<'unlinked' | 'absent' | 'last'> {
  return changeWaysIn(db, userId, async (queries) => {
    const ways = (await selectWaysIn(queries, userId)).map(({ way }) => way);
    if (!ways.includes(providerId)) return 'absent';
    if (!ways.some((way) => way !== providerId && ['credential', 'passkey', ...usable].includes(way))) return 'last';
    await deleteProvider(queries, userId, providerId);
    await deleteOtherSignIns(queries, userId, keptId ?? '');
    return 'unlinked';
  });
}

/** Runs one such change of a user at a time, so that two of them cannot remove the last two ways to log in. */
export async function changeWaysIn<T>(db: Db, userId: string, work: (queries: Queries) => Promise<T>): Promise<T> {
  return db.change(async (queries) => {
    if (db.dialect === 'postgres') await lockUser(queries, userId);
    return work(queries);
  });
}

/** Ends all sessions, API keys, reset links, passkeys and recovery codes of all users, as restoring a backup does. */
export async function endEverySignIn(db: Db): Promise<void> {
  await db.change(async (db) => {
    await deleteEverySignIn(db);
    await deleteEveryKey(db);
    await deleteEveryVerification(db);
    await deleteEveryPasskey(db);
    await deleteEveryRecoveryCode(db);
    await deleteEveryInvitation(db);
    await deleteEveryHouseInvitation(db);
  });
}

/** Notes when the user of a session proved who they are. */
export async function markProven(db: Db, id: string, at: number): Promise<void> {
  await db.change(async (db) => {
    await updateProvenAt(db, id, at);
  });
}

/** Returns the id of a session: a hash of its token, from which the token cannot be recovered. */
export function signInId(token: string): string {
  return hash('sha256', token, 'base64url');
}

type SignedIn = { user: User; createdAt: number; expiresAt: number; provenAt: number };

export async function findBySignIn(db: Db, id: string): Promise<SignedIn | null> {
  if (db.dialect === 'postgres') return findBatched(db, id);
  const [row] = await selectBySignIn(db.query, id);
  return row ? toSignedIn(row) : null;
}

/** On PostgreSQL every query is a round trip, so lookups that arrive together share one. */
const findBatched = batcherPerStore<string, SignedIn | null>(
  async (db, ids) => {
    const rows = await selectBySignIns(db.query, ids);
    const found = new Map(rows.map((row) => [row.token_hash, toSignedIn(row)]));
    return ids.map((id) => found.get(id) ?? null);
  },
  { maxSize: 200, readsOnly: true },
);

function toSignedIn(row: SignedInFields): SignedIn {
  return { user: toUser(row), createdAt: row.created_at, expiresAt: row.expires_at, provenAt: row.proven_at };
}

/**
 * Gives a new account its email address if it is free, and returns whether it was. Otherwise no lookup by address finds
 * the account, and the person who signed up cannot tell the difference. An invitation of the address is used up in
 * both cases.
 */
export async function claimEmail(db: Db, userId: string, email: string): Promise<boolean> {
  const key = emailKey(email);
  const claim = (key: string) =>
    db.change(async (db) => {
      const [row] = await updateEmail(db, userId, email, key);
      await deleteInvitation(db, key);
      return row?.email_key === key;
    });
  try {
    return await claim(key);
  } catch (error) {
    // Another sign-up with the same address committed first.
    if (isUniqueViolation(error)) return claim(key);
    throw error;
  }
}

/** The invitations into houses. Implemented in src/houses. */
export type HouseInvitations = {
  /** Returns the invited address, or null if the link does not work. */
  emailOf(db: Queries, token: string, now: number): Promise<string | null>;
  /** Uses the invitation up and makes the user a member. Returns false, and changes nothing, if it does not work. */
  accept(db: Queries, token: string, user: User, now: number): Promise<boolean>;
};

/**
 * Gives a new account the address of an invitation. It is verified by that, because whoever has the link reads its
 * email. Somebody else may have opened an unverified account with the address, which is deleted with its password and
 * its sessions. `taken`: the address has a verified account, and the invitation stays usable.
 */
export async function claimInvitedEmail(
  db: Db,
  user: User,
  { now, accept }: { now: number; accept: (db: Queries) => Promise<boolean> },
): Promise<'claimed' | 'taken' | 'invalid'> {
  const key = emailKey(user.email);
  const claim = () =>
    db.change<'claimed' | 'invalid'>(async (db) => {
      if (!(await accept(db))) return 'invalid';
      await deleteSquattersOn(db, key);
      const [row] = await updateEmail(db, user.id, user.email, key);
      if (row?.email_key !== key) throw new EmailTaken();
      await markVerified(db, user.id, now);
      await deleteInvitation(db, key);
      return 'claimed';
    });
  try {
    // Another sign-up with the same address may commit first.
    return await claim().catch((error: unknown) => (isUniqueViolation(error) ? claim() : Promise.reject(error)));
  } catch (error) {
    if (error instanceof EmailTaken) return 'taken';
    throw error;
  }
}

/** Rolls the transaction back. */
class EmailTaken extends Error {}

export async function ownsEmail(db: Db, userId: string, email: string): Promise<boolean> {
  const [owner] = await selectUserByEmail(db.query, emailKey(email));
  return owner?.id === userId;
}

/**
 * Marks the email address of a link as verified. `signInId` is the session of the browser, if it has one.
 * `here`: it is one of the account, so it stays and all others end. `elsewhere`: someone else may have opened the
 * account, so nothing stays that lets them in: no session, no password and no linked provider.
 * `invalid`: the address has another account now, or was already verified and this browser is not logged in to it.
 */
export async function verifyEmail(
  db: Db,
  { userId, email, signInId, now }: { userId: string; email: string; signInId: string | null; now: number },
): Promise<'here' | 'elsewhere' | 'invalid'> {
  // On PostgreSQL the lock makes new sessions of this user wait, so that the route of a login sees what changed here.
  const find = db.dialect === 'postgres' ? lockEmailOf : selectEmailOf;
  return db.change(async (db) => {
    const [user] = await find(db, userId, emailKey(email));
    const [own] = user && signInId !== null ? await selectSignInOf(db, signInId, userId) : [];
    if (!user || (user.email_verified === 1 && !own)) return 'invalid';
    if (user.email_verified === 1) return 'here';
    await markVerified(db, userId, now);
    if (!own) await deleteAccounts(db, userId);
    await deleteOtherSignIns(db, userId, own?.token_hash ?? '');
    return own ? 'here' : 'elsewhere';
  });
}

/**
 * Marks the email address as verified after a password reset, whose link went to the address. Sessions and linked
 * providers may belong to someone else, so they are removed.
 */
export async function confirmEmail(db: Db, userId: string, now: number): Promise<void> {
  const { dialect } = db;
  await db.change(async (db) => {
    // As in `verifyEmail`: a login of somebody else that is under way waits, and sees that it is void.
    if (dialect === 'postgres') await lockUser(db, userId);
    await markVerified(db, userId, now);
    await deleteProviders(db, userId);
    await deleteOtherSignIns(db, userId, '');
  });
}

/**
 * Deletes an unverified account with the address of `owner`, who logs in through a provider that has verified the
 * address. Returns whether there was one.
 */
export async function replaceSquatter(
  db: Db,
  owner: { email: string; providerId: string; accountId: string },
): Promise<boolean> {
  const [squatter] = await selectSquatter(db.query, emailKey(owner.email), owner.providerId, owner.accountId);
  if (!squatter) return false;
  await db.change(async (db) => {
    await deleteSquatter(db, squatter.id);
  });
  return true;
}

/**
 * Removes an account in one transaction. Its passwords, providers, sessions and settings refer to it and go with it; what
 * stays in the history no longer has a name to show. A house of this person alone is closed. Nothing happens if a house
 * would lose its last owner while others are still in it.
 */
export async function removeAccount(
  db: Db,
  access: 'open' | 'houses',
  userId: string,
  now: number,
): Promise<'removed' | 'last_owner'> {
  return db.change(
    async (db) => {
      // The owners of a house cannot all leave it at the same time.
      const houses = access === 'open' ? [] : (await lockOwnersOfHouses(db, userId)).map(({ house }) => house);
      const owned = houses.filter((house, place) => houses.indexOf(house) === place);
      for (const house of owned) {
        const [people] = await selectOthers(db, house, userId);
        if (people && people.others > 0 && people.owners === 0) return 'last_owner';
        if (people?.others === 0) await closeHouse(db, house, now);
      }
      await deleteVerificationsOf(db, userId);
      await deleteInvitationsBy(db, userId);
      await hideWebhooks(db, userId);
      await deleteUser(db, userId);
      return 'removed';
    },
    { repeatable: true },
  );
}

/**
 * Changes name, picture or both. A new name of a verified person is recorded, because the history shows names. Nobody
 * sees the names of unverified accounts.
 */
export async function updateProfile(
  db: Db,
  userId: string,
  { name, image, now }: { name: string; image: string | null; now: number },
): Promise<void> {
  await db.change(async (db) => {
    await insertRename(db, newId(now), userId, name, now);
    await updateUser(db, userId, name, image, now);
  });
}

/** Puts the issuer before the subject in accounts that have no issuer yet. */
export async function adoptOidcAccounts(db: Db, issuer: string): Promise<void> {
  await db.change(async (db) => {
    await addIssuer(db, issuer);
  });
}

type UserFields = { id: string; email: string; name: string; image: string | null; email_verified: number };

function toUser(row: UserFields): User {
  return { id: row.id, email: row.email, name: row.name, image: row.image, emailVerified: row.email_verified === 1 };
}

type SessionFields = {
  id: string;
  user_id: string;
  browser: string | null;
  created_at: number;
  updated_at: number;
  expires_at: number;
};

function toSession(row: SessionFields): WireSession {
  return {
    id: row.id,
    token: row.id,
    userId: row.user_id,
    userAgent: row.browser,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
    expiresAt: new Date(row.expires_at).toISOString(),
  };
}

const userFields = 'u.id, u.email, u.name, u.image, u.email_verified';
const insertUser = statement<
  never,
  [id: string, email: string, emailKey: string, name: string, emailVerified: 0 | 1, now: number]
>(
  `insert into users (id, email, email_key, name, email_verified, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $6) on conflict (email_key) do nothing`,
);
const selectUserByEmail = statement<UserFields, [emailKey: string]>(
  `select ${userFields} from users u where u.email_key = $1`,
);
const selectUserById = statement<UserFields, [id: string]>(`select ${userFields} from users u where u.id = $1`);
const selectDisabled = statement<{ id: string }, [id: string]>(
  'select id from users where id = $1 and disabled_at is not null',
);
const insertPassword = statement<never, [id: string, userId: string, hash: string, now: number]>(
  `insert into accounts (id, user_id, provider_id, account_id, password, created_at, updated_at)
   values ($1, $2, 'credential', $2, $3, $4, $4) on conflict (provider_id, account_id) do nothing`,
);
const selectPassword = statement<{ password: string | null; updated_at: number }, [userId: string]>(
  "select password, updated_at from accounts where provider_id = 'credential' and account_id = $1",
);
const selectPasswordSetAt = statement<{ updated_at: number }, [emailKey: string]>(
  `select a.updated_at from users u join accounts a on a.provider_id = 'credential' and a.account_id = u.id
   where u.email_key = $1`,
);
const replacePassword = statement<never, [userId: string, from: string, to: string]>(
  "update accounts set password = $3 where provider_id = 'credential' and account_id = $1 and password = $2",
);
const insertSignIn = statement<
  never,
  [id: string, uuid: string, userId: string, browser: string | null, expiresAt: number, now: number]
>(
  `insert into sign_ins (token_hash, id, user_id, browser, expires_at, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $6)`,
);
const sessionFields = 'id, user_id, browser, created_at, updated_at, expires_at';
const selectSessions = statement<SessionFields & { token_hash: string }, [userId: string, now: number, limit: number]>(
  `select ${sessionFields}, token_hash from sign_ins where user_id = $1 and expires_at > $2
   order by created_at desc, id desc limit $3`,
);
const selectSession = statement<SessionFields, [id: string]>(
  `select ${sessionFields} from sign_ins where token_hash = $1`,
);
const selectAccounts = statement<
  { created_at: number; updated_at: number; provider_id: string | null },
  [userId: string]
>(
  `select u.created_at, u.updated_at, a.provider_id from users u left join accounts a on a.user_id = u.id
   where u.id = $1 order by a.created_at, a.id`,
);
const deleteOwnSignIn = statement<never, [userId: string, uuid: string]>(
  'delete from sign_ins where user_id = $1 and id = $2',
);
const deleteSignIn = statement<never, [id: string]>('delete from sign_ins where token_hash = $1');
export const deleteOtherSignIns = statement<never, [userId: string, keptId: string]>(
  'delete from sign_ins where user_id = $1 and token_hash <> $2',
);
const updateExpiry = statement<never, [id: string, expiresAt: number, usedAt: number]>(
  'update sign_ins set expires_at = $2, updated_at = $3 where token_hash = $1 and expires_at < $2',
);
const updateToBrief = statement<never, [id: string, lifetime: number]>(
  'update sign_ins set expires_at = created_at + $2 where token_hash = $1',
);
const updateProvenAt = statement<never, [id: string, at: number]>(
  'update sign_ins set proven_at = $2 where token_hash = $1',
);
const deleteEverySignIn = statement<never, []>('delete from sign_ins');
const deleteEveryKey = statement<never, []>('delete from api_keys');
const deleteEveryVerification = statement<never, []>('delete from verifications');
const deleteEveryPasskey = statement<never, []>('delete from passkeys');
const deleteEveryRecoveryCode = statement<never, []>('delete from recovery_codes');
const deleteEveryInvitation = statement<never, []>('delete from invitations');
const deleteEveryHouseInvitation = statement<never, []>('delete from house_invitations');
const selectSignInOf = statement<{ token_hash: string }, [id: string, userId: string]>(
  'select token_hash from sign_ins where token_hash = $1 and user_id = $2',
);
type SignedInFields = UserFields & { created_at: number; expires_at: number; proven_at: number };
const signedInFields = `${userFields}, s.created_at, s.expires_at, coalesce(s.proven_at, s.created_at) as proven_at`;
const selectBySignIn = statement<SignedInFields, [id: string]>(
  `select ${signedInFields} from sign_ins s join users u on u.id = s.user_id
   where s.token_hash = $1 and u.disabled_at is null`,
);
const selectBySignIns = statement<SignedInFields & { token_hash: string }, [ids: string[]]>(
  `select ${signedInFields}, s.token_hash from sign_ins s join users u on u.id = s.user_id
   where s.token_hash = any($1) and u.disabled_at is null`,
);
const updateEmail = statement<{ email_key: string | null }, [id: string, email: string, emailKey: string]>(
  `update users set email = $2, email_key = case when exists (select 1 from users o where o.email_key = $3)
   then null else $3 end where id = $1 returning email_key`,
);
const markVerified = statement<never, [id: string, now: number]>(
  'update users set email_verified = 1, updated_at = $2 where id = $1',
);
const selectEmailOf = statement<{ email_verified: number }, [id: string, emailKey: string]>(
  'select email_verified from users where id = $1 and email_key = $2',
);
const lockEmailOf = statement<{ email_verified: number }, [id: string, emailKey: string]>(
  'select email_verified from users where id = $1 and email_key = $2 for update',
);
const deleteAccounts = statement<never, [userId: string]>('delete from accounts where user_id = $1');
const deleteProviders = statement<never, [userId: string]>(
  "delete from accounts where user_id = $1 and provider_id <> 'credential'",
);
const deleteProvider = statement<never, [userId: string, providerId: string]>(
  'delete from accounts where user_id = $1 and provider_id = $2',
);
export const selectWaysIn = statement<{ way: string }, [userId: string]>(
  `select provider_id as way from accounts where user_id = $1
   union all select 'passkey' as way from passkeys where user_id = $1`,
);
const lockUser = statement<{ id: string }, [id: string]>('select id from users where id = $1 for update');
const addIssuer = statement<never, [issuer: string]>(
  `update accounts set account_id = cast($1 as text) || ' ' || account_id
   where provider_id = 'oidc' and account_id not like 'http%://% %'`,
);
const deleteLinksOf = statement<never, [userId: string]>('delete from verifications where value = $1');
/** Half logins and challenges for passkeys name the user in JSON. */
const deleteVerificationsOf = statement<never, [userId: string]>(
  "delete from verifications where value like '%' || $1 || '%'",
);
export const deleteInvitationsBy = statement<never, [userId: string]>(
  'delete from house_invitations where invited_by = $1',
);
/** Their deliveries may be a million rows. They are removed in small steps, not with the account. */
const hideWebhooks = statement<never, [userId: string]>(
  `update webhooks set state = 'deleted', owner_id = null where owner_id = $1`,
);
const deleteUser = statement<never, [userId: string]>('delete from users where id = $1');
const lockOwnersOfHouses = statement<{ house: number }, [userId: string]>(
  `update members set role = role where role = 'owner' and house in (
     select house from members where user_id = $1 and role = 'owner') returning house`,
);
const selectOthers = statement<{ others: number; owners: number }, [house: number, userId: string]>(
  `select count(*) as others, count(case when role = 'owner' then 1 end) as owners
   from members where house = $1 and user_id <> $2`,
);
const closeHouse = statement<never, [house: number, at: number]>(
  `update houses set deleted_at = $2, published = 0,
     publish_below = (select coalesce(max(items.num), 0) + 1 from items)
   where num = $1`,
);
const insertRename = statement<never, [id: string, userId: string, name: string, now: number]>(
  `insert into renames (id, user_id, from_name, to_name, at)
   select cast($1 as text), id, name, cast($3 as text), cast($4 as bigint) from users
   where id = $2 and name <> $3 and email_verified = 1`,
);
const updateUser = statement<never, [userId: string, name: string, image: string | null, now: number]>(
  'update users set name = $2, image = $3, updated_at = $4 where id = $1',
);
const selectSquatter = statement<{ id: string }, [emailKey: string, providerId: string, accountId: string]>(
  `select u.id from users u where u.email_key = $1 and u.email_verified = 0 and not exists
   (select 1 from accounts a where a.user_id = u.id and a.provider_id = $2 and a.account_id = $3)`,
);
const deleteSquattersOn = statement<never, [emailKey: string]>(
  'delete from users where email_key = $1 and email_verified = 0',
);
const deleteSquatter = statement<never, [id: string]>('delete from users where id = $1 and email_verified = 0');
