import type { FastifyRequest } from 'fastify';
import type { Cache, DataVersion } from '../db/core/cache.ts';

const versions = new WeakMap<FastifyRequest, DataVersion>();

/** Returns the version of the data that this request reads. It is fixed when the request first needs it. */
export function dataVersionOf(cache: Cache, request: FastifyRequest): DataVersion {
  const known = versions.get(request);
  if (known) return known;
  const version = cache.newDataVersion();
  versions.set(request, version);
  return version;
}

/** Makes a long-lived request, such as an event stream, continue with the current version of the data. */
export function refreshDataVersion(request: FastifyRequest): void {
  versions.delete(request);
}
