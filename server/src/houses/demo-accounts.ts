import type { Db } from '../db/core/database.ts';
import { statement } from '../db/core/statement.ts';
import { disablePerson } from './operator.store.ts';

/**
 * Disables the accounts of the demo in production, where their data may go on, and enables them in the demo: everybody
 * knows their password. Nobody gets mail under such an address, so all of them are of a demo. Returns how many changed.
 */
export async function setDemoAccounts(db: Db, isDemo: boolean, at: number): Promise<number> {
  let changed = 0;
  for (const { id } of await selectDemoPeople(db.query))
    if ((await disablePerson(db, { id, disabled: !isDemo, at }))?.changed) changed++;
  return changed;
}

const selectDemoPeople = statement<{ id: string }, []>(`select id from users where email_key like '%@perfume.example'`);
