import { bulk, findBatch as find, undoBatch as undo } from '@perfume/contract/bulk';
import type { User } from '@perfume/contract/identity';
import type { FastifyInstance } from 'fastify';
import { isUuid, newId } from '../db/core/ids.ts';
import { Problem } from '../http/problem.ts';
import { type Deps, sendJson, serve } from '../http/serve.ts';
import { doInBulk, findBatch, undoBatch } from './bulk.store.ts';

export function bulkRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, owners } = deps;
  const othersFor = (user: User) => owners && ((ids: string[]) => owners.othersAmong(ids, user));

  serve(app, deps, bulk, async ({ body, user, idempotency, now, request, reply }) => {
    const results = await doInBulk(db, {
      action: body.action,
      ids: body.ids.map((id) => id.toLowerCase()),
      batch: body.batch.toLowerCase(),
      actor: user,
      at: now,
      others: othersFor(user),
      idempotency: idempotency ?? { key: newId(now), fingerprint: request.id, at: now, requestId: request.id },
    });
    return sendJson(reply, 200, { results });
  });

  serve(app, deps, find, async ({ params, reply }) => {
    const id = params.id.toLowerCase();
    const batch = isUuid(id) ? await findBatch(db.query, id) : null;
    if (!batch) throw new Problem('entry_not_found');
    return sendJson(reply, 200, batch);
  });

  serve(app, deps, undo, async ({ params, query, user, now, request, reply }) => {
    const batch = params.id.toLowerCase();
    const undone = isUuid(batch)
      ? await undoBatch(db, {
          batch,
          after: query.after?.toLowerCase() ?? '',
          actor: user,
          at: now,
          requestId: request.id,
          others: othersFor(user),
        })
      : null;
    if (!undone) throw new Problem('entry_not_found');
    return sendJson(reply, 200, undone);
  });
}
