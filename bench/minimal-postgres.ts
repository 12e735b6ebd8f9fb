// The minimal server on PostgreSQL: node:http and pg with nothing in between, one prepared statement per change.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { serveMinimal } from './minimal-http.ts';
import { perfume, SAMPLE } from './perfumes.ts';

const [url = '', items = '0'] = process.argv.slice(2);
// An abandoned table scan must not continue during the next slice.
const pool = new pg.Pool({ connectionString: url, max: 16, statement_timeout: 2_000 });
await pool.query(`
  create table items (num bigint generated always as identity primary key, id text unique, name text, price float8,
    quantity int check (quantity >= 0), img text, description text, supplier text, email text, version int, at int8);
  create table movements (id text primary key, item_id text references items (id), delta int, after int, at int8);
`);
const CREATE = `with item as (
    insert into items (id, name, price, quantity, img, description, supplier, email, version, at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, 1, $9) returning *),
  movement as (insert into movements select $10, id, quantity, quantity, at from item)
  select * from item`;
const DELIVER = `with item as (update items set quantity = quantity + $1, version = version + 1
    where id = $2 and quantity + $1 >= 0 returning *),
  movement as (insert into movements select $3, id, $1, quantity, $4 from item)
  select * from item`;

async function rows(name: string, text: string, values: unknown[] = []) {
  return (await pool.query({ name, text, values })).rows as never[];
}

async function create(item: ReturnType<typeof perfume>) {
  const { name, price, quantity, img, description, suplierName, email } = item;
  const values = [
    randomUUID(),
    name,
    price,
    Number(quantity),
    img,
    description,
    suplierName,
    email,
    Date.now(),
    randomUUID(),
  ];
  return (await rows('create', CREATE, values))[0];
}

for (let n = 0; n < Number(items); n += 16) {
  await Promise.all(Array.from({ length: Math.min(16, Number(items) - n) }, (_, i) => create(perfume(n + i))));
}
await pool.query('vacuum analyze');

serveMinimal({
  list: () => rows('list', 'select * from items order by num desc limit 50'),
  sample: () =>
    rows('sample', 'select id from items where num % $1 = 0', [Math.max(1, Math.floor(Number(items) / SAMPLE))]),
  one: (id) => rows('one', 'select * from items where id = $1', [id]),
  search: (q) =>
    rows(
      'search',
      "select * from items where name || supplier || description ilike '%' || $1 || '%' order by num desc limit 50",
      [q],
    ),
  deliver: async (id, delta) => (await rows('deliver', DELIVER, [delta, id, randomUUID(), Date.now()]))[0],
  create,
});
