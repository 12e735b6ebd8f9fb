import { toWireChange } from '@perfume/contract/history';
import { toWireActor } from '@perfume/contract/identity';
import { toWireMovement } from '@perfume/contract/ledger';
import { toWire } from '@perfume/contract/wire-item';
import type { Selectable } from 'kysely';
import { type Queries, statement } from '../db/core/statement.ts';
import type { ItemEventRow } from '../db/core/tables.ts';
import { SHOWN_NAME, type WithShownName } from '../identity/former-members.ts';
import { toItemEvent } from '../items/item-events.ts';
import { toItem } from '../items/item-row.ts';
import { selectItem } from '../items/items.store.ts';
import { findMovement } from '../ledger/ledger.store.ts';
import type { Delivery } from './deliveries.store.ts';

/** Writes what a delivery sends: what happened, and the item as it is now, even if it is deleted. */
export async function eventBody(db: Queries, delivery: Delivery): Promise<string> {
  const { type, item_id: itemId, at } = delivery;
  const [row] = itemId === null ? [] : await selectItem(db, itemId);
  const data = { ...(row && { item: toWire(toItem(row)) }), ...(await whatHappened(db, delivery)) };
  return JSON.stringify({ type, timestamp: new Date(at).toISOString(), data });
}

async function whatHappened(db: Queries, { type, ref, detail, webhook_id }: Delivery): Promise<object> {
  switch (type) {
    case 'stock.changed': {
      const movement = await findMovement(db, ref);
      return movement ? { movement: toWireMovement(movement) } : {};
    }
    case 'item.edited':
    case 'item.deleted':
    case 'item.restored': {
      const [row] = await selectEntry(db, ref);
      if (!row) return {};
      const { id, kind, changes, actorId, at } = toItemEvent(row);
      const by = toWireActor(actorId, row.shown_name);
      return { entry: { id, kind, changes: changes.map(toWireChange), by, at: new Date(at).toISOString() } };
    }
    case 'alert.raised':
    case 'alert.cleared':
      return { alert: JSON.parse(detail ?? '{}') };
    case 'item.created':
      return {};
    case 'webhook.test':
      return { webhookId: webhook_id };
  }
}

const selectEntry = statement<Selectable<ItemEventRow> & WithShownName, [id: string]>(
  `select m.*, ${SHOWN_NAME} from item_events m where m.id = $1`,
);
