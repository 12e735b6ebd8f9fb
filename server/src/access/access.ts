import type { User } from '@perfume/contract/identity';
import { type HouseAction, type HouseRole, roleFor, roleMay } from '@perfume/domain/houses';
import { parseUuid } from '@perfume/domain/uuid';
import type { FastifyRequest } from 'fastify';
import type { Db } from '../db/core/database.ts';
import { SHARED_HOUSE } from '../db/core/shared-house.ts';
import { Problem } from '../http/problem.ts';
import type { Access, Member } from '../http/serve.ts';
import { isDisabled } from '../identity/identity.store.ts';
import { policy, type Rule } from './policy.ts';
import { findThing, foreignItems, notFound } from './things.store.ts';

/** `ACCESS=open`: everybody works in the shared house and may do everything. */
export function openAccess(db: Db): Access {
  return {
    enter: async () => ({ house: SHARED_HOUSE, role: 'owner' }),
    houseOf: async () => undefined,
    mayStill: async (userId) => !(await isDisabled(db, userId)),
    foreignItems: async () => new Set(),
  };
}

/** `ACCESS=houses`: people work in the houses they are members of and do what their role there may do. */
export function houseAccess(
  db: Db,
  members: {
    memberOf: (request: FastifyRequest, user: User) => Promise<Member | null>;
    houseOf: Access['houseOf'];
    roleIn: (userId: string, house: number) => Promise<HouseRole | null>;
  },
): Access {
  const { memberOf, houseOf, roleIn } = members;
  return {
    houseOf,
    async mayStill(userId, house, action) {
      const role = await roleIn(userId, house);
      return role !== null && roleMay(role, action) && !(await isDisabled(db, userId));
    },
    async enter(endpoint, request, user) {
      const rule = policy.get(endpoint);
      if (!rule) return null;
      const member = await memberOf(request, user);
      if (!member) throw new Problem(request.headers.house === undefined ? 'no_house' : 'house_not_found');
      requireRole(member, typeof rule.does === 'string' ? rule.does : rule.does(request.body));
      if (rule.names) await requireThing(db, rule, rule.names, request, { user, member });
      return member;
    },
    foreignItems: (house, ids) => foreignItems(db.query, house, ids),
  };
}

export function requireRole({ role }: Member, action: HouseAction): void {
  if (!roleMay(role, action)) throw new Problem('not_allowed', { role: roleFor(action) });
}

/** Requires that what the id in the path names is of the member's house and, where only that is allowed, their own. */
async function requireThing(
  db: Db,
  rule: Rule,
  thing: keyof typeof notFound,
  request: FastifyRequest,
  { user, member }: { user: User; member: Member },
): Promise<void> {
  const id = parseUuid((request.params as { id: string }).id);
  const found = id === null ? null : await findThing(db.query, thing, id);
  if (found?.house !== member.house) throw new Problem(notFound[thing]);
  const isOwn = found.actor_id === user.id && found.moves_stock === 1;
  if (rule.own && !isOwn) requireRole(member, 'changeItems');
}
