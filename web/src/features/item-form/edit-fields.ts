import type { editItem } from '@perfume/contract/items';
import { toWireName } from '@perfume/contract/wire-item';
import { checkTypedQuantity, type Item } from '@perfume/domain/items';
import { priceText } from '@perfume/domain/money';
import { normalText } from '@perfume/domain/text';
import type { Input } from '../../api/client.ts';
import { linesOf, wirePrice } from './item-fields.ts';

/** The editable fields of an item. Quantity changes only through movements. */
export const editFields = [
  'name',
  'price',
  'imageUrl',
  'description',
  'supplierName',
  'email',
  'sku',
  'barcodes',
  'reorderPoint',
] as const;
export type EditField = (typeof editFields)[number];
export type EditTexts = Record<EditField, string>;

type Value = string | number | null | string[];
/** The body of a request that edits an item. */
export type Edit = NonNullable<Input<typeof editItem>['body']>;

/** Returns the values of an item as texts for the edit form. */
export function textsOf(item: Item): EditTexts {
  return {
    name: item.name,
    price: priceText(item.priceCents),
    imageUrl: item.imageUrl,
    description: item.description,
    supplierName: item.supplierName,
    email: item.email,
    sku: item.sku ?? '',
    barcodes: item.barcodes.join('\n'),
    reorderPoint: item.reorderPoint === null ? '' : String(item.reorderPoint),
  };
}

/** Whether a text is a valid reorder point. Empty text is valid: the item then uses the warehouse's reorder point. */
export function isReorderPoint(text: string): boolean {
  return text.trim() === '' || checkTypedQuantity(text).ok;
}

/** Returns the changed fields, each with the value the user saw before: the server needs both to detect conflicts. */
export function editOf(texts: EditTexts, seen: EditTexts): Edit {
  const changed = editFields.filter((field) => !isSameValue(field, texts[field], seen[field]));
  const wireValues = (of: EditTexts) =>
    Object.fromEntries(changed.map((field) => [toWireName(field), wireValue(field, of[field])]));
  return { changes: wireValues(texts), seen: wireValues(seen) };
}

export function isEmptyEdit({ changes }: Edit): boolean {
  return Object.keys(changes).length === 0;
}

/**
 * Merges a change by somebody else into the form. Untouched fields take the new value. Edited fields keep their text
 * and the value seen before, so that saving reports a conflict.
 */
export function mergeRemoteEdit(
  texts: EditTexts,
  seen: EditTexts,
  now: EditTexts,
): { put: Partial<EditTexts>; seen: EditTexts; conflicting: EditField[] } {
  const put: Partial<EditTexts> = {};
  const nowSeen = { ...seen };
  const conflicting: EditField[] = [];
  for (const field of editFields) {
    if (now[field] === seen[field]) continue;
    const untouched = texts[field] === seen[field];
    if (untouched) put[field] = now[field];
    if (untouched || isSameValue(field, texts[field], now[field])) nowSeen[field] = now[field];
    else conflicting.push(field);
  }
  return { put, seen: nowSeen, conflicting };
}

/** Whether two texts mean the same value. "96.5" and "96,50" are the same price; surrounding spaces do not count. */
function isSameValue(field: EditField, one: string, other: string): boolean {
  if (field === 'price' || field === 'reorderPoint') return wireValue(field, one) === wireValue(field, other);
  if (field === 'barcodes') return linesOf(one).join('\n') === linesOf(other).join('\n');
  return normalText(one) === normalText(other);
}

function wireValue(field: EditField, text: string): Value {
  if (field === 'price') return wirePrice(text);
  if (field === 'barcodes') return linesOf(text);
  if (field === 'sku') return text.trim() === '' ? null : text;
  if (field !== 'reorderPoint') return text;
  if (text.trim() === '') return null;
  const units = checkTypedQuantity(text);
  return units.ok ? units.value : text;
}
