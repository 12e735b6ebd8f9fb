import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Cache, DataVersion } from '../db/core/cache.ts';

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
