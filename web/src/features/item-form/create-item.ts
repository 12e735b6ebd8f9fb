import { fromWire, toWireNames } from '@perfume/contract/wire-item';
import type { Item } from '@perfume/domain/items';
import { call } from '../../api/client.ts';
import { retryUntilAnswered } from '../../api/retry.ts';
import { refetchLists } from '../../live/item-cache.ts';
import { type ItemTexts, linesOf, wirePrice, wireQuantity } from './item-fields.ts';

/** Creates an item. A second call with the same idempotency key does not create a second item. */
export async function createItem(texts: ItemTexts, key: string): Promise<Item> {
  const { data } = await retryUntilAnswered((signal) =>
    call('POST /new-inventory-item', {
      body: toWireNames({
        ...texts,
        price: wirePrice(texts.price),
        quantity: wireQuantity(texts.quantity),
        sku: texts.sku.trim() === '' ? null : texts.sku,
        barcodes: linesOf(texts.barcodes),
      }),
      headers: { 'idempotency-key': key },
      signal,
    }),
  );
  refetchLists();
  return fromWire(data);
}
