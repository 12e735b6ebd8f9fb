// The minimal server on SQLite: node:http and node:sqlite with nothing in between. It has no login, no validation, no
// idempotency and no change feed, only prepared statements, JSON.stringify, and the same durability (one fsync per
// change).
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { serveMinimal } from './minimal-http.ts';
import { perfume, SAMPLE } from './perfumes.ts';

const [file = '', items = '0'] = process.argv.slice(2);
const db = new DatabaseSync(file);
db.exec(`
  pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on;
  create table items (num integer primary key, id text unique, name text, price real, quantity integer check (quantity >= 0),
    img text, description text, supplier text, email text, version integer, at integer);
  create table movements (id text primary key, item_id text references items (id), delta integer, after integer, at integer);
`);
const insertItem = db.prepare(
  'insert into items (id, name, price, quantity, img, description, supplier, email, version, at) values (?, ?, ?, ?, ?, ?, ?, ?, 1, ?)',
);
const insertMovement = db.prepare('insert into movements values (?, ?, ?, ?, ?)');
const list = db.prepare('select * from items order by num desc limit 50');
const sample = db.prepare(`select id from items where num % ${Math.max(1, Math.floor(Number(items) / SAMPLE))} = 0`);
const one = db.prepare('select * from items where id = ?');
const search = db.prepare(
  "select * from items where name || supplier || description like '%' || ? || '%' order by num desc limit 50",
);
const take = db.prepare(
  'update items set quantity = quantity + ?, version = version + 1 where id = ? and quantity + ? >= 0 returning *',
);

function create(item: ReturnType<typeof perfume>): string {
  const id = randomUUID();
  insertItem.run(
    id,
    item.name,
    item.price,
    Number(item.quantity),
    item.img,
    item.description,
    item.suplierName,
    item.email,
    Date.now(),
  );
  insertMovement.run(randomUUID(), id, Number(item.quantity), Number(item.quantity), Date.now());
  return id;
}

db.exec('begin');
for (let n = 0; n < Number(items); n++) create(perfume(n));
db.exec('commit');

serveMinimal({
  list: () => list.all() as never,
  sample: () => sample.all() as never,
  one: (id) => one.all(id) as never,
  search: (q) => search.all(q) as never,
  deliver(id, delta) {
    db.exec('begin immediate');
    const [row] = take.all(delta, id, delta) as never[];
    if (row) insertMovement.run(randomUUID(), id, delta, (row as { quantity: number }).quantity, Date.now());
    db.exec('commit');
    return row;
  },
  create(item) {
    db.exec('begin immediate');
    const id = create(item);
    db.exec('commit');
    return one.get(id) as never;
  },
});
