import { withCheckDigit } from '@perfume/domain/codes';
import type { NewItem } from '@perfume/domain/items';
import type { Config } from '../config.ts';
import type { Db } from '../db/core/database.ts';
import { newId } from '../db/core/ids.ts';
import { SHARED_HOUSE } from '../db/core/shared-house.ts';
import type { Actor } from '../items/item-events.ts';
import { createItem } from '../items/items.store.ts';
import { recordMovement } from '../ledger/ledger.store.ts';
import { ensureDemoDealer } from './demo-dealer.ts';
import { demoHouses, makeDemoHouse } from './demo-houses.ts';
import { type DemoPerfume, perfumes } from './perfumes.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const WEEK_MS = 7 * DAY_MS;

/**
 * Fills a new database with 24 perfumes and some weeks of movements, or with two houses that have some. A database with
 * any item is left alone.
 */
export async function seedDemo(db: Db, now: number, access: Config['access'] = 'open'): Promise<void> {
  const used = await db.query.selectFrom('items').select('id').limit(1).executeTakeFirst();
  if (used) return;
  if (access === 'open') return fill(db, SHARED_HOUSE, perfumes, await ensureDemoDealer(db, now), now);
  for (const demoHouse of demoHouses) {
    const { house, owner } = await makeDemoHouse(db, demoHouse, now);
    await fill(db, house, demoHouse.stock, owner, now);
  }
}

async function fill(db: Db, house: number, stock: readonly DemoPerfume[], actor: Actor, now: number): Promise<void> {
  // The first perfume of the list is the newest, so it is created last.
  const created: { perfume: DemoPerfume; itemId: string }[] = [];
  for (const perfume of stock.toReversed())
    created.push({ perfume, itemId: await createDemoItem(db, house, perfume, actor, now) });
  // Perfumes are independent of each other, so their movements are recorded in parallel and share commits.
  await Promise.all(created.map(({ perfume, itemId }) => recordMovements(db, perfume, itemId, actor, now)));
}

async function createDemoItem(db: Db, house: number, perfume: DemoPerfume, actor: Actor, now: number): Promise<string> {
  const at = now - perfume.weeks * WEEK_MS;
  const id = newId(at);
  const item: NewItem = {
    name: perfume.name,
    priceCents: perfume.priceCents,
    quantity: perfume.opening,
    imageUrl: `/bottles/${perfume.slug}.svg`,
    description: perfume.description,
    supplierName: perfume.supplierName,
    email: perfume.email,
    sku: perfume.sku,
    // GS1 leaves numbers that begin with 200 to 299 to each shop, so these belong to no real product.
    barcodes: [withCheckDigit(`2000000${perfume.sku.replace(/\D/g, '').padStart(5, '0')}`)],
  };
  await createItem(db, { house, id, item, actor, at, idempotency: null });
  return id;
}

async function recordMovements(db: Db, perfume: DemoPerfume, itemId: string, actor: Actor, now: number): Promise<void> {
  for (const { delta, at } of movementsOf(perfume, now)) {
    const kind = delta < 0 ? 'deliver' : 'restock';
    const recorded = await recordMovement(db, {
      id: newId(at),
      itemId,
      change: { kind, delta },
      actor,
      at,
      note: null,
      batch: null,
      idempotency: null,
    });
    if (!recorded.ok) throw new Error(`the demo's movements of ${perfume.slug} do not add up: ${recorded.reason}`);
  }
}

/**
 * The movements of a perfume. Each week has a restock when one is due, then the deliveries in up to three parcels. They
 * end at the quantity on hand today.
 */
export function movementsOf(perfume: DemoPerfume, now: number): { delta: number; at: number }[] {
  const movements: { delta: number; at: number }[] = [];
  for (let week = 0; week < perfume.weeks; week++) {
    const monday = now - (perfume.weeks - week) * WEEK_MS;
    const { restockEveryWeeks, restockUnits, deliveredPerWeek } = perfume;
    if (week > 0 && restockEveryWeeks > 0 && week % restockEveryWeeks === 0) {
      // Late enough that the restock is within the last seven days, at whatever time of day the demo starts.
      movements.push({ delta: restockUnits, at: monday + Math.round(DAY_MS * 1.2) });
    }
    const parcels = Math.min(3, deliveredPerWeek);
    for (let parcel = 0; parcel < parcels; parcel++) {
      const units =
        Math.floor((deliveredPerWeek * (parcel + 1)) / parcels) - Math.floor((deliveredPerWeek * parcel) / parcels);
      movements.push({ delta: -units, at: monday + Math.round(DAY_MS * (1.4 + parcel * 2.1)) });
    }
  }
  return movements;
}
