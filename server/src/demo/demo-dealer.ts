import type { User } from '@perfume/contract/identity';
import type { Db } from '../db/core/database.ts';
import { addPassword, ensureUser, findUserByEmail, hasPassword } from '../identity/identity.store.ts';
import { passwordHasher } from '../identity/passwords.ts';

/** The account behind the 'Live demo' button; its password works in the login form too. */
export const DEMO_DEALER = { email: 'demo@perfume.example', name: 'Demo Dealer', emailVerified: true };
const DEMO_PASSWORD = 'perfume-demo-1';

export async function ensureDemoDealer(db: Db, now: number): Promise<User> {
  const known = await findUserByEmail(db, DEMO_DEALER.email);
  const dealer = known ?? (await ensureUser(db, { ...DEMO_DEALER, now }));
  if (!(await hasPassword(db, dealer.id)))
    await addPassword(db, dealer.id, await passwordHasher.hash(DEMO_PASSWORD), now);
  return dealer;
}
