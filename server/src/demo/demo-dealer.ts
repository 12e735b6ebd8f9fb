import type { User } from '@perfume/contract/identity';
import type { Db } from '../db/core/database.ts';
import { ensureUser, findUserByEmail, givePassword, hasPassword } from '../identity/identity.store.ts';
import { keptPasswords } from '../identity/passwords.ts';

/** Who a visitor becomes with 'Live demo', or with the form. */
const DEMO_DEALER = { email: 'demo@perfume.example', name: 'Demo Dealer', emailVerified: true };
const DEMO_PASSWORD = 'perfume-demo-1';

export async function ensureDemoDealer(db: Db, now: number): Promise<User> {
  const known = await findUserByEmail(db, DEMO_DEALER.email);
  const dealer = known ?? (await ensureUser(db, { ...DEMO_DEALER, now }));
  if (!(await hasPassword(db, dealer.id)))
    await givePassword(db, dealer.id, await keptPasswords.hash(DEMO_PASSWORD), now);
  return dealer;
}
