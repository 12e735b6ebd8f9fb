import type { HistoryKind, WireEntry } from '@perfume/contract/history';
import { fromWireName } from '@perfume/contract/wire-item';
import type { FieldValue } from '@perfume/domain/edits';
import type { What } from '../../live/undo-stack.ts';
import type { Key } from '../../words/catalogues.ts';
import type { Words } from '../../words/words.tsx';
import type { ManyDone } from './undo-batch.ts';

/** Returns the words for what happened, such as "Delivered". */
export function entryLabel({ kind, undoneKind, delta }: WireEntry, { say }: Pick<Words, 'say'>): string {
  if (kind !== 'undo') return say(`history.kind.${kind}`);
  if (undoneKind === 'correction') return say('history.undone.correction');
  if (undoneKind !== 'deliver' && undoneKind !== 'restock') return say('history.kind.undo');
  return say(`history.${reverses(undoneKind, delta) ? 'undone' : 'again'}.${undoneKind}`);
}

/** Whether an undo movement with this `delta` reverses the `first` movement. Otherwise it performs it again. */
function reverses(first: 'deliver' | 'restock', delta: number | null): boolean {
  return first === 'deliver' ? (delta ?? 0) > 0 : (delta ?? 0) < 0;
}

/** Whether undoing this entry is a redo: the entry reversed a delivery or restock, which would be performed again. */
export function isRedo({ kind, undoneKind, delta }: WireEntry): boolean {
  return kind === 'undo' && (undoneKind === 'deliver' || undoneKind === 'restock') && reverses(undoneKind, delta);
}

const actions = {
  opening: 'create',
  correction: 'correct',
  undo: 'correct',
  edited: 'edit',
  deleted: 'delete',
  restored: 'restore',
} as const;

/** Returns the name of what an entry changed: an item, or the warehouse. */
export function nameOf({ itemName }: WireEntry, { say }: Pick<Words, 'say'>): string {
  return itemName ?? say('history.warehouse');
}

/** Returns the action that an entry records. For an undo, this is the action that was undone. */
export function whatOf(entry: WireEntry): What {
  const { delta } = entry;
  const name = entry.itemName ?? '';
  const kind = entry.kind === 'undo' ? (entry.undoneKind ?? 'undo') : entry.kind;
  if (kind === 'settings') return { kind };
  if (kind === 'deliver' || kind === 'restock') return { kind, name, count: Math.abs(delta ?? 0) };
  return { kind: actions[kind], name };
}

const many: Partial<Record<HistoryKind, Exclude<ManyDone, { units: number }>['kind']>> = {
  correction: 'correctMany',
  deleted: 'deleteMany',
  restored: 'restoreMany',
  opening: 'importMany',
};

/** Returns the bulk action that an entry is part of. `count` is the number of its rows. */
export function whatOfMany({ kind, undoneKind, delta }: WireEntry, count: number): ManyDone {
  const first = kind === 'undo' ? (undoneKind ?? kind) : kind;
  if (first === 'deliver' || first === 'restock') return { kind: `${first}Each`, count, units: Math.abs(delta ?? 0) };
  return { kind: many[first] ?? 'editMany', count };
}

type FieldKey = Extract<Key, `history.field.${string}`>;
const fields: Record<string, FieldKey> = {
  name: 'history.field.name',
  price: 'history.field.price',
  imageUrl: 'history.field.imageUrl',
  description: 'history.field.description',
  supplierName: 'history.field.supplierName',
  email: 'history.field.email',
  reorderPoint: 'history.field.reorderPoint',
  sku: 'history.field.sku',
  barcodes: 'history.field.barcodes',
};

/** Returns the label of a field, given its name in the app or in the API. An unknown field keeps its name. */
export function fieldLabel(field: string, { say }: Pick<Words, 'say'>): string {
  const key = fields[fromWireName(field)];
  return key ? say(key) : field;
}

/** Formats the value of a field. A reorder point that is null follows the setting of the warehouse. */
export function valueText(field: string, value: FieldValue, { say, money, number }: Words): string {
  if (Array.isArray(value)) return value.length === 0 ? say('history.noValue') : value.join(', ');
  if (value === null && field === 'sku') return say('history.noValue');
  if (value === null) return say('history.warehouseSetting');
  if (field === 'price' && typeof value === 'number') return money(Math.round(value * 100));
  return typeof value === 'number' ? number(value) : value;
}

const LONG = 70;
const BEFORE = 24;

/** Shortens two long texts, so that both start shortly before the first difference. */
export function changedPart(from: string, to: string): [from: string, to: string] {
  if (from.length <= LONG && to.length <= LONG) return [from, to];
  let same = 0;
  while (same < from.length && from[same] === to[same]) same++;
  const space = from.lastIndexOf(' ', Math.max(0, same - BEFORE));
  if (same <= BEFORE || space <= 0) return [from, to];
  return [from, to].map((text) => `…${text.slice(space + 1)}`) as [string, string];
}
