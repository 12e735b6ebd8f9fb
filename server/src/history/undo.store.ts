import type { ProblemCode } from '@perfume/contract/problems';
import { type Edit, isSameValue } from '@perfume/domain/edits';
import type { Item } from '@perfume/domain/items';
import { applyDelta } from '@perfume/domain/ledger';
import type { Db } from '../db/core/database.ts';
import { type Idempotency, type KeyReused, type Replayed, runIdempotent } from '../db/core/idempotency.ts';
import { lockItems } from '../db/core/lock-items.ts';
import { readReorderPoint } from '../db/core/reorder-point.ts';
import type { Queries } from '../db/core/statement.ts';
import { editInTransaction } from '../items/edit.store.ts';
import { type CodeTaken, findTaken } from '../items/item-codes.ts';
import { type Action, type Actor, type FieldChange, selectEventUndoing } from '../items/item-events.ts';
import { toItem } from '../items/item-row.ts';
import { deleteInTransaction, findItem, lockItem, restoreInTransaction, selectItem } from '../items/items.store.ts';
import { changeReorderPoint, propagateReorderPoint } from '../items/reorder-point.store.ts';
import { selectSettingsEventUndoing } from '../items/settings-events.ts';
import { undoInTransaction as undoMovementInTransaction } from '../ledger/ledger.store.ts';
import { type Entry, findEntry } from './history.store.ts';

type Reason = Extract<
  ProblemCode,
  'entry_not_found' | 'already_undone' | 'item_deleted' | 'changed_since' | 'out_of_stock' | 'over_full'
>;
type PreviewReason = Reason | CodeTaken['reason'];
export type Undone = { ok: true; entry: Entry; item: Item | null };
export type UndoRefused = ({ ok: false; reason: Reason; onHand?: number } & Replayed) | CodeTaken | KeyReused;
export type UndoRequest = { entryId: string; id: string; actor: Actor; at: number; batch: string | null };

/** Undoes any entry of the history by adding its opposite, which can be undone in turn. */
export async function undoEntry(
  db: Db,
  request: UndoRequest & { idempotency: Idempotency | null },
): Promise<Undone | UndoRefused> {
  const { dialect } = db;
  const outcome = await runIdempotent<Undone | UndoRefused>(db, request.idempotency, (db) =>
    undoInTransaction(dialect, db, request),
  );
  if (outcome.ok && outcome.entry.kind === 'settings') void propagateReorderPoint(db, request.at).catch(() => {});
  return outcome;
}

async function undoInTransaction(
  dialect: Db['dialect'],
  db: Queries,
  request: UndoRequest,
): Promise<Undone | UndoRefused> {
  const { id, actor, at, batch } = request;
  const undone = await findEntry(db, request.entryId);
  if (!undone) return { ok: false, reason: 'entry_not_found' };
  const { itemId } = undone;
  // Locks the item or setting before the check, so of two people who undo the same entry the second sees the first
  // one's undo.
  if (itemId === null) await lockItems(dialect, db);
  else await lockItem(db, itemId);
  const [earlierUndo] = await (itemId === null ? selectSettingsEventUndoing : selectEventUndoing)(db, undone.id);
  if (earlierUndo) return { ok: false, reason: 'already_undone' };
  const action: Action = { id, actor, at, batch, undoes: undone.id };
  const refusal =
    itemId === null
      ? await restoreSettings(dialect, db, undone, action)
      : await applyOpposite(db, { ...undone, itemId }, action);
  if (refusal) return refusal;
  const entry = await findEntry(db, id);
  if (!entry) throw new Error('an undo is in the history');
  return { ok: true, entry, item: itemId === null ? null : await findItem(db, itemId) };
}

/** Applies the opposite of an entry. Returns null on success, otherwise why it was refused. */
async function applyOpposite(
  db: Queries,
  undone: Entry & { itemId: string },
  action: Action,
): Promise<UndoRefused | null> {
  const { itemId } = undone;
  switch (undone.kind) {
    case 'edited': {
      const { wanted, seen } = reversed(undone.changes);
      const outcome = await editInTransaction(db, { itemId, wanted, seen, action });
      if (!outcome.ok) {
        if (outcome.reason === 'code_taken') return outcome;
        return { ok: false, reason: outcome.reason === 'item_not_found' ? 'item_deleted' : 'changed_since' };
      }
      return outcome.event ? null : { ok: false, reason: 'changed_since' };
    }
    case 'opening':
    case 'restored': {
      const outcome = await deleteInTransaction(db, itemId, action);
      return outcome.ok && outcome.event ? null : { ok: false, reason: 'item_deleted' };
    }
    case 'deleted': {
      const outcome = await restoreInTransaction(db, itemId, action);
      if (!outcome.ok && outcome.reason === 'code_taken') return outcome;
      return outcome.ok && outcome.event ? null : { ok: false, reason: 'changed_since' };
    }
    default: {
      const { id, actor, at, batch } = action;
      const outcome = await undoMovementInTransaction(db, { id, movementId: undone.id, actor, at, batch });
      if (outcome.ok) return null;
      if ('onHand' in outcome) return { ok: false, reason: outcome.reason, onHand: outcome.onHand };
      return { ok: false, reason: outcome.reason === 'already_undone' ? 'already_undone' : 'item_deleted' };
    }
  }
}

/** Sets shared settings back to what they were before an entry. Returns null on success. */
async function restoreSettings(
  dialect: Db['dialect'],
  db: Queries,
  { house, changes }: Entry,
  action: Action,
): Promise<UndoRefused | null> {
  const point = changes.find(({ field }) => field === 'reorderPoint');
  const back = point && { units: Number(point.from), seen: Number(point.to) };
  const isBack = back !== undefined && (await changeReorderPoint(dialect, db, house, back, action));
  return isBack ? null : { ok: false, reason: 'changed_since' };
}

function reversed(changes: FieldChange[]): { wanted: Edit; seen: Edit } {
  return {
    wanted: Object.fromEntries(changes.map(({ field, from }) => [field, from])),
    seen: Object.fromEntries(changes.map(({ field, to }) => [field, to])),
  };
}

export type UndoPreview = {
  possible: boolean;
  reason: PreviewReason | null;
  onHand: number | null;
  effect: {
    kind: 'stock' | 'edited' | 'deleted' | 'restored' | 'settings';
    delta: number | null;
    quantityAfter: number | null;
    changes: FieldChange[];
  } | null;
};

/** Tells what undoing an entry would do now, without doing it; null if there is no such entry. */
export async function previewUndo(db: Queries, entryId: string): Promise<UndoPreview | null> {
  const entry = await findEntry(db, entryId);
  if (!entry) return null;
  const item = entry.itemId === null ? null : await findItem(db, entry.itemId);
  const cannot = (reason: PreviewReason, onHand: number | null = null): UndoPreview => ({
    possible: false,
    reason,
    onHand,
    effect: null,
  });
  const can = (effect: Partial<NonNullable<UndoPreview['effect']>>): UndoPreview => ({
    possible: true,
    reason: null,
    onHand: item?.quantity ?? null,
    effect: { kind: 'stock', delta: null, quantityAfter: null, changes: [], ...effect },
  });
  if (entry.undoneBy) return cannot('already_undone');
  const back = entry.changes.map(({ field, from, to }) => ({ field, from: to, to: from }));
  if (entry.kind === 'settings') {
    const [point] = await readReorderPoint(db, entry.house);
    const isLatest = entry.changes.every(({ to }) => to === point?.units);
    return isLatest ? can({ kind: 'settings', changes: back }) : cannot('changed_since');
  }
  if (entry.kind === 'deleted') {
    if (item) return cannot('changed_since');
    const [deleted] = await selectItem(db, entry.itemId ?? '');
    return deleted && (await findTaken(db, entry.house, toItem(deleted)))
      ? cannot('code_taken')
      : can({ kind: 'restored' });
  }
  if (!item) return cannot('item_deleted');
  if (entry.kind === 'opening' || entry.kind === 'restored') return can({ kind: 'deleted' });
  if (entry.kind === 'edited') {
    const isLatest = entry.changes.every(({ field, to }) => isSameValue(item[field], to));
    if (!isLatest) return cannot('changed_since');
    const isTaken = await findTaken(db, entry.house, { ...item, ...reversed(entry.changes).wanted });
    return isTaken ? cannot('code_taken') : can({ kind: 'edited', changes: back });
  }
  const delta = -(entry.delta ?? 0);
  const fits = applyDelta(item.quantity, delta);
  return fits.ok ? can({ delta, quantityAfter: fits.after }) : cannot(fits.reason, item.quantity);
}
