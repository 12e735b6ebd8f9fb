import type { FastifyRequest } from 'fastify';
import type { Memory, Moment } from '../db/core/cache.ts';

const moments = new WeakMap<FastifyRequest, Moment>();

/** Everything one request reads, it reads as of one moment after it arrived. */
export function momentOf(memory: Memory, request: FastifyRequest): Moment {
  const known = moments.get(request);
  if (known) return known;
  const moment = memory.moment();
  moments.set(request, moment);
  return moment;
}

/** For a request that lasts, such as a stream: what it reads from here on, it reads as of now. */
export function takeNewMoment(request: FastifyRequest): void {
  moments.delete(request);
}
