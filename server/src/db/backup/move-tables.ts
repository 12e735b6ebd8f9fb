import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type pg from 'pg';
import { OperatorError } from '../core/errors.ts';

/** The tables to copy, each after the tables that it refers to. `key` is the order in which its rows are read. */
export const TABLES: Record<string, { key: string }> = {
  houses: { key: 'num' },
  users: { key: 'id' },
  members: { key: 'user_id, house' },
  house_invitations: { key: 'id' },
  accounts: { key: 'id' },
  sign_ins: { key: 'token_hash' },
  api_keys: { key: 'key_hash' },
  verifications: { key: 'id' },
  two_step: { key: 'user_id' },
  recovery_codes: { key: 'user_id, code_hash' },
  passkeys: { key: 'id' },
  invitations: { key: 'email_key' },
  attempts: { key: 'subject' },
  renames: { key: 'id' },
  views: { key: 'id' },
  view_emails: { key: 'view_id, user_id' },
  uploads: { key: 'name' },
  alert_choices: { key: 'user_id, house' },
  settings: { key: 'name' },
  items: { key: 'num' },
  item_codes: { key: 'house, code_key' },
  stock_movements: { key: 'item_id, seq' },
  item_events: { key: 'num' },
  checkpoints: { key: 'number' },
  checkpoint_entries: { key: 'book, subject, position' },
  settings_events: { key: 'num' },
  count_sessions: { key: 'num' },
  count_entries: { key: 'num' },
  count_lines: { key: 'session_id, item_id' },
  imports: { key: 'num' },
  import_chunks: { key: 'import_id, chunk' },
  import_problems: { key: 'import_id, chunk' },
  stock_alerts: { key: 'num' },
  webhooks: { key: 'id' },
  webhook_deliveries: { key: 'num' },
  webhook_cursor: { key: 'one' },
  shelf_changes: { key: 'num' },
  stock_hours: { key: 'house, hour' },
  item_days: { key: 'item, day' },
  stock_summed: { key: 'house' },
  item_search: { key: 'rowid' },
  answers: { key: 'num' },
  changes: { key: 'seq' },
};

/** Tables that are not copied: PostgreSQL has its own migrations, item counts and search index. */
const OTHER_TABLES = new Set(['migrations', 'item_tallies', 'item_search_pending', 'item_search_index']);

const ROWS_PER_BATCH = 2_000;

export type Checksum = { rows: number; sha256: string };
type Value = string | number | null;

/** Throws if the source has a table that is in neither list, because its rows would be lost without notice. */
export function requireKnownTables(source: DatabaseSync): void {
  const tables = source.prepare(`select name from sqlite_schema where type = 'table' order by name`).all();
  const unknown = tables
    .map(({ name }) => String(name))
    .filter((name) => !TABLES[name] && !OTHER_TABLES.has(name) && !/^(sqlite_|item_search_index_)/.test(name));
  if (unknown.length > 0) throw new OperatorError(`This version cannot move the table ${unknown.join(', ')}.`);
}

export function columnsOf(source: DatabaseSync, table: string): string[] {
  const columns = source.prepare('select name from pragma_table_info(?)').all(table);
  return columns.map(({ name }) => String(name));
}

export function countRows(source: DatabaseSync, table: string): number {
  return Number(source.prepare(`select count(*) as count from ${table}`).get()?.count);
}

/** Copies a table unchanged, including ids and numbers, in batches. Returns the checksum of the rows that were sent. */
export async function copyTable(
  source: DatabaseSync,
  target: pg.Client,
  table: string,
  onRows: (rows: number) => void,
): Promise<Checksum> {
  const columns = columnsOf(source, table);
  const insert = await insertSql(target, table, columns);
  const checksum = contentHasher();
  let batch: Record<string, Value>[] = [];
  const send = async () => {
    await target.query(insert, [JSON.stringify(batch)]);
    batch = [];
    onRows(checksum.rows());
  };
  const read = source.prepare(`select ${columns.join(', ')} from ${table} order by ${TABLES[table]?.key}`);
  for (const row of read.iterate() as Iterable<Record<string, Value>>) {
    checksum.add(columns.map((column) => row[column] ?? null));
    batch.push(row);
    if (batch.length === ROWS_PER_BATCH) await send();
  }
  if (batch.length > 0) await send();
  return checksum.sum();
}

/** Returns the checksum of a copied table, whose rows are read from PostgreSQL in the same order. */
export async function readBack(target: pg.Client, table: string, columns: string[]): Promise<Checksum> {
  const checksum = contentHasher();
  await target.query(
    `declare moved no scroll cursor for select ${columns.join(', ')} from ${table} order by ${TABLES[table]?.key}`,
  );
  for (;;) {
    const fetched = await target.query<Value[]>({ text: `fetch ${ROWS_PER_BATCH} from moved`, rowMode: 'array' });
    for (const row of fetched.rows) checksum.add(row);
    if (fetched.rows.length < ROWS_PER_BATCH) break;
  }
  await target.query('close moved');
  return checksum.sum();
}

async function insertSql(target: pg.Client, table: string, columns: string[]): Promise<string> {
  const { rows } = await target.query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    [table],
  );
  const types = new Map(rows.map(({ name, type }) => [name, type]));
  const typed = columns.map((column) => `${column} ${types.get(column)}`);
  // SQLite has no transaction ids. Zero sorts the copied rows before all new ones.
  const [more, zero] = types.has('txid') && !columns.includes('txid') ? [', txid', ', 0'] : ['', ''];
  return `insert into ${table} (${columns.join(', ')}${more}) overriding system value
    select ${columns.join(', ')}${zero} from json_to_recordset($1::json) as moved (${typed.join(', ')})`;
}

function contentHasher() {
  const hash = createHash('sha256');
  let rows = 0;
  return {
    add(values: Value[]): void {
      hash.update(`${JSON.stringify(values)}\n`);
      rows++;
    },
    rows: () => rows,
    sum: (): Checksum => ({ rows, sha256: hash.digest('hex') }),
  };
}
