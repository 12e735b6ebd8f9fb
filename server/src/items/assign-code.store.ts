import { IN_STORE_CODES, inStoreCode } from '@perfume/domain/codes';
import type { Db } from '../db/core/database.ts';
import { type Idempotency, type KeyReused, runIdempotent } from '../db/core/idempotency.ts';
import { derivedId } from '../db/core/ids.ts';
import { type Edited, editInTransaction } from './edit.store.ts';
import type { Action } from './item-events.ts';
import type { NotFound } from './items.store.ts';

const noCode = { sku: null, barcodes: [] };

/**
 * Gives an item that has neither SKU nor barcode a code of ours. An item that has one is left alone. A code that
 * another item has is replaced by the next one.
 */
export function assignCode(
  db: Db,
  { itemId, action, idempotency }: { itemId: string; action: Action; idempotency: Idempotency },
): Promise<Edited | NotFound | KeyReused> {
  return runIdempotent<Edited | NotFound>(db, idempotency, async (db) => {
    for (let attempt = 0; ; attempt++) {
      const wanted = { ...noCode, barcodes: [codeFor(action.id, attempt)] };
      const outcome = await editInTransaction(db, { itemId, wanted, seen: noCode, action });
      if (outcome.ok || outcome.reason === 'item_not_found') return outcome;
      if (outcome.reason === 'edit_conflict') return { ok: true, item: outcome.item, event: null };
    }
  });
}

/** Returns a code at random. It depends on the id of the edit, which is a hash, so a retry makes the same edit. */
export function codeFor(editId: string, attempt: number): string {
  const random = derivedId(`${editId} ${attempt}`).slice(-12);
  return inStoreCode(Number.parseInt(random, 16) % IN_STORE_CODES);
}
