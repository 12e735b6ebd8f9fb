import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml; charset=utf-8',
};

/** The front end's service worker, and the page that it shows without a connection. */
export const SERVICE_WORKER = '/sw.js';
export const OFFLINE_PAGE = '/offline.html';

type Asset = { type: string; etag: string; cache: string; plain: Buffer; br: Buffer | null; gzip: Buffer | null };
export type Assets = ReadonlyMap<string, Asset>;

/**
 * Reads the built front end once, at startup. Requests can only name files that were read, so path traversal is
 * impossible.
 */
export function loadAssets(folder: string): Assets {
  const assets = new Map<string, Asset>();
  if (!existsSync(folder)) return assets;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const type = TYPES[extname(entry.name)];
    if (!entry.isFile() || !type || entry.name.startsWith('.')) continue;
    const path = `/${relative(folder, file).split(sep).join('/')}`;
    const plain = readFileSync(file);
    assets.set(path, {
      type,
      plain,
      etag: `"${hash('sha1', plain, 'base64url')}"`,
      cache: cacheOf(path),
      br: compressed(file, '.br'),
      gzip: compressed(file, '.gz'),
    });
  }
  return assets;
}

/**
 * A file with a hash in its name never changes. Other files may change with the next version; browsers ask for the
 * service worker and its page every time, so that no old version stays.
 */
function cacheOf(path: string): string {
  if (path.startsWith('/assets/')) return 'public, max-age=31536000, immutable';
  return path === SERVICE_WORKER || path === OFFLINE_PAGE ? 'no-cache' : 'public, max-age=3600';
}

export function sendAsset(asset: Asset, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('cache-control', asset.cache).header('etag', asset.etag).header('vary', 'Accept-Encoding');
  if (request.headers['if-none-match'] === asset.etag) return reply.code(304).send();
  reply.header('content-type', asset.type);
  const accepted = String(request.headers['accept-encoding'] ?? '');
  if (asset.br && /\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(asset.br);
  if (asset.gzip && /\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(asset.gzip);
  return reply.send(asset.plain);
}

function compressed(file: string, ending: string): Buffer | null {
  return existsSync(file + ending) ? readFileSync(file + ending) : null;
}
