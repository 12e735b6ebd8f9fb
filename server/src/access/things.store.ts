import type { ProblemCode } from '@perfume/contract/problems';
import { type Queries, statement } from '../db/core/statement.ts';

/** What the id in a path can name. */
export type Thing = 'item' | 'movement' | 'entry' | 'batch' | 'count' | 'countEntry';

export const notFound: Record<Thing, ProblemCode> = {
  item: 'item_not_found',
  movement: 'movement_not_found',
  entry: 'entry_not_found',
  batch: 'entry_not_found',
  count: 'count_not_found',
  countEntry: 'count_entry_not_found',
};

/** The house of a thing, who did it (of an item and a count: nobody), and whether it only moved stock. */
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
  // Whoever made the first entry of a batch made all of them, and they are all of one kind.
  batch: statement<Found, [id: string]>(
    ['stock_movements', 'item_events']
      .map(
        (table) => `select house, actor_id, ${table === 'item_events' ? 0 : 1} as moves_stock
          from (select house, actor_id from ${table} where batch = $1 order by id limit 1) as first`,
      )
      .join(' union all '),
  ),
  count: statement<Found, [id: string]>(
    'select house, null as actor_id, 1 as moves_stock from count_sessions where id = $1',
  ),
  countEntry: statement<Found, [id: string]>(
    `select count_sessions.house, count_entries.actor_id, 1 as moves_stock
     from count_entries join count_sessions on count_sessions.id = count_entries.session_id where count_entries.id = $1`,
  ),
};

/** Returns those of `ids` that are items of another house. */
export async function foreignItems(db: Queries, house: number, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const foreign = db.selectFrom('items').select('id').where('house', '<>', house).where('id', 'in', ids);
  return new Set((await foreign.execute()).map(({ id }) => id));
}
