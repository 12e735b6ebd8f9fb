import type { Item } from './items.ts';

/** What people can change of an item besides its stock. */
export const editableFields = [
  'name',
  'priceCents',
  'imageUrl',
  'description',
  'supplierName',
  'email',
  'reorderPoint',
] as const satisfies (keyof Item)[];

export type EditableField = (typeof editableFields)[number];
export type EditableItem = Pick<Item, EditableField>;
export type Edit = Partial<EditableItem>;

/**
 * Merges two people's edits of one item. A field is a conflict when somebody else has changed it since the person saw it;
 * all other wanted fields are applied.
 */
export function mergeEdit(
  current: EditableItem,
  seen: Edit,
  wanted: Edit,
): { changed: EditableField[]; conflicts: EditableField[] } {
  const changed: EditableField[] = [];
  const conflicts: EditableField[] = [];
  for (const field of Object.keys(wanted) as EditableField[]) {
    if (wanted[field] === current[field]) continue;
    if (field in seen && seen[field] !== current[field]) conflicts.push(field);
    else changed.push(field);
  }
  return { changed, conflicts };
}
