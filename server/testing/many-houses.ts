import { newItemBody, toNewItem } from '@perfume/contract/items';
import * as z from 'zod/mini';
import { readConfig } from '../src/config.ts';
import { newId } from '../src/db/core/ids.ts';
import { openDatabase } from '../src/db/open.ts';
import { createHouse } from '../src/houses/houses.store.ts';
import { signInCookies } from '../src/identity/cookie.ts';
import { ensureUser, signIn } from '../src/identity/identity.store.ts';
import { createItem } from '../src/items/items.store.ts';

type Wanted = { houses: number; items: number; secret: string; itemOf: (n: number) => object };

/**
 * Fills a database with houses of the same items, each with an owner. Returns an item of the house in the middle, and the
 * cookie of its owner.
 */
export async function fillHouses(url: string, { houses, items, secret, itemOf }: Wanted) {
  const db = await openDatabase(url);
  let middle = { cookie: '', itemId: '' };
  for (let n = 0; n < houses; n++) {
    const now = Date.now();
    const user = await ensureUser(db, { email: `p${n}@houses.example`, name: `Person ${n}`, emailVerified: true, now });
    const made = await createHouse(db, user, { name: `House ${n}`, at: now });
    if (made === null || made === 'too_many_houses') throw new Error('this person has a house already');
    const ids = Array.from({ length: items }, () => newId(now));
    await Promise.all(
      ids.map((id, place) => {
        const item = toNewItem(z.parse(newItemBody, itemOf(place)));
        const idempotency = { key: id, fingerprint: id, at: now, requestId: id };
        return createItem(db, { house: made.house, id, item, actor: user, at: now, idempotency });
      }),
    );
    if (n !== Math.floor(houses / 2)) continue;
    const { token } = await signIn(db, user.id, now);
    const cookies = signInCookies(readConfig({ DEMO: 'on', AUTH_SECRET: secret }));
    middle = { cookie: cookies.signed(token), itemId: ids[0] ?? '' };
  }
  await db.analyze(['items', 'item_search', 'stock_movements', 'houses', 'members', 'item_tallies']);
  await db.close();
  return middle;
}
