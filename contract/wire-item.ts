import type { Item } from '@perfume/domain/items';
import { priceNumber } from '@perfume/domain/money';
import type * as z from 'zod/mini';
import type { publicWireItem, wireItem } from './items.ts';

// Maps the spec's names (_id, suplierName, img, quantity as a string) to ours; nothing else does. Kept apart from the
// schemas, so that a page that only shows items loads no validator.

export type PublicWireItem = z.output<typeof publicWireItem>;
export type WireItem = z.output<typeof wireItem>;

export function toPublicWire(item: Item): PublicWireItem {
  return {
    _id: item.id,
    name: item.name,
    price: priceNumber(item.priceCents),
    quantity: String(item.quantity),
    img: item.imageUrl,
    description: item.description,
    suplierName: item.supplierName,
    version: item.version,
    createdAt: new Date(item.createdAt).toISOString(),
    updatedAt: new Date(item.updatedAt).toISOString(),
    lowAt: item.lowAt,
  };
}

export function toWire(item: Item): WireItem {
  return { ...toPublicWire(item), email: item.email, reorderPoint: item.reorderPoint };
}

/** The reverse, for the screens. An item from the public list gets the email '' and no reorder point of its own. */
export function fromWire(wire: PublicWireItem & Partial<Omit<WireItem, keyof PublicWireItem>>): Item {
  return {
    id: wire._id,
    name: wire.name,
    priceCents: Math.round(wire.price * 100),
    quantity: Number.parseInt(wire.quantity, 10),
    imageUrl: wire.img,
    description: wire.description,
    supplierName: wire.suplierName,
    email: wire.email ?? '',
    version: wire.version,
    createdAt: Date.parse(wire.createdAt),
    updatedAt: Date.parse(wire.updatedAt),
    reorderPoint: wire.reorderPoint ?? null,
    lowAt: wire.lowAt,
  };
}

/** An item in a ranking on the insights page. */
export function toWireRankedItem(item: Pick<Item, 'id' | 'name' | 'supplierName' | 'imageUrl'> & { onHand: number }) {
  return {
    _id: item.id,
    name: item.name,
    suplierName: item.supplierName,
    img: item.imageUrl,
    onHand: item.onHand,
  };
}

export function toWireSupplier<Sums extends object>({ name, units, ...sums }: { name: string; units: number } & Sums) {
  return { suplierName: name, unitsOnHand: units, ...sums };
}
