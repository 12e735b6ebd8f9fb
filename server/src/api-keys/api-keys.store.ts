import { MAX_KEYS, type WireKey } from '@perfume/contract/api-keys';
import type { KeyScope } from '@perfume/contract/endpoint';
import type { User } from '@perfume/contract/identity';
import { dayOf, dayText } from '@perfume/domain/insights';
import type { Db } from '../db/core/database.ts';
import { newId } from '../db/core/ids.ts';
import { statement } from '../db/core/statement.ts';
import { apiKeyHash, newApiKey } from './api-key.ts';

type NewKey = { house: number; userId: string; name: string; scope: KeyScope; expiresAt: number | null; now: number };

/** Creates a key. Only its hash is stored. Returns why not if the person has too many keys or was just removed. */
export async function createApiKey(
  db: Db,
  wanted: NewKey,
): Promise<{ id: string; key: string } | 'too_many_keys' | 'not_signed_in'> {
  const { house, userId, name, scope, expiresAt, now } = wanted;
  const [id, key] = [newId(now), newApiKey()];
  return db.change(async (db) => {
    // Two requests at once wait for each other here, so they cannot both take the last place.
    if ((await lockUser(db, userId)).length === 0) return 'not_signed_in';
    const [own] = await countOwn(db, userId);
    if (!own || own.count >= MAX_KEYS) return 'too_many_keys';
    await insertKey(db, apiKeyHash(key), id, userId, name, scope, expiresAt, now, house);
    return { id, key };
  });
}

/** Returns the user's keys of a house, newest first. */
export async function apiKeysOf(db: Db, house: number, userId: string, now: number): Promise<WireKey[]> {
  const rows = await selectOwn(db.query, house, userId);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    scope: row.scope,
    expiresOn: row.expires_at === null ? null : dayText(dayOf(row.expires_at - 1)),
    isExpired: row.expires_at !== null && row.expires_at <= now,
    createdAt: new Date(row.created_at).toISOString(),
    lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at).toISOString(),
  }));
}

/** Deletes a key of the user, so that the next request with it is refused on every server. Returns whether it existed. */
export async function revokeApiKey(db: Db, userId: string, id: string): Promise<boolean> {
  return db.change(async (db) => (await deleteOwn(db, userId, id)).length > 0);
}

/** Revokes all keys of the user. */
export async function revokeApiKeys(db: Db, userId: string): Promise<void> {
  await db.change(async (db) => {
    await deleteAllOf(db, userId);
  });
}

export type FoundKey = { user: User; keyId: string; scope: KeyScope; house: number; expiresAt: number | null };

export async function findByApiKey(db: Db, keyHash: string): Promise<FoundKey | null> {
  const [row] = await selectByHash(db.query, keyHash);
  if (!row) return null;
  const { id, email, name, image, email_verified } = row;
  return {
    user: { id, email, name, image, emailVerified: email_verified === 1 },
    keyId: row.key_id,
    scope: row.scope,
    house: row.house,
    expiresAt: row.expires_at,
  };
}

/** Stores when each key was last used, for all keys in one transaction. */
export async function recordUses(db: Db, lastUses: ReadonlyMap<string, number>): Promise<void> {
  await db.change(async (db) => {
    // Rows are always written in the same order, so two servers cannot deadlock.
    for (const [id, at] of [...lastUses].sort()) await updateLastUse(db, id, at);
  });
}

type KeyFields = {
  id: string;
  name: string;
  scope: KeyScope;
  expires_at: number | null;
  created_at: number;
  last_used_at: number | null;
};
type HolderFields = {
  id: string;
  email: string;
  name: string;
  image: string | null;
  email_verified: number;
  key_id: string;
  scope: KeyScope;
  house: number;
  expires_at: number | null;
};

const lockUser = statement<{ id: string }, [userId: string]>(
  'update users set updated_at = updated_at where id = $1 returning id',
);
const countOwn = statement<{ count: number }, [userId: string]>(
  'select count(*) as count from api_keys where user_id = $1',
);
const insertKey = statement<
  never,
  [
    hash: string,
    id: string,
    userId: string,
    name: string,
    scope: KeyScope,
    expiresAt: number | null,
    now: number,
    house: number,
  ]
>(
  `insert into api_keys (key_hash, id, user_id, name, scope, expires_at, created_at, house)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
);
const selectOwn = statement<KeyFields, [house: number, userId: string]>(
  `select id, name, scope, expires_at, created_at, last_used_at from api_keys where house = $1 and user_id = $2
   order by created_at desc, id desc`,
);
const deleteOwn = statement<{ id: string }, [userId: string, id: string]>(
  'delete from api_keys where user_id = $1 and id = $2 returning id',
);
const deleteAllOf = statement<never, [userId: string]>('delete from api_keys where user_id = $1');
const selectByHash = statement<HolderFields, [hash: string]>(
  `select u.id, u.email, u.name, u.image, u.email_verified, k.id as key_id, k.scope, k.house, k.expires_at
   from api_keys k join users u on u.id = k.user_id where k.key_hash = $1 and u.disabled_at is null`,
);
const updateLastUse = statement<never, [id: string, at: number]>(
  'update api_keys set last_used_at = $2 where id = $1 and (last_used_at is null or last_used_at < $2)',
);
