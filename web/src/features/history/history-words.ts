import type { HistoryKind, WireEntry } from '@perfume/contract/history';
import { fromWireName } from '@perfume/contract/wire-item';
import type { Action, What } from '../../live/undo-stack.ts';
import type { Key } from '../../words/catalogues.ts';
import type { Words } from '../../words/words.tsx';
import type { ManyDone } from './undo-batch.ts';

/** What happened, in one or two words. */
export function entryLabel({ kind, undoneKind, delta }: WireEntry, { say }: Pick<Words, 'say'>): string {
  if (kind !== 'undo') return say(`history.kind.${kind}`);
  if (undoneKind === 'correction') return say('history.undone.correction');
  if (undoneKind !== 'deliver' && undoneKind !== 'restock') return say('history.kind.undo');
  return say(`history.${reverses(undoneKind, delta) ? 'undone' : 'again'}.${undoneKind}`);
}

/** Whether an undo movement reverses the first one, or performs it again. */
function reverses(first: 'deliver' | 'restock', delta: number | null): boolean {
  return first === 'deliver' ? (delta ?? 0) > 0 : (delta ?? 0) < 0;
}

/** Whether undoing this entry performs again what an undo had reversed. */
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

/** The action behind an entry. */
export function whatOf(entry: WireEntry): What {
  const { itemName: name, delta } = entry;
  const kind = entry.kind === 'undo' ? (entry.undoneKind ?? 'undo') : entry.kind;
  if (kind === 'deliver' || kind === 'restock') return { kind, name, count: Math.abs(delta ?? 0) };
  return { kind: actions[kind], name };
}

const many: Partial<Record<HistoryKind, ManyDone['kind']>> = {
  deliver: 'deliverEach',
  undo: 'deliverEach',
  deleted: 'deleteMany',
  restored: 'restoreMany',
};

/** The action behind a batch. */
export function whatOfMany({ kind }: WireEntry, count: number): ManyDone {
  return { kind: many[kind] ?? 'deliverEach', count };
}

export function whatText(what: What, { say }: Pick<Words, 'say'>): string {
  switch (what.kind) {
    case 'deliver':
    case 'restock':
      return say(`undo.what.${what.kind}`, what);
    case 'deliverEach':
    case 'deleteMany':
    case 'restoreMany':
      return say(`undo.what.${what.kind}`, what);
    default:
      return say(`undo.what.${what.kind}`, what);
  }
}

/** The text for an action, or for its undo. */
export function actionText({ what, isUndo }: Pick<Action, 'what' | 'isUndo'>, words: Pick<Words, 'say'>): string {
  const text = whatText(what, words);
  return isUndo ? words.say('undo.what.undo', { what: text }) : text;
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
};

/** The label of a field, by our name or the wire's; a field unknown to this version is shown by its own name. */
export function fieldLabel(field: string, { say }: Pick<Words, 'say'>): string {
  const key = fields[fromWireName(field)];
  return key ? say(key) : field;
}

/** A field's value, formatted. */
export function valueText(field: string, value: string | number | null, { say, money, number }: Words): string {
  if (value === null) return say('history.warehouseSetting');
  if (field === 'price' && typeof value === 'number') return money(Math.round(value * 100));
  return typeof value === 'number' ? number(value) : value;
}

const LONG = 70;
const BEFORE = 24;

/** Cuts two long texts to start just before they differ. */
export function changedPart(from: string, to: string): [from: string, to: string] {
  if (from.length <= LONG && to.length <= LONG) return [from, to];
  let same = 0;
  while (same < from.length && from[same] === to[same]) same++;
  const space = from.lastIndexOf(' ', Math.max(0, same - BEFORE));
  if (same <= BEFORE || space <= 0) return [from, to];
  return [from, to].map((text) => `…${text.slice(space + 1)}`) as [string, string];
}

/** "−1", "+12", with a true minus. */
export function signed(delta: number, locale: string): string {
  return new Intl.NumberFormat(locale, { signDisplay: 'exceptZero' }).format(delta).replace('-', '\u2212');
}
