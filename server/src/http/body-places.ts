import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Limits how many large bodies are received and worked on at the same time, of one person and of all. A place is free
 * again when the work has ended, even if the sender is gone by then, or when the request was refused before.
 */
export function bodyPlaces(max: { ofAll: number; ofOne: number }) {
  const senders = new Map<FastifyRequest, string>();
  const working = new Set<FastifyRequest>();
  const leave = (request: FastifyRequest) => {
    if (!working.has(request)) senders.delete(request);
  };

  return {
    isFullFor(userId: string): boolean {
      const own = [...senders.values()].filter((id) => id === userId).length;
      return senders.size >= max.ofAll || own >= max.ofOne;
    },
    take(request: FastifyRequest, reply: FastifyReply, userId: string): void {
      if (reply.raw.closed) return;
      senders.set(request, userId);
      reply.raw.once('close', () => leave(request));
    },
    async work<T>(request: FastifyRequest, job: () => Promise<T>): Promise<T> {
      working.add(request);
      try {
        return await job();
      } finally {
        working.delete(request);
        senders.delete(request);
      }
    },
    /** For the route: an answer may have to wait for others on its connection, and its place should not. */
    onSend: async (request: FastifyRequest) => leave(request),
  };
}
