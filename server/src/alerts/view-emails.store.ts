import type { ViewPage } from '@perfume/domain/views';
import { type Queries, statement } from '../db/core/statement.ts';
import { type Access, HOUSE_NAME, PEOPLE, perAccess } from './people.ts';

/** Somebody who gets an email when a view is no longer empty. */
export type ViewReader = {
  viewId: string;
  userId: string;
  house: number;
  /** Null if the person is in one house only. */
  houseName: string | null;
  name: string;
  page: ViewPage;
  query: string;
  email: string;
  emailKey: string;
  /** 1 if the view was empty when it was last looked at. */
  wasZero: number;
};

/** A position in the fixed order of the readers. */
export type ReaderPosition = Pick<ViewReader, 'viewId' | 'userId'>;

/** The next readers in turn. Whoever no longer sees the view, has left its house or cannot log in is not among them. */
export function viewReaders(
  db: Queries,
  access: Access,
  { after, max }: { after: ReaderPosition | null; max: number },
): Promise<ViewReader[]> {
  return selectReaders[access](db, after?.viewId ?? '', after?.userId ?? '', max);
}

/** Whether somebody still is a reader. */
export async function isReader(
  db: Queries,
  access: Access,
  { viewId, userId }: Pick<ViewReader, 'viewId' | 'userId'>,
): Promise<boolean> {
  return (await selectReader[access](db, viewId, userId)).length > 0;
}

const READERS = perAccess(
  (access) => `view_emails e join views c on c.id = e.view_id join users u on u.id = e.user_id
   join ${PEOPLE[access]} on people.user_id = e.user_id and people.house = c.house
   where c.deleted_at is null and (c.user_id = e.user_id or c.shared = 1)
     and u.email_verified = 1 and u.email_key is not null and u.disabled_at is null`,
);

const selectReaders = perAccess((access) =>
  statement<ViewReader, [viewId: string, userId: string, max: number]>(
    `select e.view_id as "viewId", e.user_id as "userId", c.house, ${HOUSE_NAME[access]} as "houseName", c.name, c.page,
     c.query, u.email, u.email_key as "emailKey", e.was_zero as "wasZero"
   from ${READERS[access]} and (e.view_id, e.user_id) > ($1, $2) order by e.view_id, e.user_id limit $3`,
  ),
);

const selectReader = perAccess((access) =>
  statement<{ view_id: string }, [viewId: string, userId: string]>(
    `select e.view_id from ${READERS[access]} and e.view_id = $1 and e.user_id = $2`,
  ),
);

export const markZero = statement<never, [viewId: string, userId: string]>(
  'update view_emails set was_zero = 1 where view_id = $1 and user_id = $2 and was_zero = 0',
);

/** Claims the email of a view that is no longer empty. If another server was first, no row is returned. */
export const claimViewEmail = statement<{ view_id: string }, [viewId: string, userId: string, at: number]>(
  `update view_emails set was_zero = 0, last_sent = $3 where view_id = $1 and user_id = $2 and was_zero = 1
   returning view_id`,
);
