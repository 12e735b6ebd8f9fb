import type { Selectable } from 'kysely';
import { insertChange } from '../db/core/changes.ts';
import type { Db } from '../db/core/database.ts';
import { type Idempotency, type KeyReused, type Replayed, runIdempotent } from '../db/core/idempotency.ts';
import { insertRow } from '../db/core/insert-row.ts';
import { type Queries, queryRows, statement } from '../db/core/statement.ts';
import type { CountSessionRow } from '../db/core/tables.ts';
import type { Actor } from '../items/item-events.ts';
import { type Filter, filterOf, longRead } from '../items/items.list.ts';
import { IN_DOUBT } from './doubt.ts';

const MAX_OPEN_PER_PERSON = 20;
/** Whoever has counted nothing for this long is no longer shown as counting. */
const COUNTING_MS = 15 * 60 * 1_000;
const RECENT_ENTRIES = 300;

export type SessionRow = Selectable<CountSessionRow>;
/** A session with the names to show, null for accounts that were removed. */
export type Session = SessionRow & { opener: string | null; closer: string | null; changer: string | null };

export type CountFilter = Pick<SessionRow, 'q' | 'stock' | 'mine'>;
export type SessionRefusal = Replayed & ({ ok: false; reason: 'count_not_found' | 'count_closed' } | KeyReused);

export async function openSession(
  db: Db,
  request: {
    house: number;
    id: string;
    name: string;
    filter: CountFilter;
    blind: 0 | 1;
    actor: Actor;
    at: number;
    idempotency: Idempotency | null;
  },
): Promise<{ ok: true; session: Session } | ({ ok: false; reason: 'too_many_counts' } & Replayed) | KeyReused> {
  const { house, id, name, filter, blind, actor, at, idempotency } = request;
  return runIdempotent<{ ok: true; session: Session } | { ok: false; reason: 'too_many_counts' }>(
    db,
    idempotency,
    async (db) => {
      const [open] = await countOpen(db, actor.id);
      if ((open?.count ?? 0) >= MAX_OPEN_PER_PERSON) return { ok: false, reason: 'too_many_counts' };
      const opened = { opened_by: actor.id, opened_at: at };
      await insertRow(db, 'count_sessions', { house, id, name, ...filter, blind, ...opened, state: 'open' });
      await insertChange(db, house, id, 'count', at);
      const [session] = await selectSession(db, id);
      if (!session) throw new Error('the session was just inserted');
      return { ok: true, session };
    },
  );
}

export async function findSession(db: Queries, id: string): Promise<Session | null> {
  const [session] = await selectSession(db, id);
  return session ?? null;
}

export async function listSessions(
  db: Queries,
  page: { house: number; state: SessionRow['state'] | null; before: number | null; limit: number },
): Promise<{ sessions: Session[]; next: number | null }> {
  const params: unknown[] = [page.limit + 1, page.house];
  const where = ['c.house = $2'];
  if (page.state) where.push(`c.state = $${params.push(page.state)}`);
  if (page.before !== null) where.push(`c.num < $${params.push(page.before)}`);
  const rows = await queryRows<Session>(
    db,
    `${SESSION} where ${where.join(' and ')} order by c.num desc limit $1`,
    params,
  );
  const sessions = rows.slice(0, page.limit);
  return { sessions, next: rows.length > page.limit ? (sessions.at(-1)?.num ?? null) : null };
}

/** Renames a session, cancels it, or opens a cancelled one again. A posted session keeps its state. */
export async function changeSession(
  db: Db,
  request: { id: string; name: string | undefined; state: 'open' | 'cancelled' | undefined; actor: Actor; at: number },
): Promise<{ ok: true; session: Session } | SessionRefusal> {
  const { id, name, state, actor, at } = request;
  return db.change(async (db) => {
    const [session] = await lockSession(db, id);
    if (!session) return { ok: false, reason: 'count_not_found' };
    if (state !== undefined && state !== session.state) {
      if (session.state !== 'open' && session.state !== 'cancelled') return { ok: false, reason: 'count_closed' };
      const closer = state === 'cancelled' ? actor : null;
      await setState(db, id, state, closer?.id ?? null, closer && at);
    }
    if (name !== undefined) await setName(db, id, name);
    await setChanger(db, id, actor.id, at);
    await insertChange(db, session.house, id, 'count', at);
    const [changed] = await selectSession(db, id);
    if (!changed) throw new Error('a session is never removed');
    return { ok: true, session: changed };
  });
}

/** The items of a session that are not deleted, as SQL. Items that are added or edited later belong to it too. */
export async function scopeOf(db: Db, { house, q, stock, mine, opened_by }: SessionRow): Promise<Filter> {
  const filter = await filterOf(db, { house, q, stock, emailKey: null });
  if (mine)
    filter.where.push(
      `items.email_key = (select users.email_key from users where users.id = $${filter.params.push(opened_by)})`,
    );
  return filter;
}

export type Figures = {
  uncounted: number;
  counted: number;
  differing: number;
  unitsOver: number;
  unitsShort: number;
  valueCents: number;
  toCheck: number;
};

/**
 * Returns a function that reads the progress of a session. One run at a time per session: requests that come meanwhile
 * share the next one, however many screens ask after a scan. So no answer is older than its request.
 */
export function figuresReader(db: Db): (session: SessionRow) => Promise<Figures> {
  const running = new Map<string, Promise<Figures>>();
  const waiting = new Map<string, Promise<Figures>>();

  function run(session: SessionRow): Promise<Figures> {
    const figures = readFigures(db, session).finally(() => running.delete(session.id));
    running.set(session.id, figures);
    return figures;
  }

  return (session) => {
    const current = running.get(session.id);
    if (!current) return run(session);
    const next =
      waiting.get(session.id) ??
      current
        .catch(() => {})
        .then(() => {
          waiting.delete(session.id);
          return run(session);
        });
    waiting.set(session.id, next);
    return next;
  };
}

/** The time grows with the number of items in the session, so it runs beside other requests. */
async function readFigures(db: Db, session: SessionRow): Promise<Figures> {
  const scope = await scopeOf(db, session);
  const id = `$${scope.params.push(session.id)}`;
  const [found] = await longRead(db, scope)<Figures>(
    `select (select count(*) from ${scope.from} where ${scope.where.join(' and ')} and not exists (
         select 1 from count_lines where session_id = ${id} and item_id = items.id)) as "uncounted",
       count(*) as "counted",
       coalesce(sum(case when l.difference <> 0 then 1 else 0 end), 0) as "differing",
       cast(coalesce(sum(case when l.difference > 0 then l.difference else 0 end), 0) as bigint) as "unitsOver",
       cast(coalesce(sum(case when l.difference < 0 then -l.difference else 0 end), 0) as bigint) as "unitsShort",
       coalesce(sum(cast(l.difference as double precision) * items.price_cents), 0) as "valueCents",
       coalesce(sum(case when ${IN_DOUBT} then 1 else 0 end), 0) as "toCheck"
     from count_lines l join items on items.id = l.item_id where l.session_id = ${id}`,
    scope.params,
  );
  if (!found) throw new Error('an aggregate has one row');
  return found;
}

export type Counter = { actorId: string; actorName: string | null; at: number; itemId: string; itemName: string };

/** The people who counted in the last minutes, each with their latest entry, the latest first. */
export async function listCounters(db: Queries, sessionId: string, now: number): Promise<Counter[]> {
  const latest = new Map<string, Counter>();
  for (const entry of await selectRecent(db, sessionId, now - COUNTING_MS, RECENT_ENTRIES))
    if (!latest.has(entry.actorId)) latest.set(entry.actorId, entry);
  return [...latest.values()];
}

const SESSION = `select c.*,
  (select users.name from users where users.id = c.opened_by) as opener,
  (select users.name from users where users.id = c.closed_by) as closer,
  (select users.name from users where users.id = c.changed_by) as changer
  from count_sessions c`;

const selectSession = statement<Session, [id: string]>(`${SESSION} where c.id = $1`);
const countOpen = statement<{ count: number }, [personId: string]>(
  "select count(*) as count from count_sessions where opened_by = $1 and state in ('open', 'posting')",
);
/**
 * Locks a session for this transaction and reads it. Everything that changes a session takes this lock first, so entries
 * are added one after the other and none arrives while the session is closed.
 */
export const lockSession = statement<SessionRow, [id: string]>(
  'update count_sessions set name = name where id = $1 returning *',
);
const setState = statement<never, [id: string, state: string, closedBy: string | null, closedAt: number | null]>(
  'update count_sessions set state = $2, closed_by = $3, closed_at = $4 where id = $1',
);
const setName = statement<never, [id: string, name: string]>('update count_sessions set name = $2 where id = $1');
const setChanger = statement<never, [id: string, changedBy: string, changedAt: number]>(
  'update count_sessions set changed_by = $2, changed_at = $3 where id = $1',
);
export const addCounted = statement<never, [id: string, lines: number]>(
  'update count_sessions set counted = counted + $2 where id = $1',
);

const selectRecent = statement<Counter, [sessionId: string, since: number, limit: number]>(
  `select e.actor_id as "actorId", (select e.actor_name from users where users.id = e.actor_id) as "actorName", e.at,
     e.item_id as "itemId", items.name as "itemName"
   from (select * from count_entries where session_id = $1 order by num desc limit $3) e
   join items on items.id = e.item_id where e.at > $2 order by e.num desc`,
);
