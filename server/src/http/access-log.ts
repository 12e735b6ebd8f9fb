import type { ProblemCode } from '@perfume/contract/problems';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Budgets, costOfAnswer } from './budgets.ts';
import { rowCounter } from './mass-reads.ts';
import type { OnRequestEnd } from './request-end.ts';

type Annotation = { user?: string; key?: string; account?: string; code?: ProblemCode | 'social_sign_in_refused' };

declare module 'fastify' {
  interface FastifyRequest {
    annotation: Annotation | null;
    /** How many rows of a list the response has. Every list sets it, and a single item counts as one row. */
    rowsRead: number;
  }
}

/**
 * Adds the user id, the id of an API key, the account of a login (as a keyed hash) or the reason for a refusal to the
 * log line of a request.
 */
export function annotateLog(request: FastifyRequest, more: Annotation): void {
  request.annotation = { ...request.annotation, ...more };
}

/**
 * Logs one line for every change, every refusal and every identity request. Successful reads are only counted in the
 * metrics, until one person has read very many rows. A line says who did what from where, when and with what result,
 * but never contains what was sent.
 */
export function logRequests(
  app: FastifyInstance,
  onRequestEnd: OnRequestEnd,
  clock: () => number,
  budgets: Budgets,
): void {
  app.decorateRequest('annotation', null);
  app.decorateRequest('rowsRead', 0);
  const countRows = rowCounter(clock, budgets);
  // Not at the end of the request: whoever hangs up before the answer has changed something too.
  app.addHook('onSend', (request, _reply, payload, done) => {
    const { endpoint } = request.routeOptions.config;
    const { user } = request.annotation ?? {};
    if (endpoint && user && typeof payload === 'string')
      budgets.changes.add(user, costOfAnswer(endpoint, payload.length));
    done(null, payload);
  });
  onRequestEnd((request, reply, hasHungUp) => {
    if (request.rowsRead > 0) countRows(request, reply);
    if (isLogged(request, reply.statusCode)) {
      const ms = Math.round(reply.elapsedTime * 10) / 10;
      const { id: reqId, ip: from } = request;
      const facts = { reqId, req: request, status: reply.statusCode, ...request.annotation, from, ms };
      request.log.info(facts, hasHungUp ? 'client hung up' : 'answered');
    }
  });
}

function isLogged(request: FastifyRequest, status: number): boolean {
  if (request.method !== 'GET' || status >= 400) return true;
  // The path of the route, not the one that was sent: /%61ccount/data is the same.
  const path = request.routeOptions.url ?? '';
  return path.startsWith('/account/') || (path.startsWith('/api/auth/') && path !== '/api/auth/get-session');
}
