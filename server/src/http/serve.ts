import type { BodyOf, Endpoint, ParamsOf, QueryOf } from '@perfume/contract/endpoint';
import { parseInput } from '@perfume/contract/fields';
import type { User, WireUser } from '@perfume/contract/identity';
import type { HouseAction, HouseRole } from '@perfume/domain/houses';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import type { Cache } from '../db/core/cache.ts';
import type { Db } from '../db/core/database.ts';
import { isForeignKeyViolation } from '../db/core/errors.ts';
import { findOutcome, type Idempotency } from '../db/core/idempotency.ts';
import { type Budgets, changesMany, spendingOn } from './budgets.ts';
import { refreshDataVersion } from './data-version.ts';
import { readIdempotency } from './idempotency.ts';
import { longQuestions } from './long-questions.ts';
import { networkOf } from './network.ts';
import type { PersonTurns } from './person-turns.ts';
import { Problem } from './problem.ts';
import { identify, requireProof, type WhoIs } from './session.ts';

/** A slow reader may take hours, and may lose the right to read meanwhile. */
const RECHECK_MS = 5_000;
/** A change may wait for its turn, and the person may lose the right to make it. */
const RECHECK_CHANGE_MS = 500;

/** What every route depends on. */
export type Deps = {
  db: Db;
  cache: Cache;
  clock: () => number;
  whoIs: WhoIs;
  access: Access;
  limitLongQuestions: PersonTurns;
  limitReads: PersonTurns;
  hasTooMuchUnsent: (asker: string) => boolean;
  limitBatches: PersonTurns;
  limitChanges: PersonTurns;
  budgets: Budgets;
  /**
   * Called before an item is saved with a picture. Returns false if the picture was an upload that no longer exists.
   * Implemented in src/pictures.
   */
  keepPicture: (imageUrl: string, now: number) => Promise<boolean>;
};

/** The number of the house that a person works in, and what they are there. */
export type Member = { house: number; role: HouseRole };

/** Decides in which house a request works and whether the person may send it. Implemented in src/access. */
export type Access = {
  /** Returns null for endpoints that are not about a house. Throws a problem if the person may not do this. */
  enter(endpoint: Endpoint, request: FastifyRequest, user: User): Promise<Member | null>;
  /** Returns the house that the person works in, as their account shows it. */
  houseOf(user: User): Promise<WireUser['house']>;
  /** Whether a person may still do this in a house: for work that goes on without a request of theirs. */
  mayStill(userId: string, house: number, action: HouseAction): Promise<boolean>;
  /** Returns those of `itemIds` that are items of another house. */
  foreignItems(house: number, itemIds: string[]): Promise<Set<string>>;
};

export type Call<E extends Endpoint> = {
  user: E['who'] extends 'anyone' ? null : User;
  /** The number of the house that the person works in; 0 if the endpoint is not about a house. */
  house: number;
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  idempotency: Idempotency | null;
  now: number;
  request: FastifyRequest;
  reply: FastifyReply;
  /** Throws if the person may no longer send this request: for answers that take long. Checks again only after a while. */
  requireStillAllowed: (afterMs?: number) => Promise<void>;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
}

/**
 * Registers an endpoint of the contract. The order is the same for all of them:
 * parse → authenticate → spend from the person's budget → authorise → require a fresh proof → replay a known idempotency
 * key → validate fields → handle.
 */
export function serve<E extends Endpoint>(
  app: FastifyInstance,
  deps: Deps,
  endpoint: E,
  handle: (call: Call<E>) => Promise<FastifyReply>,
): void {
  const isLong = longQuestions.has(endpoint);
  const limitSingle = endpoint.method === 'GET' ? null : deps.limitChanges;
  const spend = spendingOn(endpoint, deps.budgets);
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { endpoint },
    handler: async (request, reply) => {
      if (endpoint.body && request.body === undefined && !request.headers['content-type'])
        throw new Problem('not_json');
      refuseRepeated(request.query as Record<string, unknown>);
      const user = await identify(deps.whoIs, endpoint, request, reply);
      request.asker = user?.id ?? networkOf(request.ip);
      const requireFewUnsent = () => requireBudget(deps.hasTooMuchUnsent(request.asker) ? 1 : null, reply);
      requireFewUnsent();
      if (user) requireBudget(spend(user.id, request.body), reply);
      if (endpoint.who !== 'anyone') reply.header('cache-control', 'no-store');
      const member = user && (await deps.access.enter(endpoint, request, user));
      const house = member?.house ?? 0;
      const query = endpoint.query ? parseQuery(endpoint.query, request.query) : undefined;
      const now = deps.clock();
      if (endpoint.proof) requireProof(request, now);
      const idempotency = user && endpoint.method !== 'GET' ? readIdempotency(request, user, house, now) : null;
      const body = endpoint.body ? await parseBody(endpoint.body, request.body, deps.db, idempotency) : undefined;
      let checkedAt = performance.now();
      const requireStillAllowed = async (afterMs = RECHECK_MS) => {
        if (performance.now() - checkedAt < afterMs) return;
        refreshDataVersion(request);
        const still = await identify(deps.whoIs, endpoint, request, reply);
        const stillMember = still && (await deps.access.enter(endpoint, request, still));
        if (stillMember?.house !== member?.house) throw new Problem('house_not_found');
        checkedAt = performance.now();
      };
      const call = {
        user,
        house,
        params: request.params,
        query,
        body,
        idempotency,
        now,
        request,
        reply,
        requireStillAllowed,
      } as Call<E>;
      try {
        const limit = isLong ? deps.limitLongQuestions : changesMany(endpoint, body) ? deps.limitBatches : null;
        if (user && !limit && limitSingle)
          return await limitSingle(user.id, async () => {
            await requireStillAllowed(RECHECK_CHANGE_MS);
            return handle(call);
          });
        if (!user || !limit) return await handle(call);
        return await limit(user.id, async () => {
          // SQLite queries are synchronous; this lets other requests run between two of one person.
          await new Promise(setImmediate);
          // Nobody waits for the answer any more.
          if (isLong && reply.raw.destroyed) return reply;
          await requireStillAllowed(isLong ? RECHECK_MS : 0);
          // The answers that this one waited for may be large, and nobody may have read them.
          requireFewUnsent();
          return handle(call);
        });
      } catch (error) {
        // The account may have been removed meanwhile. Then this refuses the request.
        if (user && isForeignKeyViolation(error)) await identify(deps.whoIs, endpoint, request, reply);
        throw error;
      }
    },
  });
}

/** Refuses the request with 429 if the person has to wait. */
export function requireBudget(secondsToWait: number | null, reply: FastifyReply): void {
  if (secondsToWait === null) return;
  reply.header('retry-after', String(secondsToWait));
  throw new Problem('too_many');
}

/** Refuses repeated query parameters, which are ambiguous: some programs read the first value, others the last. */
function refuseRepeated(query: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(query)) {
    if (typeof value !== 'string') throw new Problem('invalid_query', { fields: { [name]: { code: 'repeated' } } });
  }
}

function parseQuery(schema: z.ZodMiniType, query: unknown): unknown {
  const parsed = parseInput(schema, query);
  if (parsed.ok) return parsed.value;
  throw new Problem('invalid_query', { fields: parsed.fields });
}

/**
 * Validates the body. If it is invalid but the idempotency key is known, the key is the error: the first request with
 * that key had a valid body, so this is a different request.
 */
async function parseBody(
  schema: z.ZodMiniType,
  body: unknown,
  db: Db,
  idempotency: Idempotency | null,
): Promise<unknown> {
  const parsed = parseInput(schema, body);
  if (parsed.ok) return parsed.value;
  if (idempotency && (await findOutcome(db.query, idempotency))) throw new Problem('key_reused');
  throw new Problem('invalid_input', { fields: parsed.fields });
}

export function sendJson(reply: FastifyReply, status: number, body: unknown): FastifyReply {
  return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(body));
}

/** Sends a cached JSON response, or 304 when the client already has it. */
export function sendCached(
  reply: FastifyReply,
  request: FastifyRequest,
  cached: { body: string | Buffer; etag: string },
): FastifyReply {
  reply.header('etag', cached.etag);
  if (request.headers['if-none-match'] === cached.etag) return reply.code(304).send();
  return reply.header('content-type', 'application/json; charset=utf-8').send(cached.body);
}
