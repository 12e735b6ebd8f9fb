import { finished } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { networkOf } from './network.ts';

/** Smaller answers fit into the buffers of a connection, whose number is limited. */
const LARGE_BYTES = 64 * 1024;
const MAX_UNSENT_BYTES = 32 * 1024 * 1024;

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asked: the id of a person, or the network of a visitor. */
    asker: string;
  }
}

/**
 * Counts the bytes of large answers that were not sent yet, because their readers are slow or do not read at all.
 * Returns whether a person, or the visitors of one network, has too many of them.
 */
export function countUnsentAnswers(app: FastifyInstance, maxBytes = MAX_UNSENT_BYTES): (asker: string) => boolean {
  const bytesOf = new Map<string, number>();

  function add(asker: string, bytes: number): void {
    const sum = (bytesOf.get(asker) ?? 0) + bytes;
    if (sum > 0) bytesOf.set(asker, sum);
    else bytesOf.delete(asker);
  }

  app.decorateRequest('asker', '');
  app.addHook('onSend', (request, reply, payload, done) => {
    if ((typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length >= LARGE_BYTES) {
      const bytes = Buffer.byteLength(payload);
      const asker = request.asker || networkOf(request.ip);
      add(asker, bytes);
      finished(reply.raw, () => add(asker, -bytes));
    }
    done(null, payload);
  });
  return (asker) => (bytesOf.get(asker) ?? 0) > maxBytes;
}
