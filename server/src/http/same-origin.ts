import { commonReplyHeaders } from '@perfume/contract/endpoint';
import { endpoints } from '@perfume/contract/endpoints';
import { isUrl } from '@perfume/domain/safe-text';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { Problem } from './problem.ts';
import { keyIn } from './session.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** The headers that a front end on another origin may send: those in the contract and the common ones. */
const ALLOWED_HEADERS = headerNames(
  endpoints.map(({ headers }) => headers),
  ['authorization', 'content-type', 'if-none-match'],
);
const EXPOSED_HEADERS = headerNames([...endpoints.map(({ replyHeaders }) => replyHeaders), commonReplyHeaders]);
const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])$/;

/**
 * Refuses changes that a browser sends from another origin, whatever cookie they carry (CSRF). Browsers always send the
 * origin of a change. A client that sends no origin is a program with its own credentials. A request with an API key
 * may come from anywhere: its cookies are ignored, and no other site can make a browser add a key.
 */
export function refuseCrossSite(app: FastifyInstance, config: Config): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers;
    if (origin !== undefined && config.corsOrigins.includes(origin)) {
      reply
        .header('access-control-allow-origin', origin)
        .header('access-control-allow-credentials', 'true')
        .header('access-control-expose-headers', EXPOSED_HEADERS)
        .header('vary', 'Origin');
      if (request.method === 'OPTIONS') {
        reply
          .header('access-control-allow-methods', 'GET, POST, PUT, DELETE')
          .header('access-control-allow-headers', ALLOWED_HEADERS)
          .header('access-control-max-age', '7200')
          .code(204)
          .send();
        return;
      }
      return done();
    }
    const isAccepted = SAFE_METHODS.has(request.method) || isSameOrigin(request, config) || keyIn(request) !== null;
    done(isAccepted ? undefined : new Problem('cross_site'));
  });
}

function headerNames(described: (Record<string, string> | undefined)[], more: string[] = []): string {
  return [...new Set([...described.flatMap((headers) => Object.keys(headers ?? {})), ...more])].sort().join(', ');
}

function isSameOrigin(request: FastifyRequest, config: Config): boolean {
  const { origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (origin === undefined) return site === undefined || site === 'same-origin' || site === 'none';
  if (config.publicUrl !== null) return origin === config.publicUrl;
  if (!isUrl(origin)) return false;
  const { host, hostname } = new URL(origin);
  // Without PUBLIC_URL, the origin must be the host that the request was sent to. That host must also be a name of this
  // machine, unless the server listens on all addresses.
  return (
    host === request.headers.host && (LOOPBACK.test(hostname) || config.host === hostname || config.host === '0.0.0.0')
  );
}
