import type { FastifyInstance } from 'fastify';
import type { Db } from '../db/database.ts';
import { Problem } from './problem.ts';

const CHECK_WITHIN_MS = 2_000;

/** Alive is not ready: ready means that a change could be written now. */
export function healthRoutes(app: FastifyInstance, db: Db): void {
  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));

  app.get('/readyz', async (_request, reply) => {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Problem('unavailable')), CHECK_WITHIN_MS);
    try {
      await Promise.race([db.checkWritable(), late]);
    } catch (error) {
      app.log.warn({ err: error }, 'not ready');
      throw new Problem('unavailable');
    } finally {
      clearTimeout(timer);
    }
    return reply.header('cache-control', 'no-store').send({ status: 'ready' });
  });
}
