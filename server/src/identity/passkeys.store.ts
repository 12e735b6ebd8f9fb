import type { Db } from '../db/core/database.ts';
import { statement } from '../db/core/statement.ts';
import type { PasskeyRow } from '../db/core/tables.ts';
import { changeWaysIn, deleteOtherSignIns, selectWaysIn } from './identity.store.ts';

export const MAX_PASSKEYS = 20;

export async function passkeysOf(db: Db, userId: string): Promise<PasskeyRow[]> {
  return selectPasskeys(db.query, userId);
}

export async function findPasskey(db: Db, id: string): Promise<PasskeyRow | null> {
  return (await selectPasskey(db.query, id))[0] ?? null;
}

/** Returns false if the user has the maximum number of passkeys, or someone has this one already. */
export async function addPasskey(db: Db, passkey: Omit<PasskeyRow, 'used_at'>): Promise<boolean> {
  const { id, user_id, name, public_key, counter, transports, created_at } = passkey;
  return db.change(
    async (db) =>
      (await insertPasskey(db, id, user_id, name, public_key, counter, transports, created_at, MAX_PASSKEYS)).length >
      0,
  );
}

/** Returns false if the counter did not increase: the passkey may have been copied. Most passkeys always send 0. */
export async function usePasskey(db: Db, id: string, counter: number, now: number): Promise<boolean> {
  return db.change(async (db) => (await updateUse(db, id, counter, now)).length > 0);
}

export async function renamePasskey(db: Db, userId: string, id: string, name: string): Promise<boolean> {
  return db.change(async (db) => (await updateName(db, userId, id, name)).length > 0);
}

/**
 * Removes a passkey and ends all sessions except `keptId`, because they may have been opened with it. `last`: nothing
 * else logs the user in, so nothing was changed.
 */
export async function removePasskey(
  db: Db,
  userId: string,
  id: string,
  keptId: string | null,
): Promise<'removed' | 'absent' | 'last'> {
  return changeWaysIn(db, userId, async (queries) => {
    const [passkey] = await selectPasskey(queries, id);
    if (passkey?.user_id !== userId) return 'absent';
    if ((await selectWaysIn(queries, userId)).length === 1) return 'last';
    await deletePasskey(queries, userId, id);
    await deleteOtherSignIns(queries, userId, keptId ?? '');
    return 'removed';
  });
}

/** Removes all passkeys of a user. */
export async function removePasskeys(db: Db, userId: string): Promise<void> {
  await db.change(async (db) => {
    await deletePasskeys(db, userId);
  });
}

const fields = 'id, user_id, name, public_key, counter, transports, created_at, used_at';
const selectPasskeys = statement<PasskeyRow, [userId: string]>(
  `select ${fields} from passkeys where user_id = $1 order by created_at, id`,
);
const selectPasskey = statement<PasskeyRow, [id: string]>(`select ${fields} from passkeys where id = $1`);
const insertPasskey = statement<
  { id: string },
  [
    id: string,
    userId: string,
    name: string,
    publicKey: string,
    counter: number,
    transports: string,
    now: number,
    max: number,
  ]
>(
  `insert into passkeys (id, user_id, name, public_key, counter, transports, created_at)
   select cast($1 as text), cast($2 as text), cast($3 as text), cast($4 as text), cast($5 as bigint), cast($6 as text),
     cast($7 as bigint)
   where (select count(*) from passkeys where user_id = $2) < $8
   on conflict (id) do nothing returning id`,
);
const updateUse = statement<{ id: string }, [id: string, counter: number, now: number]>(
  `update passkeys set counter = $2, used_at = $3 where id = $1 and (counter < $2 or (counter = 0 and $2 = 0))
   returning id`,
);
const updateName = statement<{ id: string }, [userId: string, id: string, name: string]>(
  'update passkeys set name = $3 where user_id = $1 and id = $2 returning id',
);
const deletePasskey = statement<{ id: string }, [userId: string, id: string]>(
  'delete from passkeys where user_id = $1 and id = $2 returning id',
);
const deletePasskeys = statement<never, [userId: string]>('delete from passkeys where user_id = $1');
