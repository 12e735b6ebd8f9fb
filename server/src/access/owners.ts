import type { Endpoint } from '@perfume/contract/endpoint';
import { undoEntry } from '@perfume/contract/history';
import { createItem, deleteItem, editItem, restoreItem } from '@perfume/contract/items';
import { recordMovement, setQuantity, undoMovement } from '@perfume/contract/ledger';
import { emailKey } from '@perfume/domain/email';
import type { Db } from '../db/core/database.ts';
import { isUuid } from '../db/core/ids.ts';
import { statement } from '../db/core/statement.ts';
import type { ChangeRequest, Owners } from '../http/serve.ts';
import { selectEvent, toItemEvent } from '../items/item-events.ts';

type Rule = (db: Db, asked: ChangeRequest, own: string) => Promise<boolean>;

/** What each endpoint would change. Those that name many items are asked row by row, and stand in bulk.store.ts. */
const rules = new Map<Endpoint, Rule>([
  [createItem, async (_, { body }, own) => isFor(own, emailIn(body))],
  [setQuantity, ownsItem],
  [recordMovement, ownsItem],
  [deleteItem, ownsItem],
  [restoreItem, ownsItem],
  [editItem, async (db, asked, own) => (await ownsItem(db, asked, own)) && isFor(own, emailIn(changesIn(asked.body)))],
  [undoMovement, ownsEntry],
  [undoEntry, async (db, asked, own) => (await ownsEntry(db, asked, own)) && (await undoKeepsOwner(db, asked.id, own))],
]);

/**
 * Changes are for owners alone: an item is changed by the person whose address stands on it, and nobody is given an
 * item by somebody else. What does not exist has no owner, so the next check gets to say that it does not.
 */
export function owners(db: Db): Owners {
  return {
    async may(endpoint, asked, user) {
      const rule = rules.get(endpoint);
      const namesNothing = asked.id !== '' && !isUuid(asked.id);
      return rule === undefined || namesNothing || rule(db, asked, emailKey(user.email));
    },
    async othersAmong(itemIds, user) {
      if (itemIds.length === 0) return new Set();
      const others = db.query.selectFrom('items').select('id').where('email_key', '<>', emailKey(user.email));
      const rows = await others.where('id', 'in', itemIds).execute();
      return new Set(rows.map(({ id }) => id));
    },
  };
}

async function ownsItem(db: Db, { id }: ChangeRequest, own: string): Promise<boolean> {
  const [item] = await ownerOfItem(db.query, id);
  return item === undefined || item.email_key === own;
}

async function ownsEntry(db: Db, { id }: ChangeRequest, own: string): Promise<boolean> {
  const [item] = await ownerOfEntry(db.query, id);
  return item === undefined || item.email_key === own;
}

/** Undoing an edit may give the item to whose it was before. */
async function undoKeepsOwner(db: Db, entryId: string, own: string): Promise<boolean> {
  const [row] = await selectEvent(db.query, entryId);
  if (!row) return true;
  return toItemEvent(row).changes.every(({ field, from }) => field !== 'email' || isFor(own, from));
}

/** An address that is missing or none at all is left to the rules of its field. */
function isFor(own: string, email: unknown): boolean {
  return typeof email !== 'string' || emailKey(email) === own;
}

function emailIn(body: unknown): unknown {
  return (body as { email?: unknown } | null | undefined)?.email;
}

function changesIn(body: unknown): unknown {
  return (body as { changes?: unknown } | null | undefined)?.changes;
}

const ownerOfItem = statement<{ email_key: string }, [id: string]>('select email_key from items where id = $1');
const ownerOfEntry = statement<{ email_key: string }, [id: string]>(
  `select email_key from items
   where id = (select item_id from stock_movements where id = $1 union all select item_id from item_events where id = $1)`,
);
