import type { Db } from '../db/core/database.ts';
import { statement } from '../db/core/statement.ts';

/** The authenticator app of a user. `secret` is encrypted; two-step login is on once `confirmed_at` is set. */
type TwoStep = { secret: string; confirmed_at: number | null };

export async function findTwoStep(db: Db, userId: string): Promise<TwoStep | null> {
  return (await selectTwoStep(db.query, userId))[0] ?? null;
}

export async function usersWithTwoStep(db: Db): Promise<string[]> {
  return (await selectUsers(db.query)).map(({ user_id }) => user_id);
}

export async function isTwoStepOn(db: Db, userId: string): Promise<boolean> {
  return (await findTwoStep(db, userId))?.confirmed_at != null;
}

/** Whether the user has two-step login or a passkey. */
export async function hasSecondStep(db: Db, userId: string): Promise<boolean> {
  return (await selectSecondStep(db.query, userId)).length > 0;
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  return (await selectCodeCount(db.query, userId))[0]?.n ?? 0;
}

/** Stores the secret of an app that is not confirmed yet. Returns false if two-step login is already on. */
export async function startTwoStep(db: Db, userId: string, secret: string): Promise<boolean> {
  return db.change(async (db) => (await upsertSecret(db, userId, secret)).length > 0);
}

/** Turns two-step login on. Returns false if it was turned on or off in the meantime. */
export async function confirmTwoStep(
  db: Db,
  userId: string,
  { step, now, codeHashes }: { step: number; now: number; codeHashes: string[] },
): Promise<boolean> {
  return db.change(async (db) => {
    if ((await updateConfirmed(db, userId, step, now)).length === 0) return false;
    await deleteCodes(db, userId);
    for (const hash of codeHashes) await insertCode(db, userId, hash);
    return true;
  });
}

/** Marks the codes up to this time step as used. Returns false if they already were. */
export async function useStep(db: Db, userId: string, step: number): Promise<boolean> {
  return db.change(async (db) => (await updateStep(db, userId, step)).length > 0);
}

export async function useRecoveryCode(db: Db, userId: string, hash: string): Promise<boolean> {
  return db.change(async (db) => (await deleteCode(db, userId, hash)).length > 0);
}

export async function replaceRecoveryCodes(db: Db, userId: string, codeHashes: string[]): Promise<void> {
  await db.change(async (db) => {
    await deleteCodes(db, userId);
    for (const hash of codeHashes) await insertCode(db, userId, hash);
  });
}

/** Stores the same secret under another key. */
export async function replaceSecret(db: Db, userId: string, change: { from: string; to: string }): Promise<void> {
  await db.change(async (db) => {
    await updateSecret(db, userId, change.from, change.to);
  });
}

/** Returns false if two-step login was off. */
export async function turnOffTwoStep(db: Db, userId: string): Promise<boolean> {
  return db.change(async (db) => {
    await deleteCodes(db, userId);
    return (await deleteTwoStep(db, userId)).length > 0;
  });
}

const selectTwoStep = statement<TwoStep, [userId: string]>(
  'select secret, confirmed_at from two_step where user_id = $1',
);
const selectSecondStep = statement<{ user_id: string }, [userId: string]>(
  `select user_id from two_step where user_id = $1 and confirmed_at is not null
   union select user_id from passkeys where user_id = $1`,
);
const selectUsers = statement<{ user_id: string }, []>('select user_id from two_step');
const selectCodeCount = statement<{ n: number }, [userId: string]>(
  'select count(*) as n from recovery_codes where user_id = $1',
);
const upsertSecret = statement<{ user_id: string }, [userId: string, secret: string]>(
  `insert into two_step (user_id, secret, confirmed_at, last_step) values ($1, $2, null, 0)
   on conflict (user_id) do update set secret = excluded.secret, last_step = 0 where two_step.confirmed_at is null
   returning user_id`,
);
const updateConfirmed = statement<{ user_id: string }, [userId: string, step: number, now: number]>(
  `update two_step set confirmed_at = $3, last_step = $2 where user_id = $1 and confirmed_at is null
   returning user_id`,
);
const updateStep = statement<{ user_id: string }, [userId: string, step: number]>(
  'update two_step set last_step = $2 where user_id = $1 and last_step < $2 returning user_id',
);
const updateSecret = statement<never, [userId: string, from: string, to: string]>(
  'update two_step set secret = $3 where user_id = $1 and secret = $2',
);
const insertCode = statement<never, [userId: string, hash: string]>(
  'insert into recovery_codes (user_id, code_hash) values ($1, $2)',
);
const deleteCode = statement<{ user_id: string }, [userId: string, hash: string]>(
  'delete from recovery_codes where user_id = $1 and code_hash = $2 returning user_id',
);
const deleteCodes = statement<never, [userId: string]>('delete from recovery_codes where user_id = $1');
const deleteTwoStep = statement<{ user_id: string }, [userId: string]>(
  'delete from two_step where user_id = $1 and confirmed_at is not null returning user_id',
);
