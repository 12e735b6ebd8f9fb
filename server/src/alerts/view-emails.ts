import type { personBudget } from '../http/budgets.ts';
import { anyItem, type ListRequest, listItems } from '../items/items.list.ts';
import { emails } from '../mail/emails.ts';
import { listOfView } from '../views/view-list.ts';
import type { AlertEmailDeps } from './alert-emails.ts';
import { countViewEmail, isAtLimit } from './instant-readers.store.ts';
import {
  claimViewEmail,
  isReader,
  markZero,
  type ReaderPosition,
  type ViewReader,
  viewReaders,
} from './view-emails.store.ts';

type Log = { warn(facts: object, message: string): void };

/** How many views one call looks at. */
export const MAX_VIEWS_AT_ONCE = 20;
const MAX_LINES = 10;

/**
 * How many milliseconds the looks at the views of one person may take: a search can be slow, and everybody's long
 * questions wait for it. Each server counts for itself.
 */
export const LOOK_BUDGET = { burst: 4_000, perSecond: 20 };
export type Looks = ReturnType<typeof personBudget>;

/**
 * Looks at some views about which people want an email, and sends one for each that was empty and is not any more.
 * Returns after which position to go on; null if these were the last ones. The email is claimed in the database first,
 * so only one of several servers sends it; if that server crashes before sending, it is not sent at all.
 */
export async function sendViewEmails(
  deps: AlertEmailDeps & { log: Log },
  after: ReaderPosition | null,
  looks: Looks,
): Promise<ReaderPosition | null> {
  const { db, access, log } = deps;
  const readers = await viewReaders(db.query, access, { after, max: MAX_VIEWS_AT_ONCE });
  // Many people may want an email about the same view.
  const known = new Map<string, boolean>();
  for (const reader of readers) {
    if (looks.spend(reader.userId, 0) !== null) continue;
    const startedAt = performance.now();
    try {
      const view = listOfView(reader);
      if (view === null) continue;
      const list = { ...view, limit: MAX_LINES, after: null, skip: 0 };
      const key = JSON.stringify([list.house, list.emailKey, list.q, list.stock]);
      const hasItems = known.get(key) ?? (await anyItem(db, list));
      known.set(key, hasItems);
      if (hasItems && reader.wasZero === 1) await sendViewEmail(deps, reader, list);
      if (!hasItems && reader.wasZero === 0)
        await db.change((db) => markZero(db, reader.viewId, reader.userId), { repeatable: true });
    } catch (error) {
      // A view that cannot be read, such as one whose search takes too long, keeps no other from its email.
      log.warn({ err: error, view: reader.viewId }, 'a saved view could not be checked for its email');
    }
    looks.add(reader.userId, performance.now() - startedAt);
  }
  return readers.length < MAX_VIEWS_AT_ONCE ? null : (readers.at(-1) ?? null);
}

async function sendViewEmail(
  { db, access, mailer, address, clock }: AlertEmailDeps,
  reader: ViewReader,
  list: ListRequest,
): Promise<void> {
  const { viewId, userId } = reader;
  // If the view still has items when the limit allows an email again, it is sent then.
  if (await isAtLimit(db.query, reader, clock())) return;
  const { items, total } = await listItems(db, list);
  if (total === 0) return;
  const isClaimed = await db.change(async (db) => {
    if (!(await isReader(db, access, reader))) return false;
    const now = clock();
    if ((await claimViewEmail(db, viewId, userId, now)).length === 0) return false;
    if (await countViewEmail(db, reader, now)) return true;
    // Another email has just reached the limit.
    await markZero(db, viewId, userId);
    return false;
  });
  if (!isClaimed) return;
  const home = address();
  const lines = items.map(({ id, name, quantity }) => ({ name, quantity, url: `${home}/dashboard/inventory/${id}` }));
  const links = { view: `${home}/dashboard/saved/${viewId}`, saved: `${home}/dashboard/saved` };
  mailer.send(emails.viewFilled(reader.email, reader, { lines, total }, links));
}
