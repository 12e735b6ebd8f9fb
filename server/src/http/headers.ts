import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { OFFLINE_PAGE, SERVICE_WORKER } from './assets.ts';

const PAGE_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' https: http: data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  // Blocks every write of a plain string to innerHTML, including writes by libraries.
  "require-trusted-types-for 'script'",
].join('; ');

/** The policy of every response that is not a page: it may load nothing, even when a browser shows it. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

/**
 * The policy of the one script that runs WebAssembly, a worker that decodes barcodes. A worker follows the policy of its
 * own response, so pages need not allow WebAssembly.
 */
const DECODER_POLICY = "default-src 'none'; script-src 'wasm-unsafe-eval'; connect-src 'self'";
const DECODER = /^\/assets\/decode-worker-[\w-]+\.js$/;

/** The service worker reads files of this site, and nothing else. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'";

/** Returns the headers of a built file, in addition to the common ones. */
export function assetHeaders(path: string): Record<string, string> {
  if (path === OFFLINE_PAGE) return pageHeaders;
  if (path === SERVICE_WORKER) return { 'content-security-policy': WORKER_POLICY };
  return DECODER.test(path) ? { 'content-security-policy': DECODER_POLICY } : {};
}

/** Returns the headers of every response, including errors and files. Pages also get `pageHeaders`. */
export function commonHeaders(config: Config): Record<string, string> {
  const headers: Record<string, string> = {
    'content-security-policy': DATA_POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
  };
  if (config.publicUrl?.startsWith('https://')) {
    headers['strict-transport-security'] = 'max-age=63072000; includeSubDomains; preload';
  }
  return headers;
}

export function securityHeaders(app: FastifyInstance, config: Config): void {
  const headers = commonHeaders(config);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id);
    done();
  });
}

export const pageHeaders: Record<string, string> = {
  'content-security-policy': PAGE_POLICY,
  'x-frame-options': 'DENY',
  'permissions-policy': 'camera=(self), geolocation=(), microphone=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
};
