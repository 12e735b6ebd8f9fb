import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type pg from 'pg';
import { OperatorError } from '../core/errors.ts';

/** In an order in which whatever a row refers to is there before it; each table's key, by which it is read. */
export const MOVED: Record<string, { key: string }> = {
  users: { key: 'id' },
  accounts: { key: 'id' },
  sign_ins: { key: 'token_hash' },
  verifications: { key: 'id' },
  attempts: { key: 'subject' },
  alert_choices: { key: 'user_id' },
  settings: { key: 'name' },
  items: { key: 'num' },
  stock_movements: { key: 'item_id, seq' },
  item_events: { key: 'num' },
  stock_alerts: { key: 'num' },
  shelf_changes: { key: 'num' },
  stock_hours: { key: 'hour' },
  item_days: { key: 'item, day' },
  stock_summed: { key: 'slot' },
  item_search: { key: 'rowid' },
  answers: { key: 'num' },
  changes: { key: 'seq' },
};

/** PostgreSQL keeps its own: what was migrated, the count of items in many slots, and no text waits for its index. */
const NOT_MOVED = new Set(['migrations', 'item_tallies', 'item_search_pending', 'item_search_index']);

const ROWS_AT_ONCE = 2_000;

export type Content = { rows: number; sha256: string };
type Value = string | number | null;

/** A table that nobody has thought of here must not be left behind in silence. */
export function requireAllKnown(source: DatabaseSync): void {
  const tables = source.prepare(`select name from sqlite_schema where type = 'table' order by name`).all();
  const unknown = tables
    .map(({ name }) => String(name))
    .filter((name) => !MOVED[name] && !NOT_MOVED.has(name) && !/^(sqlite_|item_search_index_)/.test(name));
  if (unknown.length > 0)
    throw new OperatorError(`This version does not know how to move the table ${unknown.join(', ')}.`);
}

export function columnsOf(source: DatabaseSync, table: string): string[] {
  const columns = source.prepare('select name from pragma_table_info(?)').all(table);
  return columns.map(({ name }) => String(name));
}

export function countRows(source: DatabaseSync, table: string): number {
  return Number(source.prepare(`select count(*) as count from ${table}`).get()?.count);
}

/** Copies a table as it stands, ids and numbers too, a few thousand rows at a time; says what it was. */
export async function copyTable(
  source: DatabaseSync,
  target: pg.Client,
  table: string,
  onRows: (rows: number) => void,
): Promise<Content> {
  const columns = columnsOf(source, table);
  const insert = await insertInto(target, table, columns);
  const content = contentOf();
  let batch: Record<string, Value>[] = [];
  const send = async () => {
    await target.query(insert, [JSON.stringify(batch)]);
    batch = [];
    onRows(content.rows());
  };
  const read = source.prepare(`select ${columns.join(', ')} from ${table} order by ${MOVED[table]?.key}`);
  for (const row of read.iterate() as Iterable<Record<string, Value>>) {
    content.add(columns.map((column) => row[column] ?? null));
    batch.push(row);
    if (batch.length === ROWS_AT_ONCE) await send();
  }
  if (batch.length > 0) await send();
  return content.sum();
}

/** What a table holds on the other side, read back row by row in the same order. */
export async function readBack(target: pg.Client, table: string, columns: string[]): Promise<Content> {
  const content = contentOf();
  await target.query(
    `declare moved no scroll cursor for select ${columns.join(', ')} from ${table} order by ${MOVED[table]?.key}`,
  );
  for (;;) {
    const fetched = await target.query<Value[]>({ text: `fetch ${ROWS_AT_ONCE} from moved`, rowMode: 'array' });
    for (const row of fetched.rows) content.add(row);
    if (fetched.rows.length < ROWS_AT_ONCE) break;
  }
  await target.query('close moved');
  return content.sum();
}

async function insertInto(target: pg.Client, table: string, columns: string[]): Promise<string> {
  const { rows } = await target.query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    [table],
  );
  const types = new Map(rows.map(({ name, type }) => [name, type]));
  const typed = columns.map((column) => `${column} ${types.get(column)}`);
  // Rows of the change feed carry the number of their transaction, which SQLite does not have: theirs come first.
  const [more, zero] = types.has('txid') && !columns.includes('txid') ? [', txid', ', 0'] : ['', ''];
  return `insert into ${table} (${columns.join(', ')}${more}) overriding system value
    select ${columns.join(', ')}${zero} from json_to_recordset($1::json) as moved (${typed.join(', ')})`;
}

function contentOf() {
  const hash = createHash('sha256');
  let rows = 0;
  return {
    add(values: Value[]): void {
      hash.update(`${JSON.stringify(values)}\n`);
      rows++;
    },
    rows: () => rows,
    sum: (): Content => ({ rows, sha256: hash.digest('hex') }),
  };
}
