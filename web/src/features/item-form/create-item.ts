import { fromWire, toWireNames } from '@perfume/contract/wire-item';
import type { Item } from '@perfume/domain/items';
import { call } from '../../api/client.ts';
import { retryUntilAnswered } from '../../api/retry.ts';
import { refetchLists } from '../../live/item-cache.ts';
import { type ItemTexts, linesOf, wirePrice, wireQuantity } from './item-fields.ts';

/**
 * Creates an item. A second call with the same idempotency key does not create a second item. Without codes, the request
 * is that of the spec.
 */
export async function createItem(texts: ItemTexts, key: string): Promise<Item> {
  const { sku, barcodes, ...specified } = texts;
  const { data } = await retryUntilAnswered((signal) =>
    call('POST /new-inventory-item', {
      body: toWireNames({
        ...specified,
        price: wirePrice(texts.price),
        quantity: wireQuantity(texts.quantity),
        ...(sku.trim() !== '' && { sku }),
        ...(barcodes.trim() !== '' && { barcodes: linesOf(barcodes) }),
      }),
      headers: { 'idempotency-key': key },
      signal,
    }),
  );
  refetchLists();
  return fromWire(data);
}
