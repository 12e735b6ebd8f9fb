import type { Item } from './items.ts';

/** The fields of an item that people can edit. The quantity is changed by movements. */
export const editableFields = [
  'name',
  'priceCents',
  'imageUrl',
  'description',
  'supplierName',
  'email',
  'reorderPoint',
  'sku',
  'barcodes',
] as const satisfies (keyof Item)[];

export type EditableField = (typeof editableFields)[number];
export type EditableItem = Pick<Item, EditableField>;
export type FieldValue = EditableItem[EditableField];
export type Edit = Partial<EditableItem>;

/**
 * Merges an edit with the edits others made since `seen`. A field is a conflict if it no longer has the value that was
 * seen; all other wanted fields are applied.
 */
export function mergeEdit(
  current: EditableItem,
  seen: Edit,
  wanted: Edit,
): { changed: EditableField[]; conflicts: EditableField[] } {
  const changed: EditableField[] = [];
  const conflicts: EditableField[] = [];
  for (const field of Object.keys(wanted) as EditableField[]) {
    if (isSameValue(wanted[field], current[field])) continue;
    if (field in seen && !isSameValue(seen[field], current[field])) conflicts.push(field);
    else changed.push(field);
  }
  return { changed, conflicts };
}

/** Compares two values of a field. Lists are the same if they have the same elements in the same order. */
export function isSameValue(a: FieldValue | undefined, b: FieldValue | undefined): boolean {
  return a === b || (Array.isArray(a) && JSON.stringify(a) === JSON.stringify(b));
}
