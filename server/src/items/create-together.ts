import { emailKey } from '@perfume/domain/email';
import { foldForSearch } from '@perfume/domain/text';
import type { Db } from '../db/core/database.ts';
import { isUniqueViolation } from '../db/core/errors.ts';
import { searchText } from '../db/core/search.ts';
import { REORDER_POINT } from '../db/core/settings.ts';
import { batcherPerStore } from '../db/postgres/batcher.ts';
import type { Created, Creation } from './items.store.ts';

type Asked = Record<string, string | number> & { key: string };

/** PostgreSQL takes many new items in one round trip and one commit. Null: the long way decides. */
export async function createTogether(
  db: Db,
  { id, item, actor, at, idempotency, hash }: Creation & { hash: string },
  created: (lowAt: number) => Created,
): Promise<Created | null> {
  // Without a key nobody could say after a broken connection whether the item is there.
  if (!db.changeInOneStatement || !idempotency) return null;
  const lowAt = await create(db, {
    id,
    name: item.name,
    name_key: foldForSearch(item.name),
    price_cents: item.priceCents,
    quantity: item.quantity,
    image_url: item.imageUrl,
    description: item.description,
    supplier_name: item.supplierName,
    supplier_key: foldForSearch(item.supplierName),
    email: item.email,
    email_key: emailKey(item.email),
    text: searchText(id, item),
    actor_id: actor.id,
    actor_name: actor.name,
    at,
    key: idempotency.key,
    fingerprint: idempotency.fingerprint,
    hash,
    outcome: JSON.stringify(created(0)).slice(0, -LOW_AT_END.length),
  });
  return lowAt === null ? null : created(lowAt);
}

// The reorder point is known only when the item is written; it stands last in the outcome, and is written there then.
const LOW_AT_END = '0}}';

const create = batcherPerStore<Asked, number | null>(createMany, { maxSize: 64, conflictKey: (asked) => asked.key });

async function createMany(db: Db, asked: Asked[]): Promise<(number | null)[]> {
  try {
    const [row] = (await db.changeInOneStatement?.<{ low_at: number }>(CREATE_TOGETHER, [JSON.stringify(asked)])) ?? [];
    return asked.map(() => row?.low_at ?? null);
  } catch (error) {
    // Someone's key is known already, and took the others' with it: each goes the long way.
    if (isUniqueViolation(error)) return asked.map(() => null);
    throw error;
  }
}

const CREATE_TOGETHER = `with asked as materialized (
    select * from json_to_recordset($1::json) as asked (id text, name text, name_key text, price_cents bigint,
      quantity bigint, image_url text, description text, supplier_name text, supplier_key text, email text,
      email_key text, text text, actor_id text, actor_name text, at bigint, key text, fingerprint text, outcome text, hash text)
  ),
  low as materialized (select ${REORDER_POINT} as low_at),
  item as (
    insert into items (id, name, name_key, price_cents, quantity, image_url, description, supplier_name, supplier_key,
      email, email_key, version, stock_seq, created_by, created_at, updated_at, ledger_hash, low_at)
    select id, name, name_key, price_cents, quantity, image_url, description, supplier_name, supplier_key,
      email, email_key, 1, 1, actor_id, at, at, hash, low_at from asked, low
    returning num, id
  ),
  movement as (
    insert into stock_movements (id, item_id, seq, kind, delta, quantity_before, quantity_after,
      actor_id, actor_name, at, hash)
    select id, id, 1, 'opening', quantity, 0, quantity, actor_id, actor_name, at, hash from asked
  ),
  search as (insert into item_search (rowid, text) select item.num, asked.text from item join asked using (id)),
  change as (insert into changes (item_id, kind, at) select id, 'created', at from asked),
  answer as (insert into answers (key, fingerprint, outcome, at)
    select key, fingerprint, outcome || low_at || '}}', at from asked, low)
  select low_at from low`;
