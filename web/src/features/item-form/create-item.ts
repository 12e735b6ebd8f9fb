import { toWireNames } from '@perfume/contract/wire-item';
import type { Item } from '@perfume/domain/items';
import { addItem } from '../../live/change-stock.ts';
import { refetchLists } from '../../live/item-cache.ts';
import { type ItemTexts, linesOf, wirePrice, wireQuantity } from './item-fields.ts';

/**
 * Creates an item, whose id is the key. A second call with the same key does not create a second item. Without codes, the
 * request is that of the spec. Without a connection, the item waits on this device until it can be sent.
 */
export async function createItem(texts: ItemTexts, key: string): Promise<Item> {
  const { sku, barcodes, ...specified } = texts;
  const body = toWireNames({
    ...specified,
    price: wirePrice(texts.price),
    quantity: wireQuantity(texts.quantity),
    ...(sku.trim() !== '' && { sku }),
    ...(barcodes.trim() !== '' && { barcodes: linesOf(barcodes) }),
  });
  const item = await addItem(key, texts.name, body);
  refetchLists();
  return item;
}
