import { undoCountEntry } from '@perfume/contract/counts';
import type { Endpoint } from '@perfume/contract/endpoint';
import { undoEntry } from '@perfume/contract/history';
import { createItem, deleteItem, editItem, restoreItem } from '@perfume/contract/items';
import { recordMovement, setQuantity, undoMovement } from '@perfume/contract/ledger';
import { emailKey } from '@perfume/domain/email';
import { isUuid } from '@perfume/domain/uuid';
import type { Db } from '../db/core/database.ts';
import { statement } from '../db/core/statement.ts';
import type { ChangeRequest, Owners } from '../http/serve.ts';
import { selectEvent, toItemEvent } from '../items/item-events.ts';

type Rule = (db: Db, request: ChangeRequest, ownKey: string) => Promise<boolean>;

/** The access rule of each endpoint that changes one item. Bulk endpoints and counts check row by row. */
const rules = new Map<Endpoint, Rule>([
  [createItem, async (_, { body }, ownKey) => isOwn(ownKey, emailIn(body))],
  [setQuantity, ownsItem],
  [recordMovement, ownsItem],
  [deleteItem, ownsItem],
  [restoreItem, ownsItem],
  [
    editItem,
    async (db, request, ownKey) =>
      (await ownsItem(db, request, ownKey)) && isOwn(ownKey, emailIn(changesIn(request.body))),
  ],
  [undoMovement, ownsEntry],
  [undoCountEntry, ownsCountEntry],
  [
    undoEntry,
    async (db, request, ownKey) =>
      (await ownsEntry(db, request, ownKey)) && (await undoKeepsOwner(db, request.id, ownKey)),
  ],
]);

/**
 * Checks that only owners change items. The owner is the user whose email address is on the item, and cannot give the
 * item to someone else. A request for something that does not exist passes here, and its handler answers 404.
 */
export function owners(db: Db): Owners {
  return {
    async may(endpoint, request, user) {
      const rule = rules.get(endpoint);
      const namesNothing = request.id !== '' && !isUuid(request.id);
      return rule === undefined || namesNothing || rule(db, request, emailKey(user.email));
    },
    async othersAmong(itemIds, user) {
      if (itemIds.length === 0) return new Set();
      const others = db.query.selectFrom('items').select('id').where('email_key', '<>', emailKey(user.email));
      const rows = await others.where('id', 'in', itemIds).execute();
      return new Set(rows.map(({ id }) => id));
    },
  };
}

async function ownsItem(db: Db, { id }: ChangeRequest, ownKey: string): Promise<boolean> {
  const [item] = await ownerOfItem(db.query, id);
  return item === undefined || item.email_key === ownKey;
}

async function ownsEntry(db: Db, { id }: ChangeRequest, ownKey: string): Promise<boolean> {
  const [item] = await ownerOfEntry(db.query, id);
  return item === undefined || item.email_key === ownKey;
}

async function ownsCountEntry(db: Db, { id }: ChangeRequest, ownKey: string): Promise<boolean> {
  const [item] = await ownerOfCountEntry(db.query, id);
  return item === undefined || item.email_key === ownKey;
}

/** Returns false if the undo would give the item back to a previous owner. */
async function undoKeepsOwner(db: Db, entryId: string, ownKey: string): Promise<boolean> {
  const [row] = await selectEvent(db.query, entryId);
  if (!row) return true;
  return toItemEvent(row).changes.every(({ field, from }) => field !== 'email' || isOwn(ownKey, from));
}

/**
 * Returns false if `email` is the address of someone else. A missing or malformed address is left to field validation.
 */
function isOwn(ownKey: string, email: unknown): boolean {
  return typeof email !== 'string' || emailKey(email) === ownKey;
}

function emailIn(body: unknown): unknown {
  return (body as { email?: unknown } | null | undefined)?.email;
}

function changesIn(body: unknown): unknown {
  return (body as { changes?: unknown } | null | undefined)?.changes;
}

const ownerOfItem = statement<{ email_key: string }, [id: string]>('select email_key from items where id = $1');
const ownerOfCountEntry = statement<{ email_key: string }, [id: string]>(
  'select email_key from items where id = (select item_id from count_entries where id = $1)',
);
const ownerOfEntry = statement<{ email_key: string }, [id: string]>(
  `select email_key from items
   where id = (select item_id from stock_movements where id = $1 union all select item_id from item_events where id = $1)`,
);
