import type { User } from '@perfume/contract/identity';
import type { Db } from '../db/core/database.ts';
import { statement } from '../db/core/statement.ts';
import { addPassword, ensureUser, findUserByEmail, hasPassword } from '../identity/identity.store.ts';
import { passwordHasher } from '../identity/passwords.ts';

/** The account behind the 'Live demo' button; its password works in the login form too. */
export const DEMO_DEALER = { email: 'demo@perfume.example', name: 'Demo Dealer', emailVerified: true };
/** Everybody in the demo has it. */
export const DEMO_PASSWORD = 'perfume-demo-1';

const resign = statement<never, [userId: string]>('update users set operator = 0 where id = $1');

export async function ensureDemoDealer(db: Db, now: number): Promise<User> {
  const known = await findUserByEmail(db, DEMO_DEALER.email);
  const dealer = known ?? (await ensureUser(db, { ...DEMO_DEALER, now }));
  // Everybody knows this account's password. It must not run the server if the data is ever used in production.
  if (!known) await db.change((db) => resign(db, dealer.id));
  if (!(await hasPassword(db, dealer.id)))
    await addPassword(db, dealer.id, await passwordHasher.hash(DEMO_PASSWORD), now);
  return dealer;
}
