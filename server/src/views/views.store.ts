import { MAX_VIEWS, type ViewPage } from '@perfume/domain/views';
import { insertChange } from '../db/core/changes.ts';
import type { Db } from '../db/core/database.ts';
import { type Idempotency, type KeyReused, type Replayed, runIdempotent } from '../db/core/idempotency.ts';
import { insertRow } from '../db/core/insert-row.ts';
import { type Queries, statement } from '../db/core/statement.ts';
import type { ViewRow } from '../db/core/tables.ts';

const MAX_LISTED = 1_000;
/** How long a deletion can be undone. */
const RESTORABLE_MS = 24 * 60 * 60 * 1_000;

/** A view with the name of whoever saved it. */
export type View = ViewRow & { owner: string };
/** Whose view it is. Everything here is about the views of one person in one house. */
export type Owner = { house: number; userId: string };
export type ViewFields = { name: string; page: ViewPage; query: string; shared: boolean; pinned: boolean };
type ChangedFields = { [Field in keyof ViewFields]?: ViewFields[Field] | undefined };

type Refusal<Reason> = { ok: false; reason: Reason } & Replayed;

/** The views that a person sees: their own, and those that others share. */
export function listViews(db: Queries, { house, userId }: Owner): Promise<View[]> {
  return selectVisible(db, house, userId);
}

export async function createView(
  db: Db,
  { house, userId }: Owner,
  creation: { id: string; fields: ViewFields; at: number; idempotency: Idempotency | null },
): Promise<{ ok: true; view: View } | Refusal<'too_many_views'> | KeyReused> {
  const { id, fields, at, idempotency } = creation;
  const { name, page, query, shared, pinned } = fields;
  return runIdempotent<{ ok: true; view: View } | Refusal<'too_many_views'>>(db, idempotency, async (db) => {
    // Two requests at once wait for each other here, so they cannot both take the last place.
    await lockUser(db, userId);
    if (await isFull(db, userId)) return { ok: false, reason: 'too_many_views' };
    await insertRow(db, 'views', {
      id,
      house,
      user_id: userId,
      name,
      page,
      query,
      shared: shared ? 1 : 0,
      pinned: pinned ? 1 : 0,
      created_at: at,
      updated_at: at,
    });
    await insertChange(db, house, '', 'view', at);
    return { ok: true, view: await ownView(db, id) };
  });
}

/** Changes some fields of a view. A deleted view is there again. */
export async function changeView(
  db: Db,
  { house, userId }: Owner,
  change: { id: string; fields: ChangedFields; at: number },
): Promise<{ ok: true; view: View } | Refusal<'view_not_found' | 'too_many_views'>> {
  const { id, fields, at } = change;
  return db.change(async (db) => {
    await lockUser(db, userId);
    const [view] = await selectOwn(db, house, userId, id);
    if (!view || isGone(view, at)) return { ok: false, reason: 'view_not_found' };
    if (view.deleted_at !== null && (await isFull(db, userId))) return { ok: false, reason: 'too_many_views' };
    const { name = view.name, page = view.page, query = view.query } = fields;
    const { shared = view.shared === 1, pinned = view.pinned === 1 } = fields;
    await updateView(db, id, name, page, query, shared ? 1 : 0, pinned ? 1 : 0, at);
    await insertChange(db, house, '', 'view', at);
    return { ok: true, view: await ownView(db, id) };
  });
}

/** Deletes a view. Returns whether it existed: a deletion that is repeated succeeds again. */
export async function deleteView(db: Db, { house, userId }: Owner, id: string, at: number): Promise<boolean> {
  return db.change(async (db) => {
    await lockUser(db, userId);
    const [view] = await selectOwn(db, house, userId, id);
    if (!view || isGone(view, at)) return false;
    if (view.deleted_at !== null) return true;
    await markDeleted(db, id, at);
    await removeOld(db, userId, at - RESTORABLE_MS);
    await insertChange(db, house, '', 'view', at);
    return true;
  });
}

function isGone({ deleted_at }: ViewRow, at: number): boolean {
  return deleted_at !== null && deleted_at < at - RESTORABLE_MS;
}

async function isFull(db: Queries, userId: string): Promise<boolean> {
  const [own] = await countOwn(db, userId);
  return (own?.count ?? 0) >= MAX_VIEWS;
}

async function ownView(db: Queries, id: string): Promise<View> {
  const [view] = await selectView(db, id);
  if (!view) throw new Error('the view was just written');
  return view;
}

const VIEW = 'select v.*, users.name as owner from views v join users on users.id = v.user_id';

const selectView = statement<View, [id: string]>(`${VIEW} where v.id = $1`);
const selectVisible = statement<View, [house: number, userId: string]>(
  `select * from (
     ${VIEW} where v.house = $1 and v.user_id = $2 and v.deleted_at is null
     union all ${VIEW} where v.house = $1 and v.user_id <> $2 and v.shared = 1 and v.deleted_at is null) as visible
   order by case when user_id = $2 then 0 else 1 end, created_at desc, id desc limit ${MAX_LISTED}`,
);
const lockUser = statement<never, [userId: string]>('update users set updated_at = updated_at where id = $1');
const countOwn = statement<{ count: number }, [userId: string]>(
  'select count(*) as count from views where user_id = $1 and deleted_at is null',
);
const selectOwn = statement<ViewRow, [house: number, userId: string, id: string]>(
  'select * from views where house = $1 and user_id = $2 and id = $3',
);
const updateView = statement<
  never,
  [id: string, name: string, page: ViewPage, query: string, shared: 0 | 1, pinned: 0 | 1, at: number]
>(
  `update views set name = $2, page = $3, query = $4, shared = $5, pinned = $6, updated_at = $7, deleted_at = null
   where id = $1`,
);
const markDeleted = statement<never, [id: string, at: number]>('update views set deleted_at = $2 where id = $1');
const removeOld = statement<never, [userId: string, before: number]>(
  'delete from views where user_id = $1 and deleted_at < $2',
);
