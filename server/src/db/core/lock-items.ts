import type { Db } from './database.ts';
import { type Queries, queryRows } from './statement.ts';

/**
 * For changes of a house that all its items follow: its reorder point, and whether it is published. Makes other such
 * changes wait until this transaction ends. Every transaction that creates or edits an item has either committed with the
 * old value before, or will read the new one. SQLite has one writer at a time anyway.
 */
export async function lockItems(dialect: Db['dialect'], db: Queries): Promise<void> {
  if (dialect === 'postgres') await queryRows(db, 'lock table items in share row exclusive mode', []);
}

/**
 * For the batches in which the items follow. Locks the items before the row of the house, as those changes do: in the other
 * order the two would deadlock.
 */
export async function lockItemsForBatch(dialect: Db['dialect'], db: Queries): Promise<void> {
  if (dialect === 'postgres') await queryRows(db, 'lock table items in row exclusive mode', []);
}
