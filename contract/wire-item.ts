import type { Item } from '@perfume/domain/items';
import { priceNumber } from '@perfume/domain/money';
import type * as z from 'zod/mini';
import type { publicWireItem, wireItem } from './items.ts';

// This file alone converts between the spec's names (_id, suplierName, img, quantity as a string) and ours. It is
// separate from the schemas, so that a page that only shows items does not load a validator.

const wireNames = { id: '_id', imageUrl: 'img', supplierName: 'suplierName' } as const;
const ownNames = { _id: 'id', img: 'imageUrl', suplierName: 'supplierName' } as const;

type Renamed<T, Names> = T extends readonly (infer One)[]
  ? Renamed<One, Names>[]
  : T extends object
    ? { [Key in keyof T as Key extends keyof Names ? Extract<Names[Key], string> : Key]: Renamed<T[Key], Names> }
    : T;
export type FromWireNames<T> = Renamed<T, typeof ownNames>;

/** Replaces our names with those of the wire, at any depth. Not for objects whose id is called `id` on the wire too. */
export function toWireNames<const T>(own: T): Renamed<T, typeof wireNames> {
  return renamed(own, wireNames) as Renamed<T, typeof wireNames>;
}

/** Replaces the names of the wire with ours, at any depth. */
export function fromWireNames<T>(wire: T): FromWireNames<T> {
  return renamed(wire, ownNames) as FromWireNames<T>;
}

export function toWireName<Name extends string>(name: Name) {
  return rename(name, wireNames) as keyof Renamed<Record<Name, unknown>, typeof wireNames>;
}

export function fromWireName<Name extends string>(name: Name) {
  return rename(name, ownNames) as keyof FromWireNames<Record<Name, unknown>>;
}

function renamed(value: unknown, names: Record<string, string>): unknown {
  if (Array.isArray(value)) return value.map((one) => renamed(one, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [rename(name, names), renamed(inner, names)]));
}

function rename(name: string, names: Record<string, string>): string {
  return Object.hasOwn(names, name) ? (names[name] ?? name) : name;
}

/** The id in the query of the request that finds an item. */
export const idInQuery = (query: { _id: string }) => query._id;

/** The query of the request that finds an item. */
export const itemQuery = (id: string) => `_id=${id}`;

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
  return {
    ...toPublicWire(item),
    email: item.email,
    reorderPoint: item.reorderPoint,
    sku: item.sku,
    barcodes: item.barcodes,
  };
}

/**
 * Converts an item from the wire, for the screens. An item from the public list gets the email '', no reorder point of its
 * own and no codes.
 */
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
    sku: wire.sku ?? null,
    barcodes: wire.barcodes ?? [],
    lowAt: wire.lowAt,
  };
}

/** Converts an item of a ranking on the insights page. */
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
