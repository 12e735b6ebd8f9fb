import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

type Work = (request: FastifyRequest, reply: FastifyReply, hasHungUp: boolean) => void;
export type OnRequestEnd = (work: Work) => void;

declare module 'fastify' {
  interface FastifyRequest {
    progress: 'running' | 'sending' | 'ended';
  }
}

/**
 * Lets others run something exactly once per request, when it has ended: usually when the response was sent. Fastify's
 * `onResponse` does not run when the client hangs up before that. Then a request ends when its result is known, because
 * its handler runs on. Call this before other hooks are added, which may refuse the request.
 */
export function requestEnds(app: FastifyInstance): OnRequestEnd {
  const works: Work[] = [];
  const end = (request: FastifyRequest, reply: FastifyReply, hasHungUp: boolean) => {
    if (request.progress === 'ended') return;
    request.progress = 'ended';
    for (const work of works) work(request, reply, hasHungUp);
  };

  app.decorateRequest('progress', 'running');
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => {
      if (request.progress === 'sending') end(request, reply, true);
      // A stream of events: its client leaving is how it usually ends.
      else if (reply.sent) end(request, reply, false);
    });
    done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.raw.destroyed) end(request, reply, true);
    else request.progress = 'sending';
    done(null, payload);
  });
  app.addHook('onResponse', (request, reply, done) => {
    end(request, reply, false);
    done();
  });
  return (work) => void works.push(work);
}
