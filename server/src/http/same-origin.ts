import { commonReplyHeaders } from '@perfume/contract/endpoint';
import { endpoints } from '@perfume/contract/endpoints';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { Problem } from './problem.ts';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** What a front end on another host may send and read: what the contract names, and what every call may carry. */
const SENT = namesOf(
  endpoints.map(({ headers }) => headers),
  ['authorization', 'content-type', 'if-none-match'],
);
const READ = namesOf([...endpoints.map(({ replyHeaders }) => replyHeaders), commonReplyHeaders]);
const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])$/;

/**
 * A change that a browser sends from somewhere else is refused, whatever cookie it carries. Browsers always say where
 * a change comes from; programs that say nothing act with credentials of their own.
 */
export function refuseCrossSite(app: FastifyInstance, config: Config): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers;
    if (origin !== undefined && config.corsOrigins.includes(origin)) {
      reply
        .header('access-control-allow-origin', origin)
        .header('access-control-allow-credentials', 'true')
        .header('access-control-expose-headers', READ)
        .header('vary', 'Origin');
      if (request.method === 'OPTIONS') {
        reply
          .header('access-control-allow-methods', 'GET, POST, PUT, DELETE')
          .header('access-control-allow-headers', SENT)
          .header('access-control-max-age', '7200')
          .code(204)
          .send();
        return;
      }
      return done();
    }
    done(READS.has(request.method) || isOwn(request, config) ? undefined : new Problem('cross_site'));
  });
}

function namesOf(described: (Record<string, string> | undefined)[], more: string[] = []): string {
  return [...new Set([...described.flatMap((headers) => Object.keys(headers ?? {})), ...more])].sort().join(', ');
}

function isOwn(request: FastifyRequest, config: Config): boolean {
  const { origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (origin === undefined) return site === undefined || site === 'same-origin' || site === 'none';
  if (config.publicUrl !== null) return origin === config.publicUrl;
  if (!URL.canParse(origin)) return false;
  const { host, hostname } = new URL(origin);
  // Without a public address only this machine's own names are ours, and only the one that was asked.
  return (
    host === request.headers.host && (LOOPBACK.test(hostname) || config.host === hostname || config.host === '0.0.0.0')
  );
}
