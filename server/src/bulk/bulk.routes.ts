import { bulk, findBatch as find, undoBatch as undo } from '@perfume/contract/bulk';
import { toWireNames } from '@perfume/contract/wire-item';
import type { FastifyInstance } from 'fastify';
import { newId } from '../db/core/ids.ts';
import { idOf } from '../http/path-id.ts';
import { Problem } from '../http/problem.ts';
import { type Deps, sendJson, serve } from '../http/serve.ts';
import { findBatch, isOthersBatch, runBulk, undoBatch } from './bulk.store.ts';

export function bulkRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, access } = deps;

  serve(app, deps, bulk, async ({ body, user, house, idempotency, now, request, reply }) => {
    if (await isOthersBatch(db.query, body.batch, user.id))
      throw new Problem('invalid_input', { fields: { batch: { code: 'batch_taken' } } });
    const results = await runBulk(db, {
      ...body,
      actor: user,
      at: now,
      foreignItems: (ids) => access.foreignItems(house, ids),
      idempotency: idempotency ?? { key: newId(now), fingerprint: request.id, at: now, requestId: request.id },
    });
    return sendJson(reply, 200, toWireNames({ results }));
  });

  serve(app, deps, find, async ({ params, house, reply }) => {
    const batch = await findBatch(db, house, idOf(params, 'entry_not_found'));
    if (!batch) throw new Problem('entry_not_found');
    return sendJson(reply, 200, batch);
  });

  serve(app, deps, undo, async ({ params, query, user, house, now, request, reply }) => {
    const undone = await undoBatch(db, {
      house,
      batch: idOf(params, 'entry_not_found'),
      after: query.after ?? '',
      actor: user,
      at: now,
      requestId: request.id,
    });
    if (!undone) throw new Problem('entry_not_found');
    return sendJson(reply, 200, toWireNames(undone));
  });
}
