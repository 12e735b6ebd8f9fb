import { join } from 'node:path';
import { uploadPicture } from '@perfume/contract/pictures';
import { PICTURE_BYTES_MAX, pictureTypes } from '@perfume/domain/pictures';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import pLimit from 'p-limit';
import type { Config } from '../config.ts';
import { annotateLog } from '../http/access-log.ts';
import { Problem } from '../http/problem.ts';
import { type Deps, sendJson } from '../http/serve.ts';
import { requireUser } from '../http/session.ts';
import type { Identity } from '../identity/identity.ts';
import { convertPicture } from './pictures.convert.ts';
import { findPicture, keepPicture } from './pictures.store.ts';

/** Of the four threads that also read and write files, two are left for that. */
const MOST_CONVERTING = 2;
/** Read, waiting or converting: each may hold 10 MB. */
const MOST_IN_HAND = 16;
const MOST_OF_ONE_PERSON = 3;

/** What becomes of a picture whose sender has gone. */
const nobody = { ok: false, reason: 'not_a_picture' } as const;

/** A name never means anything else, so it is asked for once. Opened by itself, a picture can run and load nothing. */
const pictureHeaders = {
  'content-type': 'image/webp',
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
};

export function uploadRoutes(app: FastifyInstance, deps: Deps & { config: Config; identity: Identity }): void {
  const { whoIs, identity } = deps;
  const folder = join(deps.config.dataDir, 'uploads');
  const inHand = new Map<FastifyRequest, string>();
  /** Those whose bytes are here: they keep their place until these are let go, also when the sender has gone. */
  const working = new Set<FastifyRequest>();
  const limit = pLimit(MOST_CONVERTING);

  app.get('/uploads/:name', async (request, reply) => {
    const { name } = request.params as { name: string };
    const picture = await findPicture(folder, name);
    if (!picture) throw new Problem('not_found');
    return reply.headers(pictureHeaders).send(picture);
  });

  // Its own room, for here alone a body is no JSON.
  app.register(async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser([...pictureTypes], { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    app.addContentTypeParser('*', (_request, _body, done) => done(new Problem('not_a_picture')));

    app.route({
      method: uploadPicture.method,
      url: uploadPicture.path,
      config: { endpoint: uploadPicture },
      bodyLimit: PICTURE_BYTES_MAX,
      onRequest: admit,
      handler: async (request, reply) => {
        const { body } = request;
        if (!Buffer.isBuffer(body)) throw new Problem('not_a_picture');
        const wantsIt = () => !reply.raw.destroyed;
        working.add(request);
        try {
          const converted = await limit(() => (wantsIt() ? convertPicture(body) : Promise.resolve(nobody)));
          if (!converted.ok) throw new Problem(converted.reason);
          const { bytes, width, height } = converted;
          return sendJson(reply, 201, { img: `/uploads/${await keepPicture(folder, bytes)}`, width, height });
        } finally {
          working.delete(request);
          inHand.delete(request);
        }
      },
    });
  });

  /** Before a byte of the body is read: a stranger's ten megabytes are not even held. */
  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    reply.header('cache-control', 'no-store').raw.once('close', () => {
      if (!working.has(request)) inHand.delete(request);
    });
    const user = await requireUser(whoIs, request);
    annotateLog(request, { user: user.id });
    const own = [...inHand.values()].filter((id) => id === user.id).length;
    if (inHand.size >= MOST_IN_HAND || own >= MOST_OF_ONE_PERSON) throw new Problem('overloaded');
    if (!reply.raw.closed) inHand.set(request, user.id);
    const wait = await identity.attempts.spend('upload', { address: request.ip, account: user.id });
    if (wait === null) return;
    reply.header('retry-after', String(wait));
    throw new Problem('too_many');
  }
}
