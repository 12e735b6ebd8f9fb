import { hash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

/**
 * The rows that a request can change, by table. Left out are `attempts`, which counts refusals; `answers`, which stores
 * refusals under their keys; sums that a server computes by itself; and rows that it deletes by itself during a long
 * run.
 */
const TABLES: Record<string, string> = {
  items: 'select * from items',
  stock_movements: 'select * from stock_movements',
  item_events: 'select * from item_events',
  settings_events: 'select * from settings_events',
  // The change feed grows at its end and is trimmed at its start, so only its end is compared.
  changes: 'select max(seq) from changes',
  settings: 'select * from settings',
  views: 'select * from views',
  view_emails: 'select view_id, user_id from view_emails',
  houses: 'select * from houses',
  members: 'select * from members',
  house_invitations: 'select * from house_invitations',
  users: 'select * from users',
  sign_ins: 'select * from sign_ins',
  accounts: 'select * from accounts',
  // Only links in emails are compared. The state of a social login is left out, because it is deleted after ten
  // minutes.
  verifications: 'select * from verifications where expires_at - created_at > 1800000',
  // Alerts that a later one replaced are removed at any time.
  stock_alerts: `select num, item_id, seq, kind, quantity, low_at, at from stock_alerts a where not exists (
    select 1 from stock_alerts later where later.item_id = a.item_id and later.kind = a.kind and later.seq > a.seq)`,
  alert_choices: 'select user_id, house, mail, about, seen_txid, seen_num from alert_choices',
};

export type State = { read(): Promise<Record<string, string>>; close(): Promise<void> };

/** Reads the database directly: a fingerprint of each table, and the list of pictures. */
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

/** Waits until nothing changes any more, because emails are sent and other work is done after the response. */
export async function settled(state: State): Promise<Record<string, string>> {
  let last = await state.read();
  for (let attempt = 0; attempt < 40; attempt++) {
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
