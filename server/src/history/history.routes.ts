import {
  listHistory as list,
  listPeople as people,
  previewUndo as preview,
  toWireChange,
  undoEntry as undo,
  type WireEntry,
} from '@perfume/contract/history';
import { toWire } from '@perfume/contract/wire-item';
import type { FastifyInstance } from 'fastify';
import { isUuid, newId } from '../db/core/ids.ts';
import { Problem } from '../http/problem.ts';
import { type Deps, sendJson, serve } from '../http/serve.ts';
import { type Entry, type HistoryCursor, listHistory, listPeople } from './history.store.ts';
import { previewUndo, undoEntry } from './undo.store.ts';

const PAGE = 50;

export function historyRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, owners } = deps;

  serve(app, deps, list, async ({ query, request, reply }) => {
    const after = query.cursor === undefined ? null : readCursor(query.cursor);
    if (query.cursor !== undefined && !after) {
      throw new Problem('invalid_query', { fields: { cursor: 'Not a valid cursor' } });
    }
    const page = await listHistory(db.query, {
      itemId: query.item?.toLowerCase() ?? null,
      kind: query.kind ?? null,
      actorId: query.by ?? null,
      from: query.from ?? null,
      to: query.to ?? null,
      limit: query.limit ?? PAGE,
      after,
    });
    if (page.next) {
      const asked = request.query as Record<string, string>;
      reply.header(
        'link',
        `</history?${new URLSearchParams({ ...asked, cursor: cursorText(page.next) })}>; rel="next"`,
      );
    }
    return sendJson(reply, 200, page.entries.map(toWireEntry));
  });

  serve(app, deps, people, async ({ reply }) => sendJson(reply, 200, await listPeople(db.query)));

  serve(app, deps, preview, async ({ params, user, reply }) => {
    const id = entryIdOf(params);
    const seen = await previewUndo(db.query, id);
    if (!seen) throw new Problem('entry_not_found');
    if (owners && !(await owners.may(undo, { id, body: undefined }, user))) {
      return sendJson(reply, 200, { possible: false, code: 'not_the_owner', onHand: null, effect: null });
    }
    const { possible, reason, onHand, effect } = seen;
    const shown = effect && { ...effect, changes: effect.changes.map(toWireChange) };
    return sendJson(reply, 200, { possible, code: reason, onHand, effect: shown });
  });

  serve(app, deps, undo, async ({ params, user, idempotency, now, reply }) => {
    const outcome = await undoEntry(db, {
      entryId: entryIdOf(params),
      id: idempotency?.key ?? newId(now),
      actor: user,
      at: now,
      batch: null,
      idempotency,
    });
    if (!outcome.ok) {
      const { ok: _, reason, ...more } = outcome;
      throw new Problem(reason, more);
    }
    const { entry, item } = outcome;
    return sendJson(reply, 201, { entry: toWireEntry(entry), item: item && toWire(item) });
  });
}

function entryIdOf(params: { id: string }): string {
  const id = params.id.toLowerCase();
  if (!isUuid(id)) throw new Problem('entry_not_found');
  return id;
}

function toWireEntry(entry: Entry): WireEntry {
  const { actorId, actorName, at, changes, ...rest } = entry;
  return {
    ...rest,
    changes: changes.map(toWireChange),
    by: { id: actorId, name: actorName },
    at: new Date(at).toISOString(),
  };
}

function cursorText({ movements, events }: HistoryCursor): string {
  return Buffer.from(JSON.stringify([movements, events])).toString('base64url');
}

function readCursor(text: string): HistoryCursor | null {
  try {
    const [movements, events, ...rest] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[];
    return rest.length === 0 && isPlace(movements) && isPlace(events) ? { movements, events } : null;
  } catch {
    return null;
  }
}

function isPlace(place: unknown): place is HistoryCursor['movements'] {
  if (place === null) return true;
  if (!Array.isArray(place) || place.length !== 2) return false;
  return Number.isSafeInteger(place[0]) && typeof place[1] === 'string' && isUuid(place[1]);
}
