import { hash, randomBytes } from 'node:crypto';
import type { User } from '@perfume/contract/identity';
import { emailKey } from '@perfume/domain/email';
import type { Db } from '../db/database.ts';
import { newId } from '../db/ids.ts';
import { type Queries, statement } from '../db/statement.ts';

const SIGN_IN_LASTS_MS = 30 * 24 * 60 * 60 * 1_000;

export async function ensureUser(
  db: Db,
  person: { email: string; name: string; emailVerified: boolean; now: number },
): Promise<User> {
  const { email, name, emailVerified, now } = person;
  return db.change(async (db) => {
    const id = newId(now);
    await insertUser(db, id, email, emailKey(email), name, emailVerified ? 1 : 0, now);
    const [user] = await selectUserByEmail(db, emailKey(email));
    if (!user) throw new Error('the user was just written');
    return toUser(user);
  });
}

/** The token goes to the browser; only its hash stays here. */
export async function signIn(db: Db, userId: string, now: number): Promise<{ token: string; expiresAt: number }> {
  const token = randomBytes(32).toString('base64url');
  const expiresAt = now + SIGN_IN_LASTS_MS;
  await db.change(async (db) => {
    await insertSignIn(db, signInId(token), userId, expiresAt);
  });
  return { token, expiresAt };
}

export async function signOut(db: Db, token: string): Promise<void> {
  await db.change(async (db) => {
    await deleteSignIn(db, signInId(token));
  });
}

/** Names a sign-in without being able to open it. */
export function signInId(token: string): string {
  return hash('sha256', token, 'base64url');
}

export async function findBySignIn(db: Queries, id: string): Promise<{ user: User; expiresAt: number } | null> {
  const [row] = await selectBySignIn(db, id);
  return row ? { user: toUser(row), expiresAt: row.expires_at } : null;
}

type UserFields = { id: string; email: string; name: string; email_verified: number };

function toUser(row: UserFields): User {
  return { id: row.id, email: row.email, name: row.name, image: null, emailVerified: row.email_verified === 1 };
}

const insertUser = statement<
  never,
  [id: string, email: string, emailKey: string, name: string, emailVerified: 0 | 1, createdAt: number]
>(
  `insert into users (id, email, email_key, name, email_verified, created_at) values ($1, $2, $3, $4, $5, $6)
   on conflict (email_key) do nothing`,
);
const selectUserByEmail = statement<UserFields, [emailKey: string]>(
  'select id, email, name, email_verified from users where email_key = $1',
);
const insertSignIn = statement<never, [id: string, userId: string, expiresAt: number]>(
  'insert into sign_ins (token_hash, user_id, expires_at) values ($1, $2, $3)',
);
const deleteSignIn = statement<never, [id: string]>('delete from sign_ins where token_hash = $1');
const selectBySignIn = statement<UserFields & { expires_at: number }, [id: string]>(
  `select u.id, u.email, u.name, u.email_verified, s.expires_at from sign_ins s join users u on u.id = s.user_id
   where s.token_hash = $1`,
);
