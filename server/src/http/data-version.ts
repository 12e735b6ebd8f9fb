import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Cache, DataVersion } from '../db/core/cache.ts';
import type { Db } from '../db/core/database.ts';

const SENDER_BYTES = 500;

declare module 'fastify' {
  interface FastifyRequest {
    dataVersion: DataVersion | null;
  }
}

/** Gives every request a place for the version of the data that it reads. */
export function rememberDataVersions(app: FastifyInstance): void {
  app.decorateRequest('dataVersion', null);
}

/** Returns the version of the data that this request reads. It is fixed when the request first needs it. */
export function dataVersionOf(cache: Cache, request: FastifyRequest): DataVersion {
  request.dataVersion ??= cache.newDataVersion();
  return request.dataVersion;
}

/** Makes a long-lived request, such as an event stream, continue with the current version of the data. */
export function refreshDataVersion(request: FastifyRequest): void {
  request.dataVersion = null;
}

/**
 * Looks up the sender of a request or what they may do, and remembers it until people change. On PostgreSQL it is remembered
 * until anything changes, and only for reads: a change would nearly always find that something has.
 */
export function lookUpSender<T>(
  { db, cache }: { db: Db; cache: Cache },
  request: FastifyRequest,
  key: string,
  load: () => Promise<T>,
): Promise<T> {
  const version = db.peopleVersion ?? (request.method === 'GET' ? dataVersionOf(cache, request) : null);
  return version ? cache.getOrLoad(version, key, load, () => SENDER_BYTES) : load();
}
