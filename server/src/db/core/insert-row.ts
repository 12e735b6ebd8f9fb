import type { Insertable } from 'kysely';
import { type Queries, queryRows } from './statement.ts';
import type { Tables } from './tables.ts';

/** Inserts a row. The row itself names its columns, so columns and values cannot drift apart. */
export async function insertRow<Table extends keyof Tables>(
  db: Queries,
  table: Table,
  row: Insertable<Tables[Table]>,
): Promise<void> {
  const columns = Object.keys(row);
  const text = `insert into ${table} (${columns.join(', ')}) values (${placeholders(columns)})`;
  await queryRows(db, text, Object.values(row));
}

/** Returns `$1, $2, …`, one placeholder for each column, counted from `first`. */
export function placeholders(columns: readonly string[], first = 1): string {
  return columns.map((_, index) => `$${index + first}`).join(', ');
}
