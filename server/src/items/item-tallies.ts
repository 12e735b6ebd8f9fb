import type { Db } from '../db/core/database.ts';
import { statement } from '../db/core/statement.ts';

/** How many items are not deleted, and how many of these are out of stock, or low (which includes those out of stock). */
export type Tally = { live: number; out: number; low: number };

/** The tally of a house, or of what visitors see. Database triggers keep it, so nothing is counted. */
export async function readTally(query: Db['query'], house: number | 'published'): Promise<Tally> {
  const [tally] = await (house === 'published' ? ofPublished(query) : ofHouse(query, house));
  if (!tally) throw new Error('a sum always has a row');
  return { live: Number(tally.live), out: Number(tally.out), low: Number(tally.low) };
}

const SUM = `select coalesce(sum(live), 0) as live, coalesce(sum(out_of_stock), 0) as out, coalesce(sum(low), 0) as low
  from item_tallies where house`;
const ofHouse = statement<Tally, [house: number]>(`${SUM} = $1`);
const ofPublished = statement<Tally, []>(`${SUM} in (select num from houses where published = 1)`);
