/** What people can change of an item besides its stock. */
export type EditableItem = {
  name: string;
  priceCents: number;
  imageUrl: string;
  description: string;
  supplierName: string;
  email: string;
  reorderPoint: number | null;
};
export type EditableField = keyof EditableItem;
export type Edit = Partial<EditableItem>;

/**
 * Two people edit one item. What nobody else touched since it was seen is taken over; a field that somebody else has
 * changed to something else in the meantime is a conflict, and the person is asked.
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
