import type { FastifyInstance } from 'fastify';
import type { Db } from '../db/core/database.ts';
import { Problem } from './problem.ts';

const CHECK_TIMEOUT_MS = 2_000;

/** Serves /healthz, which says that the process runs, and /readyz, which says that the database can be written. */
export function healthRoutes(app: FastifyInstance, db: Db): void {
  let checking: Promise<void> | null = null;

  /** Concurrent requests share one check, so frequent probes cost nothing. */
  function check(): Promise<void> {
    checking ??= withTimeout(CHECK_TIMEOUT_MS, db.checkWritable()).finally(() => {
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

async function withTimeout(ms: number, work: Promise<void>): Promise<void> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  try {
    await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
