import { emailKey } from '@perfume/domain/email';
import { foldForSearch } from '@perfume/domain/text';
import type { Db } from '../db/database.ts';
import { isDuplicate } from '../db/errors.ts';
import { gatheringPerStore } from '../db/gather.ts';
import { searchText } from '../db/search.ts';
import type { Created, Creation } from './items.store.ts';

type Asked = Record<string, string | number> & { key: string };

/** PostgreSQL takes many new items in one round trip and one commit. False: the long way decides. */
export async function createTogether(
  db: Db,
  { id, item, actor, at, once }: Creation,
  created: Created,
): Promise<boolean> {
  // Without a key nobody could say after a broken connection whether the item is there.
  if (!once) return false;
  return create(db, {
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
    key: once.key,
    fingerprint: once.fingerprint,
    outcome: JSON.stringify(created),
  });
}

const create = gatheringPerStore<Asked, boolean>(createMany, { most: 64, apart: (asked) => asked.key });

async function createMany(db: Db, asked: Asked[]): Promise<boolean[]> {
  try {
    await db.changeAtOnce(CREATE_TOGETHER, [JSON.stringify(asked)]);
    return asked.map(() => true);
  } catch (error) {
    // Someone's key is known already, and took the others' with it: each goes the long way.
    if (isDuplicate(error)) return asked.map(() => false);
    throw error;
  }
}

const CREATE_TOGETHER = `with asked as materialized (
    select * from json_to_recordset($1::json) as asked (id text, name text, name_key text, price_cents bigint,
      quantity bigint, image_url text, description text, supplier_name text, supplier_key text, email text,
      email_key text, text text, actor_id text, actor_name text, at bigint, key text, fingerprint text, outcome text)
  ),
  item as (
    insert into items (id, name, name_key, price_cents, quantity, image_url, description, supplier_name, supplier_key,
      email, email_key, version, stock_seq, created_by, created_at, updated_at)
    select id, name, name_key, price_cents, quantity, image_url, description, supplier_name, supplier_key,
      email, email_key, 1, 1, actor_id, at, at from asked
    returning num, id
  ),
  movement as (
    insert into stock_movements (id, item_id, seq, kind, delta, quantity_before, quantity_after, actor_id, actor_name, at)
    select id, id, 1, 'opening', quantity, 0, quantity, actor_id, actor_name, at from asked
  ),
  search as (insert into item_search (rowid, text) select item.num, asked.text from item join asked using (id)),
  change as (insert into changes (item_id, kind, at) select id, 'created', at from asked)
  insert into answers (key, fingerprint, outcome, at) select key, fingerprint, outcome, at from asked`;
