// npm run bench -- million <database> [--items 100000] [--movements 10]
// Fills a database that our server has created (the file warehouse.sqlite of a data folder, or postgres://…) with a
// year of a large warehouse.
import { hash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import pg from 'pg';

export type Million = {
  items?: number;
  /** Movements per item, including its opening stock; at least 10. */
  movements?: number;
  now?: number;
};

/**
 * Fills a database with rows that it generates itself, with triggers off and indexes rebuilt afterwards. The triggers
 * would accept these rows (each movement continues the previous one, the last ends at the item's quantity), except for
 * the hashes, which stay empty.
 */
export async function fillMillion(url: string, { items = 100_000, movements = 10, now = Date.now() }: Million = {}) {
  const size = { items, movements, now };
  if (url.startsWith('postgres')) await fillPostgres(url, statements(postgres, size));
  else fillSqlite(url, statements(sqlite, size));
}

const YEAR_MS = 365 * 24 * 60 * 60 * 1_000;
const SCENTS = 'Ambre Iris Oud Neroli Santal Vetiver Rose Musc Cuir Figue Jasmin Cedre Tabac Sel Encens Violette'.split(
  ' ',
);
const MOODS = 'Noir Clair Absolu Intense Doux Sauvage Royal Secret'.split(' ');
const SUPPLIERS = 200;
const PEOPLE = 12;

type Dialect = { hex: (value: string, digits: number) => string; count: (to: number, name: string) => string };

const sqlite: Dialect = {
  hex: (value, digits) => `printf('%0${digits}x', ${value})`,
  count: (to, name) =>
    `(with recursive n (${name}) as (select 1 union all select ${name} + 1 from n where ${name} < ${to}) select ${name} from n)`,
};
const postgres: Dialect = {
  hex: (value, digits) => `lpad(to_hex(${value}), ${digits}, '0')`,
  count: (to, name) => `(select generate_series(1, ${to})::bigint as ${name})`,
};

function statements({ hex, count }: Dialect, { items, movements, now }: Required<Million>): string[] {
  const id = `substr(${hex('at', 12)}, 1, 8) || '-' || substr(${hex('at', 12)}, 9, 4) || '-7' || ${hex('s', 3)} || '-8000-' || ${hex('i', 12)}`;
  const pick = (words: string[], by: string) =>
    `case ${by} % ${words.length} ${words.map((word, n) => `when ${n} then '${word}'`).join(' ')} end`;
  // Each movement has its own part of the year, so an item's movements stay in order. Every 25th item had no movement
  // for half a year; every 40th is sold out; every 20th has an undone delivery.
  const stretch = Math.floor((YEAR_MS - 60_000) / movements);
  const at = `${now - YEAR_MS} + ((s - 1) * ${stretch} + (i * 7919 + s * 104729) * 613 % ${stretch}) / (case when i % 25 = 0 then 2 else 1 end)`;
  const taken = (s: string) => `-(1 + (i * 31 + ${s} * 17) % 4)`;
  return [
    `create temporary table plan as
     select i, s, ${at} as at,
       case when s = 1 then 'opening' when s = 8 and i % 20 = 1 then 'undo' when s % 10 = 6 and i % 40 <> 0 then 'restock'
         when s % 10 = 9 and i % 50 = 3 then 'correction' else 'deliver' end as kind,
       case when s = 1 then 0 when s = 8 and i % 20 = 1 then -(${taken('7')}) when s % 10 = 6 and i % 40 <> 0 then 30
         when s % 10 = 9 and i % 50 = 3 then 2 else ${taken('s')} end as delta
     from ${count(items, 'i')} shelf cross join ${count(movements, 's')} story`,
    `create temporary table moved as
     select i, s, at, kind, delta, ${id} as id, sum(delta) over (partition by i order by s) as so_far from plan`,
    `create temporary table opened as
     select i, min(id) as id, min(at) as at, max(at) as last_at, sum(delta) as moved,
       case when i % 40 = 0 then -sum(delta) else i % 90 - min(so_far) end as units
     from moved group by i`,
    'create unique index opened_by_item on opened (i)',
    `insert into items (id, name, name_key, price_cents, quantity, image_url, description, supplier_name, supplier_key,
       email, email_key, version, stock_seq, created_by, created_at, updated_at, low_at)
     select id, name, lower(name), 1000 + i * 37 % 40000, units + moved, '/bottles/nuit-d-encre.svg',
       'One of a hundred thousand bottles in a warehouse that is only here to be measured.', supplier, lower(supplier),
       'stock@house.example', 'stock@house.example', ${movements}, ${movements}, 'million', at, last_at, 10
     from (select opened.*, ${pick(SCENTS, 'i')} || ' ' || ${pick(MOODS, '(i / 16)')} || ' No. ' || i as name,
       'Maison ' || (i * 13 % ${SUPPLIERS} + 1) as supplier from opened order by at) made`,
    `insert into stock_movements (id, item_id, seq, kind, delta, quantity_before, quantity_after, actor_id, actor_name,
       at, undoes, undone_kind, undone_at)
     select moved.id, opened.id, s, kind, case when s = 1 then units else delta end,
       case when s = 1 then 0 else units + so_far - delta end, units + so_far,
       '00000000-0000-7000-8000-' || ${hex('person', 12)}, 'Person ' || person, moved.at,
       case when kind = 'undo' then before end, case when kind = 'undo' then 'deliver' end,
       case when kind = 'undo' then before_at end
     from (select moved.*, (i * 7 + s) % ${PEOPLE} + 1 as person, lag(id) over (partition by i order by s) as before,
       lag(at) over (partition by i order by s) as before_at from moved) moved join opened on opened.i = moved.i`,
    // Every tenth item got a higher price after its last movement.
    `insert into item_events (id, item_id, kind, changes, actor_id, actor_name, at)
     select ${id}, item_id, 'edited', '[{"field":"priceCents","from":' || (price - 500) || ',"to":' || price || '}]',
       '00000000-0000-7000-8000-000000000001', 'Person 1', at
     from (select opened.i, 4000 as s, opened.id as item_id, price_cents as price, opened.last_at + 1 as at
       from opened join items on items.id = opened.id where opened.i % 10 = 0) priced`,
    `insert into shelf_changes (item, at, stock_seq, quantity, price_before, price_after, live_before, live_after)
     select num, last_at + 1, stock_seq, quantity, price_cents - 500, price_cents, 1, 1
     from opened join items on items.id = opened.id where opened.i % 10 = 0`,
    `insert into item_search (rowid, text)
     select num, name_key || ' ' || supplier_key || ' ' || id from items where created_by = 'million'`,
    'drop table opened',
    'drop table moved',
    'drop table plan',
  ];
}

// What triggers write when they are on.
const TALLY_ITEMS = [
  'delete from item_tallies',
  `insert into item_tallies (house, slot, live, out_of_stock, low)
   select house, 0, count(*), count(*) filter (where quantity = 0), count(*) filter (where quantity <= low_at)
   from items where deleted_at is null group by house`,
];
const NAME_ITEMS = [
  'delete from item_names',
  "insert into item_names select num, name_key || e'\\n' || supplier_key from items",
];

async function fillPostgres(url: string, fill: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: indexes } = await client.query<{ name: string; sql: string }>(
      `select indexname as name, indexdef as sql from pg_indexes
       where tablename in ('items', 'stock_movements', 'item_search', 'item_names')
       and not exists (select from pg_constraint where conname = indexname)`,
    );
    // This role disables triggers and foreign keys for the connection, as replication does.
    await client.query("set session_replication_role = replica; set work_mem = '256MB'");
    for (const { name } of indexes) await client.query(`drop index ${name}`);
    for (const statement of fill) await client.query(statement);
    for (const statement of NAME_ITEMS) await client.query(statement);
    for (const { sql } of indexes) await client.query(sql);
    await client.query('vacuum analyze');
    for (const statement of TALLY_ITEMS) await client.query(statement);
  } finally {
    await client.end();
  }
}

function fillSqlite(file: string, fill: string[]): void {
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: false, timeout: 30_000 });
  db.exec('pragma temp_store = memory; pragma cache_size = -524288; pragma synchronous = off');
  const guards = db.prepare("select name, sql from sqlite_schema where type = 'trigger'").all() as {
    name: string;
    sql: string;
  }[];
  const indexes = db
    .prepare(
      "select name, sql from sqlite_schema where type = 'index' and sql is not null and tbl_name in ('items', 'stock_movements')",
    )
    .all() as { name: string; sql: string }[];
  db.exec('begin immediate');
  for (const { name } of guards) db.exec(`drop trigger ${name}`);
  for (const { name } of indexes) db.exec(`drop index ${name}`);
  for (const statement of [...fill, ...TALLY_ITEMS]) db.exec(statement);
  db.exec("insert into item_search_index (item_search_index) values ('rebuild')");
  for (const { sql } of [...indexes, ...guards]) db.exec(sql);
  db.exec('commit');
  db.close();
}

/** Adds the hashes to the movements in an SQLite file, so that `npm run verify` finds the ledger intact. */
export function chainMillion(file: string): void {
  const reader = new DatabaseSync(file);
  const writer = new DatabaseSync(file, { timeout: 30_000 });
  writer.exec('pragma cache_size = -524288; pragma synchronous = off; begin immediate');
  const guard = "type = 'trigger' and name = 'stock_movements_are_never_changed'";
  const { sql } = writer.prepare(`select sql from sqlite_schema where ${guard}`).get() as { sql: string };
  writer.exec('drop trigger stock_movements_are_never_changed');
  const link = writer.prepare('update stock_movements set hash = ? where item_id = ? and seq = ?');
  let before = '';
  const words =
    'item_id, seq, id, kind, delta, quantity_after, actor_id, actor_name, at, note, undoes, batch from stock_movements';
  for (const movement of reader.prepare(`select ${words} order by item_id, seq`).iterate()) {
    const output = [movement.seq === 1 ? '' : before, ...Object.values(movement)].map((part) => part ?? '');
    before = hash('sha256', output.join('\x1f'), 'hex');
    link.run(before, movement.item_id as string, movement.seq as number);
  }
  writer.exec(`update items set ledger_hash =
    (select hash from stock_movements where item_id = items.id and seq = items.stock_seq)`);
  writer.exec(sql);
  writer.exec('commit');
  writer.close();
  reader.close();
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { items: { type: 'string', default: '100000' }, movements: { type: 'string', default: '10' } },
  });
  const startedAt = performance.now();
  await fillMillion(positionals[0] ?? '', { items: Number(values.items), movements: Number(values.movements) });
  console.log(`filled in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
}
