import type { HouseRole } from '@perfume/domain/houses';
import type { Db } from '../db/core/database.ts';
import { newId } from '../db/core/ids.ts';
import { changeHouse, createHouse } from '../houses/houses.store.ts';
import { addMember } from '../houses/members.store.ts';
import { addPassword, ensureUser } from '../identity/identity.store.ts';
import { passwordHasher } from '../identity/passwords.ts';
import type { Actor } from '../items/item-events.ts';
import { DEMO_DEALER, DEMO_PASSWORD, ensureDemoDealer } from './demo-dealer.ts';
import { type DemoPerfume, perfumes } from './perfumes.ts';

type DemoPerson = { email: string; name: string; role: HouseRole };
export type DemoHouse = { name: string; people: DemoPerson[]; stock: readonly DemoPerfume[] };

const SUPPLIER = 'Maison Verrière';
const SUPPLIER_EMAIL = 'supplier@perfume.example';

/** The houses of the demo with `ACCESS=houses`: a dealer and one of their suppliers. The first person is the owner. */
export const demoHouses: DemoHouse[] = [
  {
    name: 'Rive Parfumerie',
    people: [
      { email: DEMO_DEALER.email, name: DEMO_DEALER.name, role: 'owner' },
      { email: 'manager@perfume.example', name: 'Mathilde Roche', role: 'manager' },
      { email: 'keeper@perfume.example', name: 'Karim Haddad', role: 'keeper' },
      { email: 'viewer@perfume.example', name: 'Vera Lindqvist', role: 'viewer' },
    ],
    stock: perfumes,
  },
  {
    name: SUPPLIER,
    people: [
      { email: SUPPLIER_EMAIL, name: 'Odile Verrière', role: 'owner' },
      { email: 'supplier-manager@perfume.example', name: 'Marc Delorme', role: 'manager' },
      { email: 'supplier-keeper@perfume.example', name: 'Kenza Amari', role: 'keeper' },
      { email: 'supplier-viewer@perfume.example', name: 'Viktor Hale', role: 'viewer' },
    ],
    stock: perfumes
      .filter(({ supplierName }) => supplierName === SUPPLIER)
      .map((perfume) => ({ ...perfume, email: SUPPLIER_EMAIL })),
  },
];

/** Makes a published house with its people, who all have the public demo password. Returns its number and its owner. */
export async function makeDemoHouse(
  db: Db,
  { name, people }: DemoHouse,
  now: number,
): Promise<{ house: number; owner: Actor }> {
  await ensureDemoDealer(db, now);
  const password = await passwordHasher.hash(DEMO_PASSWORD);
  const members = [];
  for (const { email, name, role } of people) {
    const user = await ensureUser(db, { email, name, emailVerified: true, now });
    if (email !== DEMO_DEALER.email) await addPassword(db, user.id, password, now);
    members.push({ user, role });
  }
  const [first, ...others] = members;
  if (!first) throw new Error('a house has an owner');
  const made = await createHouse(db, first.user, { name, at: now });
  if (made === null || made === 'too_many_houses') throw new Error('the demo is new');
  const { house } = made;
  await db.change(async (db) => {
    for (const { user, role } of others) await addMember(db, house, user, role, now);
  });
  const action = { id: newId(now), actor: first.user, at: now, batch: null, undoes: null };
  await changeHouse(db, house, { published: true }, action);
  return { house, owner: first.user };
}
