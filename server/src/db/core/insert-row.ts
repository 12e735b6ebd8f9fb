import type { Insertable } from 'kysely';
import { type Queries, queryRows } from './statement.ts';
import type { Tables } from './tables.ts';

/** Inserts a row. The row itself names its columns, so columns and values cannot drift apart. */
export async function insertRow<Table extends keyof Tables>(
  db: Queries,
  table: Table,
  row: Insertable<Tables[Table]>,
): Promise<void> {
  let textOf = texts.get(table);
  if (!textOf) {
    textOf = textPerColumns(
      (columns) => `insert into ${table} (${columns.join(', ')}) values (${placeholders(columns)})`,
    );
    texts.set(table, textOf);
  }
  await queryRows(db, textOf(Object.keys(row)), Object.values(row));
}

const texts = new Map<keyof Tables, (columns: string[]) => string>();

/** Builds an SQL text once for rows that follow each other with the same columns, as those of one table nearly always do. */
export function textPerColumns(build: (columns: string[]) => string): (columns: string[]) => string {
  let last: { columns: string[]; text: string } | null = null;
  return (columns) => {
    const isSame =
      last?.columns.length === columns.length && last.columns.every((column, index) => column === columns[index]);
    if (!last || !isSame) last = { columns, text: build(columns) };
    return last.text;
  };
}

/** Returns `$1, $2, …`, one placeholder for each column, counted from `first`. */
export function placeholders(columns: readonly string[], first = 1): string {
  return columns.map((_, index) => `$${index + first}`).join(', ');
}
