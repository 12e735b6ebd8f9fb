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

/**
 * Changes when an item of the house is created, edited, deleted or restored, but not when a quantity changes; for what
 * visitors see, with the items of any house. Database triggers count these edits. A count only increases, so as long as the
 * sum is the same, so are the edits that a reader sees.
 */
export async function readEdits(query: Db['query'], house: number | 'published'): Promise<string> {
  const [read] = await (house === 'published' ? editsOfPublished(query) : editsOfHouse(query, house));
  if (!read) throw new Error('a sum always has a row');
  return read.edits;
}

const SUM = `select coalesce(sum(live), 0) as live, coalesce(sum(out_of_stock), 0) as out, coalesce(sum(low), 0) as low
  from item_tallies where house`;
const ofHouse = statement<Tally, [house: number]>(`${SUM} = $1`);
const ofPublished = statement<Tally, []>(`${SUM} in (select num from houses where published = 1)`);

const EDITS = 'select cast(coalesce(sum(edits), 0) as text)';
const editsOfHouse = statement<{ edits: string }, [house: number]>(
  `${EDITS} as edits from item_tallies where house = $1`,
);
// A house that is published or hidden edits its items, in batches. Until then its items are hidden by the house.
const editsOfPublished = statement<{ edits: string }, []>(
  `${EDITS} || (select coalesce(string_agg(' ' || num, '' order by num), '') from houses
     where publish_below is not null and published = 0) as edits
   from item_tallies`,
);
