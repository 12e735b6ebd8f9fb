import type { WireEntry } from '@perfume/contract/history';
import type { Item } from '@perfume/domain/items';

export function testItem(more: Partial<Item> = {}): Item {
  return {
    id: '0190a000-0000-7000-8000-000000000001',
    name: 'Nuit',
    priceCents: 100,
    quantity: 42,
    imageUrl: '',
    description: '',
    supplierName: '',
    email: '',
    version: 5,
    createdAt: 0,
    updatedAt: 0,
    reorderPoint: null,
    lowAt: 10,
    sku: null,
    barcodes: [],
    ...more,
  };
}

/** Returns a history entry of a delivery of one unit. */
export function testEntry(more: Partial<WireEntry> = {}): WireEntry {
  return {
    id: 'e',
    itemId: 'i',
    itemName: 'Nuit',
    kind: 'deliver',
    delta: -1,
    quantityAfter: 1,
    undoneKind: null,
    changes: [],
    by: { id: 'u', name: 'Ana', isFormerMember: false, mark: 'U' },
    at: '2026-05-14T10:00:00.000Z',
    note: null,
    reason: null,
    batch: null,
    undoes: null,
    undoneBy: null,
    ...more,
  };
}
