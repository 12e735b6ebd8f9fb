import { figuresAsOf as figures, listAsOf as list, spanOfLedger } from '@perfume/contract/time-machine';
import { toWire } from '@perfume/contract/wire-item';
import type { FastifyInstance } from 'fastify';
import { dataVersionOf } from '../http/data-version.ts';
import { type Deps, sendJson, serve } from '../http/serve.ts';
import { figuresAsOf, firstMovementAt, listAsOf } from './time-machine.store.ts';

const DEFAULT_LIMIT = 100;

export function asOfRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, cache } = deps;

  serve(app, deps, list, async ({ query, house, request, reply }) => {
    const list = {
      house,
      at: query.at,
      limit: query.limit ?? DEFAULT_LIMIT,
      skip: query.skip ?? 0,
      sort: query.sort ?? 'newest',
      q: query.q ?? null,
      stock: query.stock ?? null,
    } as const;
    const page = await cache.getOrLoad(
      dataVersionOf(cache, request),
      `as of ${JSON.stringify(list)}`,
      async () => {
        const { items, total } = await listAsOf(db, list);
        return { body: Buffer.from(JSON.stringify(items.map(toWire))), total, rows: items.length };
      },
      ({ body }) => body.length,
    );
    request.rowsRead = page.rows;
    reply.header('x-total-count', page.total).header('content-type', 'application/json; charset=utf-8');
    return reply.send(page.body);
  });

  serve(app, deps, figures, async ({ query, house, request, reply }) => {
    const totals = await cache.getOrLoad(
      dataVersionOf(cache, request),
      `figures as of ${house} ${query.at}`,
      () => figuresAsOf(db, house, query.at),
      () => 100,
    );
    return sendJson(reply, 200, { at: new Date(query.at).toISOString(), ...totals });
  });

  serve(app, deps, spanOfLedger, async ({ house, now, reply }) => {
    const from = await firstMovementAt(db, house);
    return sendJson(reply, 200, {
      from: from === null ? null : new Date(from).toISOString(),
      to: new Date(now).toISOString(),
    });
  });
}
