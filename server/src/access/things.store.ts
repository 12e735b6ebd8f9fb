import type { ProblemCode } from '@perfume/contract/problems';
import { type Queries, statement } from '../db/core/statement.ts';

/** What the id in a path can name. */
export type Thing = 'item' | 'movement' | 'entry' | 'batch' | 'import' | 'count' | 'countEntry' | 'webhook';

export const notFound: Record<Thing, ProblemCode> = {
  item: 'item_not_found',
  movement: 'movement_not_found',
  entry: 'entry_not_found',
  batch: 'entry_not_found',
  import: 'import_not_found',
  count: 'count_not_found',
  countEntry: 'count_entry_not_found',
  webhook: 'webhook_not_found',
};

/** The house of a thing, who did it (of an item, a count and a webhook: nobody), and whether it only moved stock. */
export type Found = { house: number; actor_id: string | null; moves_stock: 0 | 1 };

/** Finds a thing by its id, in whatever house it is. It takes one statement, whether the thing exists or not. */
export async function findThing(db: Queries, thing: Thing, id: string): Promise<Found | null> {
  const [found] = await select[thing](db, id);
  return found ?? null;
}

const MOVEMENT = `select house, actor_id, case when kind = 'opening' then 0 else 1 end as moves_stock from stock_movements`;
const EVENT = 'select house, actor_id, 0 as moves_stock from item_events';

const select: Record<Thing, (db: Queries, id: string) => Promise<Found[]>> = {
  item: statement<Found, [id: string]>('select house, null as actor_id, 0 as moves_stock from items where id = $1'),
  movement: statement<Found, [id: string]>(`${MOVEMENT} where id = $1`),
  entry: statement<Found, [id: string]>(
    `${MOVEMENT} where id = $1 union all ${EVENT} where id = $1
     union all select house, actor_id, 0 from settings_events where id = $1`,
  ),
  // An import, and the first entries of both tables. A batch may have entries of both: then it does more than move stock.
  batch: statement<Found, [id: string]>(
    `select min(house) as house, case when min(actor_id) = max(actor_id) then min(actor_id) end as actor_id,
       min(moves_stock) as moves_stock
     from (select house, actor_id, 0 as moves_stock from imports where batch = $1
       union all ${firstOfBatch('stock_movements', 1)} union all ${firstOfBatch('item_events', 0)}) as first
     having count(*) > 0`,
  ),
  import: statement<Found, [id: string]>(`select house, actor_id, 0 as moves_stock from imports where id = $1`),
  count: statement<Found, [id: string]>(
    'select house, null as actor_id, 1 as moves_stock from count_sessions where id = $1',
  ),
  countEntry: statement<Found, [id: string]>(
    `select count_sessions.house, count_entries.actor_id, 1 as moves_stock
     from count_entries join count_sessions on count_sessions.id = count_entries.session_id where count_entries.id = $1`,
  ),
  webhook: statement<Found, [id: string]>(
    `select house, null as actor_id, 0 as moves_stock from webhooks where id = $1 and state <> 'deleted'`,
  ),
};

function firstOfBatch(table: 'stock_movements' | 'item_events', movesStock: 0 | 1): string {
  return `select * from (select house, actor_id, ${movesStock} as moves_stock from ${table} where batch = $1 order by id limit 1) as one`;
}

/** Returns those of `ids` that are items of another house. */
export async function foreignItems(db: Queries, house: number, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const foreign = db.selectFrom('items').select('id').where('house', '<>', house).where('id', 'in', ids);
  return new Set((await foreign.execute()).map(({ id }) => id));
}
