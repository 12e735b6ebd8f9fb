import { hash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

/**
 * All that a request can change, row by row. Left out: `attempts`, which count refusals; `answers`, which keep the
 * refusals given under a key; what a server adds up by itself; and what it forgets by itself while a long run lasts.
 */
const TABLES: Record<string, string> = {
  items: 'select * from items',
  stock_movements: 'select * from stock_movements',
  item_events: 'select * from item_events',
  // A feed that only grows at its end, and is cut at its beginning.
  changes: 'select max(seq) from changes',
  settings: 'select * from settings',
  users: 'select * from users',
  sign_ins: 'select * from sign_ins',
  accounts: 'select * from accounts',
  // Links in mail; what is remembered of a social sign-in under way is gone in ten minutes.
  verifications: 'select * from verifications where expires_at - created_at > 1800000',
  stock_alerts: 'select num, item_id, seq, kind, quantity, low_at, at from stock_alerts',
  alert_choices: 'select user_id, mail, about, seen_txid, seen_num from alert_choices',
};

export type State = { read(): Promise<Record<string, string>>; close(): Promise<void> };

/** Looks into the store itself, past the server: a fingerprint of each table, and the list of pictures. */
export async function openState(store: { dataDir: string; databaseUrl: string | null }): Promise<State> {
  const rowsOf = store.databaseUrl ? await onPostgres(store.databaseUrl) : onSqlite(store.dataDir);
  const uploads = join(store.dataDir, 'uploads');
  return {
    async read() {
      const state: Record<string, string> = {};
      for (const [table, sql] of Object.entries(TABLES)) {
        const rows = (await rowsOf.all(sql)).map((row) => JSON.stringify(row)).sort();
        state[table] = `${rows.length} rows, ${hash('sha1', rows.join('\n'))}`;
      }
      state.uploads = existsSync(uploads) ? readdirSync(uploads).sort().join(' ') : '';
      return state;
    },
    close: () => rowsOf.close(),
  };
}

type Rows = { all(sql: string): Promise<unknown[]>; close(): Promise<void> };

function onSqlite(dataDir: string): Rows {
  const db = new DatabaseSync(join(dataDir, 'warehouse.sqlite'), { readOnly: true });
  return { all: async (sql) => db.prepare(sql).all(), close: async () => db.close() };
}

async function onPostgres(url: string): Promise<Rows> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return { all: async (sql) => (await client.query(sql)).rows, close: () => client.end() };
}

/** Mail and the like is made after the answer: wait until nothing moves any more. */
export async function settled(state: State): Promise<Record<string, string>> {
  let last = await state.read();
  for (let look = 0; look < 40; look++) {
    await new Promise((resolve) => setTimeout(resolve, 25));
    const now = await state.read();
    if (differing(last, now).length === 0) return now;
    last = now;
  }
  return last;
}

export function differing(before: Record<string, string>, after: Record<string, string>): string[] {
  return Object.keys(before).filter((name) => before[name] !== after[name]);
}
