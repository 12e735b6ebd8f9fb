import type { FastifyInstance } from 'fastify';
import type { Db } from '../db/core/database.ts';
import { Problem } from './problem.ts';

const CHECK_WITHIN_MS = 2_000;

/** Alive is not ready: ready means that a change could be written now. */
export function healthRoutes(app: FastifyInstance, db: Db): void {
  let checking: Promise<void> | null = null;

  /** Whoever asks while a check is under way shares it, so asking often costs nothing. */
  function check(): Promise<void> {
    checking ??= within(CHECK_WITHIN_MS, db.checkWritable()).finally(() => {
      checking = null;
    });
    return checking;
  }

  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));

  app.get('/readyz', async (_request, reply) => {
    try {
      await check();
    } catch (error) {
      app.log.warn({ err: error }, 'not ready');
      throw new Problem('unavailable');
    }
    return reply.header('cache-control', 'no-store').send({ status: 'ready' });
  });
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
