import { listScope, MAX_VIEW_EMAILS, MAX_VIEWS, type ViewPage } from '@perfume/domain/views';
import { insertChange } from '../db/core/changes.ts';
import type { Db } from '../db/core/database.ts';
import { type Idempotency, type KeyReused, type Replayed, runIdempotent } from '../db/core/idempotency.ts';
import { insertRow } from '../db/core/insert-row.ts';
import { type Queries, statement } from '../db/core/statement.ts';
import type { ViewRow } from '../db/core/tables.ts';

const MAX_LISTED = 1_000;
/** How long a deletion can be undone. */
const RESTORABLE_MS = 24 * 60 * 60 * 1_000;

/** A view with the name of whoever saved it, and whether the person who reads it gets emails about it. */
export type View = ViewRow & { owner: string; email: 0 | 1 };
/** Whose view it is. Everything here is about the views of one person in one house. */
export type Owner = { house: number; userId: string };
export type ViewFields = {
  name: string;
  page: ViewPage;
  query: string;
  shared: boolean;
  pinned: boolean;
  email: boolean;
};
type ChangedFields = { [Field in keyof ViewFields]?: ViewFields[Field] | undefined };

type EmailReason = 'view_without_items' | 'too_many_view_emails';
export type Reason = 'view_not_found' | 'too_many_views' | EmailReason;
type Refusal<Why extends Reason> = { ok: false; reason: Why } & Replayed;

/** The views that a person sees: their own, and those that others share. */
export function listViews(db: Queries, { house, userId }: Owner): Promise<View[]> {
  return selectVisible(db, house, userId);
}

export async function createView(
  db: Db,
  { house, userId }: Owner,
  creation: { id: string; fields: ViewFields; at: number; idempotency: Idempotency | null },
): Promise<{ ok: true; view: View } | Refusal<'too_many_views' | EmailReason> | KeyReused> {
  const { id, fields, at, idempotency } = creation;
  const { name, page, query, shared, pinned, email } = fields;
  return runIdempotent<{ ok: true; view: View } | Refusal<'too_many_views' | EmailReason>>(
    db,
    idempotency,
    async (db) => {
      // Two requests at once wait for each other here, so they cannot both take the last place.
      await lockUser(db, userId);
      if (await isFull(db, userId)) return { ok: false, reason: 'too_many_views' };
      const reason = email ? await whyNoEmail(db, userId, page) : null;
      if (reason) return { ok: false, reason };
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
      if (email) await insertEmail(db, id, userId);
      await insertChange(db, house, '', 'view', at);
      return { ok: true, view: await visibleView(db, id, userId) };
    },
  );
}

/**
 * Changes some fields of a view. A deleted view is there again. Of a view that somebody else shares, a person can change
 * only whether they get emails.
 */
export async function changeView(
  db: Db,
  { house, userId }: Owner,
  change: { id: string; fields: ChangedFields; at: number },
): Promise<{ ok: true; view: View } | Refusal<Reason>> {
  const { id, at } = change;
  const { email, ...fields } = change.fields;
  const changesView = email === undefined || Object.values(fields).some((value) => value !== undefined);
  return db.change(async (db) => {
    await lockUser(db, userId);
    const [view] = await selectView(db, id, userId, house);
    const isOwn = view?.user_id === userId;
    if (!view || isGone(view, at) || (changesView && !isOwn)) return { ok: false, reason: 'view_not_found' };
    if (view.deleted_at !== null && (await isFull(db, userId))) return { ok: false, reason: 'too_many_views' };
    const { name = view.name, page = view.page, query = view.query } = fields;
    const { shared = view.shared === 1, pinned = view.pinned === 1 } = fields;
    const reason = email && view.email === 0 ? await whyNoEmail(db, userId, page) : null;
    if (reason) return { ok: false, reason };
    if (changesView || view.deleted_at !== null)
      await updateView(db, id, name, page, query, shared ? 1 : 0, pinned ? 1 : 0, at);
    if (listScope(page) === null) await deleteEmails(db, id);
    // With other filters, an item that was always there must not look new.
    else if (page !== view.page || query !== view.query) await forgetZero(db, id);
    if (email === true) await insertEmail(db, id, userId);
    if (email === false) await deleteEmail(db, id, userId);
    await insertChange(db, house, '', 'view', at);
    return { ok: true, view: await visibleView(db, id, userId) };
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

/** Returns why a person cannot get emails about one more view, of this page; null if they can. */
async function whyNoEmail(db: Queries, userId: string, page: ViewPage): Promise<EmailReason | null> {
  if (listScope(page) === null) return 'view_without_items';
  await deleteUnseenEmails(db, userId);
  const [emails] = await countEmails(db, userId);
  return (emails?.count ?? 0) >= MAX_VIEW_EMAILS ? 'too_many_view_emails' : null;
}

async function visibleView(db: Queries, id: string, userId: string): Promise<View> {
  const [view] = await selectWritten(db, id, userId);
  if (!view) throw new Error('the view was just written');
  return view;
}

/** `$2` is the person who reads. */
const VIEW = `select v.*, users.name as owner,
    case when exists (select 1 from view_emails e where e.view_id = v.id and e.user_id = $2) then 1 else 0 end as email
  from views v join users on users.id = v.user_id`;

const selectWritten = statement<View, [id: string, userId: string]>(`${VIEW} where v.id = $1`);
const selectView = statement<View, [id: string, userId: string, house: number]>(
  `${VIEW} where v.id = $1 and v.house = $3 and (v.user_id = $2 or (v.shared = 1 and v.deleted_at is null))`,
);
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
// Those of views that the person no longer sees would use up places, or come back beyond the limit.
const deleteUnseenEmails = statement<never, [userId: string]>(
  `delete from view_emails where user_id = $1 and view_id in (select id from views
     where deleted_at is not null or (user_id <> $1 and shared = 0))`,
);
const countEmails = statement<{ count: number }, [userId: string]>(
  'select count(*) as count from view_emails where user_id = $1',
);
// Whether the view is empty is found out soon, when the server first looks at it.
const insertEmail = statement<never, [id: string, userId: string]>(
  'insert into view_emails (view_id, user_id, was_zero) values ($1, $2, 0) on conflict do nothing',
);
const deleteEmail = statement<never, [id: string, userId: string]>(
  'delete from view_emails where view_id = $1 and user_id = $2',
);
const deleteEmails = statement<never, [id: string]>('delete from view_emails where view_id = $1');
const forgetZero = statement<never, [id: string]>('update view_emails set was_zero = 0 where view_id = $1');
