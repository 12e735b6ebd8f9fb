import { join } from 'node:path';
import { uploadPicture } from '@perfume/contract/pictures';
import { toWireNames } from '@perfume/contract/wire-item';
import { PICTURE_BYTES_MAX, pictureTypes } from '@perfume/domain/pictures';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { bodyPlaces } from '../http/body-places.ts';
import { networkOf } from '../http/network.ts';
import { personTurns } from '../http/person-turns.ts';
import { Problem } from '../http/problem.ts';
import { type Deps, requireBudget, sendJson } from '../http/serve.ts';
import { identify } from '../http/session.ts';
import type { Identity } from '../identity/identity.ts';
import { checkStoredPicture, convertPicture } from './pictures.convert.ts';
import { pictureReader } from './pictures.store.ts';
import { storeUpload } from './uploads.store.ts';

/** The limit for uploads that are being received, waiting or converting. Each may hold 10 MB of memory. */
const PLACES = { ofAll: 16, ofOne: 3 };

/**
 * How many pictures may be read from the disk for the clients of one network, and wait. A page has 50 of them, and the
 * people of a shop share a network.
 */
const READ_LIMITS = { running: 4, waiting: 500 };

/**
 * A picture's name is a hash of its content, so browsers may cache the picture for good. If somebody opens its address
 * as a page, the policy lets it run and load nothing.
 */
const pictureHeaders = {
  'content-type': 'image/webp',
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
};

export function uploadsFolder({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'uploads');
}

export function pictureRoutes(app: FastifyInstance, deps: Deps & { config: Config; identity: Identity }): void {
  const { db, clock, whoIs, access, identity } = deps;
  const folder = uploadsFolder(deps.config);
  const pictures = pictureReader(folder);
  const limitReads = personTurns(READ_LIMITS);
  const places = bodyPlaces(PLACES);

  app.get('/uploads/:name', async (request, reply) => {
    const { name } = request.params as { name: string };
    const network = networkOf(request.ip);
    const requireFewUnsent = () => requireBudget(deps.hasTooMuchUnsent(network) ? 1 : null, reply);
    const picture = await (pictures.known(name) ??
      limitReads(network, async () => {
        requireFewUnsent();
        return pictures.read(name);
      }));
    if (!picture) throw new Problem('not_found');
    // Others may have been sent since. Nothing is awaited from here on, so this one counts before the next is checked.
    requireFewUnsent();
    return reply.headers(pictureHeaders).send(picture);
  });

  // The upload route has a scope of its own, because it is the only route whose body is not JSON.
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
      onSend: places.onSend,
      handler: (request, reply) =>
        places.work(request, async () => {
          const { body } = request;
          if (!Buffer.isBuffer(body)) throw new Problem('not_a_picture');
          const isConnected = () => !reply.raw.destroyed;
          const converted = isStored(request)
            ? await checkStoredPicture(body)
            : await convertPicture(body, isConnected);
          if (!converted.ok) throw new Problem(converted.reason);
          const { bytes, width, height } = converted;
          const imageUrl = await storeUpload(db, folder, bytes, clock());
          return sendJson(reply, 201, toWireNames({ imageUrl, width, height }));
        }),
    });
  });

  /**
   * Checks the user and the limits before the body is read, so a visitor cannot make the server buffer ten megabytes.
   */
  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    reply.header('cache-control', 'no-store');
    const user = await identify(whoIs, uploadPicture, request, reply);
    await access.enter(uploadPicture, request, user);
    if (places.isFullFor(user.id)) throw new Problem('overloaded');
    places.take(request, reply, user.id);
    const wait = await identity.attempts.spend(isStored(request) ? 'storedPicture' : 'upload', {
      ip: request.ip,
      account: user.id,
    });
    requireBudget(wait, reply);
  }
}

/** Whether the picture comes from the archive of another server. */
function isStored(request: FastifyRequest): boolean {
  return (request.query as { stored?: unknown }).stored === 'true';
}
