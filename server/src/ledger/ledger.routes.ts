import {
  listMovements as list,
  NOT_UNITS,
  recordMovement as record,
  setQuantity,
  signedDelta,
  toWireMovement,
  undoMovement as undo,
} from '@perfume/contract/ledger';
import { toWire } from '@perfume/contract/wire-item';
import { checkQuantity } from '@perfume/domain/items';
import { type CountReason, differenceSeen } from '@perfume/domain/ledger';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { newId } from '../db/core/ids.ts';
import { idOf } from '../http/path-id.ts';
import { Problem } from '../http/problem.ts';
import { type Deps, sendJson, serve } from '../http/serve.ts';
import { listMovements, type Refusal, recordMovement, type UndoRefusal, undoMovement } from './ledger.store.ts';
import type { Recorded, StockChange } from './movement-request.ts';

const MOVEMENTS_LIMIT = 50;

export function stockRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;

  serve(app, deps, setQuantity, async ({ params, body, user, idempotency, now, request, reply }) => {
    const change = readChange(request, body.quantity, body.reason ?? null);
    const outcome = await recordMovement(db, {
      id: idempotency?.key ?? newId(now),
      itemId: idOf(params, 'item_not_found'),
      change,
      actor: user,
      at: now,
      note: body.note || null,
      batch: null,
      idempotency,
    });
    if (!outcome.ok) throw refused(outcome);
    reply.header('etag', `"${outcome.item.version}"`);
    return sendJson(reply, 200, toWire(outcome.item));
  });

  serve(app, deps, list, async ({ params, query, request, reply }) => {
    const itemId = idOf(params, 'item_not_found');
    const { limit = MOVEMENTS_LIMIT } = query;
    const page = await listMovements(db.query, { itemId, before: query.cursor ? Number(query.cursor) : null, limit });
    if (!page) throw new Problem('item_not_found');
    if (page.next) {
      reply.header('link', `</inventory-items/${itemId}/movements?limit=${limit}&cursor=${page.next}>; rel="next"`);
    }
    request.rowsRead = page.movements.length;
    return sendJson(reply, 200, page.movements.map(toWireMovement));
  });

  serve(app, deps, record, async ({ params, body, user, idempotency, now, reply }) => {
    const delta = signedDelta(body);
    if (delta === null) throw new Problem('invalid_input', { fields: { units: NOT_UNITS } });
    const { kind, reason = null } = body;
    if (reason !== null && kind !== 'correction') {
      throw new Problem('invalid_input', { fields: { reason: { code: 'reason_needs_correction' } } });
    }
    const outcome = await recordMovement(db, {
      id: idempotency?.key ?? newId(now),
      itemId: idOf(params, 'item_not_found'),
      change: kind === 'correction' ? { kind, delta, reason } : { kind, delta },
      actor: user,
      at: now,
      note: body.note || null,
      batch: null,
      idempotency,
    });
    return sendRecorded(reply, outcome);
  });

  serve(app, deps, undo, async ({ params, user, idempotency, now, reply }) => {
    const outcome = await undoMovement(db, {
      id: idempotency?.key ?? newId(now),
      movementId: idOf(params, 'movement_not_found'),
      actor: user,
      at: now,
      batch: null,
      idempotency,
    });
    return sendRecorded(reply, outcome);
  });
}

/**
 * Reads the change that a `PUT` requests. With `Stock-Base` it is the difference to the quantity that the person saw.
 * With `If-Match` it is a new count that applies only if the item still has that version. With neither it is a new
 * count.
 */
function readChange(request: FastifyRequest, target: number, reason: CountReason | null): StockChange {
  const base = request.headers['stock-base'];
  const ifMatch = request.headers['if-match'];
  if (base !== undefined && ifMatch !== undefined) {
    throw new Problem('invalid_header', {
      fields: { 'Stock-Base': { code: 'not_both', names: ['Stock-Base', 'If-Match'] } },
    });
  }
  if (base !== undefined) {
    const seen = checkQuantity(String(base));
    if (!seen.ok) throw new Problem('invalid_header', { fields: { 'Stock-Base': seen.error } });
    return differenceSeen(target, seen.value, reason);
  }
  return { kind: 'correction', target, ifVersion: ifMatch === undefined ? null : readVersions(ifMatch), reason };
}

const TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/;
const TAGS = new RegExp(`^${TAG.source}(?:[ \\t]*,[ \\t]*${TAG.source})*$`);

/**
 * The versions in a list of ETags; null for `*`, which matches any version. The ETag of a read item also has its reorder
 * point, which does not matter here. A tag that is not ours becomes NaN, which matches no version.
 */
function readVersions(ifMatch: string): number[] | null {
  const tags = ifMatch.trim();
  if (tags === '*') return null;
  if (!TAGS.test(tags)) throw new Problem('invalid_header', { fields: { 'If-Match': { code: 'not_a_version' } } });
  return (tags.match(new RegExp(TAG, 'g')) ?? []).map((tag) =>
    Number(/^"([1-9][0-9]{0,14})(?:-\d+)?"$/.exec(tag)?.[1]),
  );
}

function sendRecorded(reply: FastifyReply, outcome: Recorded | Refusal | UndoRefusal): FastifyReply {
  if (!outcome.ok) throw refused(outcome);
  if (!outcome.movement) throw new Error('a difference other than zero is always recorded');
  reply.header('etag', `"${outcome.item.version}"`);
  return sendJson(reply, 201, { movement: toWireMovement(outcome.movement), item: toWire(outcome.item) });
}

function refused(refusal: Refusal | UndoRefusal): Problem {
  const { ok: _, reason, requestId, ...rest } = refusal;
  const details = 'item' in rest ? { item: toWire(rest.item) } : rest;
  return new Problem(reason, requestId === undefined ? details : { ...details, requestId });
}
