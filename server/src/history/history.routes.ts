import {
  listHistory as list,
  listPeople as people,
  previewUndo as preview,
  toWireChange,
  undoEntry as undo,
} from '@perfume/contract/history';
import { toWireActor } from '@perfume/contract/identity';
import { toWire } from '@perfume/contract/wire-item';
import { isUuid } from '@perfume/domain/uuid';
import type { FastifyInstance } from 'fastify';
import { newId } from '../db/core/ids.ts';
import { idOf } from '../http/path-id.ts';
import { Problem } from '../http/problem.ts';
import { type Deps, requireBudget, sendJson, serve } from '../http/serve.ts';
import { codeTaken } from '../items/code-taken.ts';
import { selectSettingsEvent } from '../items/settings-events.ts';
import { type HistoryCursor, listHistory, listPeople, listRenames } from './history.store.ts';
import { previewUndo, undoEntry } from './undo.store.ts';
import { toWireEntry } from './wire-entry.ts';

const DEFAULT_LIMIT = 50;

export function historyRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;

  serve(app, deps, list, async ({ query, house, request, reply }) => {
    const after = query.cursor === undefined ? null : readCursor(query.cursor);
    if (query.cursor !== undefined && !after) {
      throw new Problem('invalid_query', { fields: { cursor: { code: 'not_a_cursor' } } });
    }
    const page = await listHistory(db, {
      house,
      itemId: query.item ?? null,
      kind: query.kind ?? null,
      reason: query.reason ?? null,
      actorId: query.by ?? null,
      from: query.from ?? null,
      to: query.to ?? null,
      limit: query.limit ?? DEFAULT_LIMIT,
      after,
    });
    if (page.next) {
      const given = request.query as Record<string, string>;
      reply.header(
        'link',
        `</history?${new URLSearchParams({ ...given, cursor: cursorText(page.next) })}>; rel="next"`,
      );
    }
    request.rowsRead = page.entries.length;
    return sendJson(reply, 200, page.entries.map(toWireEntry));
  });

  serve(app, deps, people, async ({ house, reply }) => {
    const found = await listPeople(db.query, house);
    const renames = await listRenames(db, found);
    const renamesOf = Map.groupBy(renames, ({ user_id }) => user_id);
    const wirePeople = found.map(({ id, name }) => ({
      ...toWireActor(id, name),
      earlierNames: (renamesOf.get(id) ?? []).map(({ from_name, at }) => ({
        name: from_name,
        until: new Date(at).toISOString(),
      })),
    }));
    return sendJson(reply, 200, wirePeople);
  });

  serve(app, deps, preview, async ({ params, reply }) => {
    const id = idOf(params, 'entry_not_found');
    const found = await previewUndo(db.query, id);
    if (!found) throw new Problem('entry_not_found');
    const { possible, reason, onHand, effect } = found;
    const wireEffect = effect && { ...effect, changes: effect.changes.map(toWireChange) };
    return sendJson(reply, 200, { possible, code: reason, onHand, effect: wireEffect });
  });

  serve(app, deps, undo, async ({ params, user, idempotency, now, reply }) => {
    const entryId = idOf(params, 'entry_not_found');
    const isOfSettings = (await selectSettingsEvent(db.query, entryId)).length > 0;
    if (isOfSettings) requireBudget(deps.budgets.settings.spend(user.id, 1), reply);
    const outcome = await undoEntry(db, {
      entryId,
      id: idempotency?.key ?? newId(now),
      actor: user,
      at: now,
      batch: null,
      idempotency,
    });
    if (!outcome.ok) {
      if (outcome.reason === 'code_taken') throw codeTaken(outcome);
      const { ok: _, reason, ...more } = outcome;
      throw new Problem(reason, more);
    }
    const { entry, item } = outcome;
    return sendJson(reply, 201, { entry: toWireEntry(entry), item: item && toWire(item) });
  });
}

function cursorText({ movements, events, settings }: HistoryCursor): string {
  return Buffer.from(JSON.stringify([movements, events, settings])).toString('base64url');
}

function readCursor(text: string): HistoryCursor | null {
  try {
    const [movements, events, settings, ...rest] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[];
    const isCursor = rest.length === 0 && isPosition(movements) && isPosition(events) && isPosition(settings);
    return isCursor ? { movements, events, settings } : null;
  } catch {
    return null;
  }
}

function isPosition(given: unknown): given is HistoryCursor['movements'] {
  if (given === null) return true;
  if (!Array.isArray(given) || given.length !== 2) return false;
  return Number.isSafeInteger(given[0]) && typeof given[1] === 'string' && isUuid(given[1]);
}
