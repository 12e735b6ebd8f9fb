import {
  changeCount,
  decideCountLines,
  findCount,
  listCountLines,
  listCounts,
  MAX_ENTRY_AGE_MS,
  openCount,
  postCount,
  recordCount,
  undoCountEntry,
  type WireCount,
  type WireCountLine,
} from '@perfume/contract/counts';
import { toWireActor } from '@perfume/contract/identity';
import { toWire, toWireNames } from '@perfume/contract/wire-item';
import { parseQuantity } from '@perfume/domain/quantity';
import type { FastifyInstance } from 'fastify';
import { newId } from '../db/core/ids.ts';
import { idOf } from '../http/path-id.ts';
import { Problem } from '../http/problem.ts';
import { type Deps, sendJson, serve } from '../http/serve.ts';
import {
  changeSession,
  figuresReader,
  findSession,
  listCounters,
  listSessions,
  openSession,
  type Session,
} from './counts.store.ts';
import { decideLines, recordEntries, undoEntry } from './entries.store.ts';
import { type Line, listLines, type Person } from './lines.store.ts';
import { postSession } from './post.store.ts';

const SESSIONS_LIMIT = 50;
const LINES_LIMIT = 50;

export function countRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, access } = deps;
  const readFigures = figuresReader(db);

  async function sessionOf(params: { id: string }): Promise<Session> {
    const session = await findSession(db.query, idOf(params, 'count_not_found'));
    if (!session) throw new Problem('count_not_found');
    return session;
  }

  serve(app, deps, openCount, async ({ body, user, house, idempotency, now, reply }) => {
    const { name, q, stock, mine, blind = true } = body;
    const outcome = await openSession(db, {
      house,
      id: idempotency?.key ?? newId(now),
      name,
      filter: { q: q?.trim() || null, stock: stock ?? null, mine: mine ? 1 : 0 },
      blind: blind ? 1 : 0,
      actor: user,
      at: now,
      idempotency,
    });
    if (!outcome.ok) throw refused(outcome);
    return sendJson(reply, 201, toWireCount(outcome.session));
  });

  serve(app, deps, listCounts, async ({ query, house, request, reply }) => {
    const { limit = SESSIONS_LIMIT, state = null } = query;
    const before = query.cursor ? Number(query.cursor) : null;
    const { sessions, next } = await listSessions(db.query, { house, state, before, limit });
    if (next !== null) {
      const filter = state ? `state=${state}&` : '';
      reply.header('link', `</counts?${filter}limit=${limit}&cursor=${next}>; rel="next"`);
    }
    request.rowsRead = sessions.length;
    return sendJson(reply, 200, sessions.map(toWireCount));
  });

  serve(app, deps, findCount, async ({ params, now, reply }) => {
    const session = await sessionOf(params);
    const figures = await readFigures(session);
    const people = (await listCounters(db.query, session.id, now)).map(({ at, itemId, itemName, ...person }) => ({
      by: toWirePerson(person),
      at: time(at),
      itemId,
      itemName,
    }));
    return sendJson(reply, 200, { ...toWireCount({ ...session, counted: figures.counted }), figures, people });
  });

  serve(app, deps, changeCount, async ({ params, body, user, now, reply }) => {
    const id = idOf(params, 'count_not_found');
    const outcome = await changeSession(db, { id, name: body.name, state: body.state, actor: user, at: now });
    if (!outcome.ok) throw refused(outcome);
    return sendJson(reply, 200, toWireCount(outcome.session));
  });

  serve(app, deps, listCountLines, async ({ params, query, request, reply }) => {
    const { show = 'counted', limit = LINES_LIMIT } = query;
    const session = await sessionOf(params);
    const page = await listLines(db, session, {
      show,
      itemId: query.item ?? null,
      cursor: query.cursor ?? null,
      limit,
    });
    if (!page) throw new Problem('invalid_query', { fields: { cursor: { code: 'not_a_cursor' } } });
    if (page.next !== null) {
      const next = `</counts/${session.id}/lines?show=${show}&limit=${limit}&cursor=${page.next}>; rel="next"`;
      reply.header('link', next);
    }
    request.rowsRead = page.lines.length;
    return sendJson(reply, 200, page.lines.map(toWireLine));
  });

  serve(app, deps, recordCount, async ({ params, body, user, house, idempotency, now, request, reply }) => {
    const outcome = await recordEntries(db, {
      sessionId: idOf(params, 'count_not_found'),
      ids: body.ids,
      kind: body.set === undefined ? 'add' : 'set',
      units: body.set ?? body.add ?? 0,
      countedAt: now - readAge(request.headers['counted-ago']),
      actor: user,
      at: now,
      idempotency,
      foreign: await access.foreignItems(house, body.ids),
    });
    if (!outcome.ok) throw refused(outcome);
    return sendJson(reply, 200, toWireNames({ results: outcome.results }));
  });

  serve(app, deps, undoCountEntry, async ({ params, user, idempotency, now, reply }) => {
    const entryId = idOf(params, 'count_entry_not_found');
    const outcome = await undoEntry(db, { entryId, actor: user, at: now, idempotency });
    if (!outcome.ok) throw refused(outcome);
    return sendJson(reply, 200, { counted: outcome.counted });
  });

  serve(app, deps, decideCountLines, async ({ params, body, user, now, reply }) => {
    const { ids, ...changes } = body;
    const sessionId = idOf(params, 'count_not_found');
    const outcome = await decideLines(db, {
      sessionId,
      ids,
      changes: { ...changes, ...(changes.note !== undefined && { note: changes.note || null }) },
      actor: user,
      at: now,
    });
    if (!outcome.ok) throw refused(outcome);
    return sendJson(reply, 200, { changed: outcome.changed });
  });

  serve(app, deps, postCount, async ({ params, body, user, now, reply }) => {
    const outcome = await postSession(db, {
      sessionId: idOf(params, 'count_not_found'),
      batch: body.batch,
      reason: body.reason ?? 'miscount',
      note: body.note || null,
      actor: user,
      at: now,
    });
    if (!outcome.ok) throw new Problem(outcome.reason);
    return sendJson(reply, 200, toWireNames({ results: outcome.results, left: outcome.left }));
  });
}

/**
 * How long ago somebody counted. It is a header and not in the body, so that a repeated request is still the same
 * request.
 */
function readAge(header: string | string[] | undefined): number {
  const age = header === undefined ? 0 : parseQuantity(header);
  if (age !== null && age <= MAX_ENTRY_AGE_MS) return age;
  const error = { code: 'not_a_whole_number', min: 0, max: MAX_ENTRY_AGE_MS } as const;
  throw new Problem('invalid_header', { fields: { 'Counted-Ago': error } });
}

type Refusal = { ok: false; reason: ConstructorParameters<typeof Problem>[0]; requestId?: string };

function refused({ reason, requestId }: Refusal): Problem {
  return new Problem(reason, requestId === undefined ? {} : { requestId });
}

function toWireCount(session: Session): WireCount {
  const { id, name, q, stock, mine, blind, state, batch, counted } = session;
  return {
    id,
    name,
    q,
    stock,
    mine: mine === 1,
    blind: blind === 1,
    state,
    openedBy: toWireActor(session.opened_by, session.opener),
    openedAt: time(session.opened_at),
    closedBy: session.closed_by === null ? null : toWireActor(session.closed_by, session.closer),
    closedAt: session.closed_at === null ? null : time(session.closed_at),
    changedBy: session.changed_by === null ? null : toWireActor(session.changed_by, session.changer),
    changedAt: session.changed_at === null ? null : time(session.changed_at),
    batch,
    counted,
  };
}

function toWireLine({ item, isDeleted, count, doubt, by, reviewer, movements }: Line): WireCountLine {
  return {
    item: toWire(item),
    isDeleted,
    counted: count?.counted ?? null,
    expected: count?.expected ?? null,
    difference: count?.difference ?? null,
    firstAt: count ? time(count.first_at) : null,
    lastAt: count ? time(count.last_at) : null,
    by: by.map(toWirePerson),
    doubt,
    decision: count?.decision ?? null,
    reason: count?.reason ?? null,
    note: count?.note ?? null,
    reviewedBy: reviewer && toWirePerson(reviewer),
    reviewedAt: count?.reviewed_at ? time(count.reviewed_at) : null,
    outcome: (count?.outcome ?? null) as WireCountLine['outcome'],
    movements: movements.map(({ id, kind, delta, at, ...person }) => ({
      id,
      kind,
      delta,
      by: toWirePerson(person),
      at: time(at),
    })),
  };
}

function toWirePerson({ actorId, actorName }: Person) {
  return toWireActor(actorId, actorName);
}

function time(at: number): string {
  return new Date(at).toISOString();
}
