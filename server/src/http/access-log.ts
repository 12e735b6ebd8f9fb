import type { ProblemCode } from '@perfume/contract/problems';
import type { FastifyInstance, FastifyRequest } from 'fastify';

type Note = { user?: string; code?: ProblemCode | 'social_sign_in_refused' };

const notes = new WeakMap<FastifyRequest, Note>();

/** What the log should say of a request besides its route: who it was, by an id that names nobody, or why it was refused. */
export function annotateLog(request: FastifyRequest, more: Note): void {
  notes.set(request, { ...notes.get(request), ...more });
}

/**
 * One line for every change, every refusal and everything that has to do with signing in; answered reads are counted in
 * the metrics. Who, from where, what, when and what came of it; never what was sent.
 */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    if (isWorthALine(request, reply.statusCode)) {
      const ms = Math.round(reply.elapsedTime * 10) / 10;
      const { id: reqId, ip: from } = request;
      request.log.info({ reqId, req: request, status: reply.statusCode, ...notes.get(request), from, ms }, 'answered');
    }
    done();
  });
}

function isWorthALine(request: FastifyRequest, status: number): boolean {
  if (request.method !== 'GET' || status >= 400) return true;
  const route = request.routeOptions.url ?? '';
  return route.startsWith('/api/auth/') && route !== '/api/auth/get-session';
}
