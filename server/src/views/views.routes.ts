import { toWireActor } from '@perfume/contract/identity';
import { changeView, createView, deleteView, listViews, type WireView } from '@perfume/contract/views';
import type { FastifyInstance } from 'fastify';
import { newId } from '../db/core/ids.ts';
import { idOf } from '../http/path-id.ts';
import { Problem } from '../http/problem.ts';
import { type Deps, sendJson, serve } from '../http/serve.ts';
import * as store from './views.store.ts';

export function viewRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;

  serve(app, deps, listViews, async ({ user, house, request, reply }) => {
    const views = await store.listViews(db.query, { house, userId: user.id });
    request.rowsRead = views.length;
    return sendJson(
      reply,
      200,
      views.map((view) => toWireView(view, user.id)),
    );
  });

  serve(app, deps, createView, async ({ body, user, house, idempotency, now, reply }) => {
    const { shared = false, pinned = false, email = false } = body;
    const outcome = await store.createView(
      db,
      { house, userId: user.id },
      {
        id: idempotency?.key ?? newId(now),
        fields: { ...body, shared, pinned, email },
        at: now,
        idempotency,
      },
    );
    if (!outcome.ok) throw refused(outcome);
    return sendJson(reply, 201, toWireView(outcome.view, user.id));
  });

  serve(app, deps, changeView, async ({ params, body, user, house, now, reply }) => {
    const id = idOf(params, 'view_not_found');
    const outcome = await store.changeView(db, { house, userId: user.id }, { id, fields: body, at: now });
    if (!outcome.ok) throw refused(outcome);
    return sendJson(reply, 200, toWireView(outcome.view, user.id));
  });

  serve(app, deps, deleteView, async ({ params, user, house, now, reply }) => {
    const id = idOf(params, 'view_not_found');
    if (!(await store.deleteView(db, { house, userId: user.id }, id, now))) throw new Problem('view_not_found');
    return sendJson(reply, 200, { id });
  });
}

function refused({ reason, requestId }: { reason: store.Reason | 'key_reused'; requestId?: string }): Problem {
  const facts = requestId === undefined ? {} : { requestId };
  if (reason !== 'view_without_items') return new Problem(reason, facts);
  return new Problem('invalid_input', { ...facts, fields: { email: { code: 'not_a_choice', choices: [false] } } });
}

function toWireView(view: store.View, userId: string): WireView {
  const { id, name, page, query } = view;
  return {
    id,
    name,
    page,
    query,
    shared: view.shared === 1,
    pinned: view.pinned === 1,
    email: view.email === 1,
    mine: view.user_id === userId,
    by: toWireActor(view.user_id, view.owner),
    createdAt: new Date(view.created_at).toISOString(),
    updatedAt: new Date(view.updated_at).toISOString(),
  };
}
