import type { User } from '@perfume/contract/identity';
import { parseUuid } from '@perfume/domain/uuid';
import type { FastifyRequest } from 'fastify';
import type { Cache } from '../db/core/cache.ts';
import type { Db } from '../db/core/database.ts';
import { lookUpSender, refreshDataVersion } from '../http/data-version.ts';
import type { Member } from '../http/serve.ts';
import { createHouse } from './houses.store.ts';
import { findMembership, findMembershipIn, wasInHouse } from './members.store.ts';

export type MemberFinder = (request: FastifyRequest, user: User) => Promise<Member | null>;

/**
 * Finds in which house a request works: that of its API key, the one named in its header `House`, or the person's
 * current one. Whoever was never in a house gets one of their own.
 */
export function memberFinder(db: Db, cache: Cache, clock: () => number): MemberFinder {
  return async (request, user) => {
    const { house: header } = request.headers;
    const { keyHouse: ofKey } = request;
    const wanted = header === undefined ? null : parseUuid(String(header));
    if (header !== undefined && wanted === null) return null;
    const load = async () => {
      const named = wanted === null ? null : await findMembership(db.query, user.id, wanted);
      // A key works in its own house only.
      if (ofKey !== null)
        return wanted === null || named?.house === ofKey ? findMembershipIn(db.query, user.id, ofKey) : null;
      return wanted === null ? findMembership(db.query, user.id, null) : named;
    };
    const key = `member ${user.id} ${ofKey ?? ''} ${wanted ?? ''}`;
    const found = await lookUpSender({ db, cache }, request, key, load);
    if (found || wanted !== null || ofKey !== null) return found;
    // Only once: a write with every request of somebody who has left all houses would empty everybody's cache.
    if (await wasInHouse(db.query, user.id)) return null;
    const first = await createHouse(db, user, { name: user.name, at: clock(), onlyAsFirst: true });
    refreshDataVersion(request);
    return first === null || first === 'too_many_houses' ? findMembership(db.query, user.id, null) : first;
  };
}
