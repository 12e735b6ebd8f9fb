import {
  acceptInvitation as accept,
  changeHouse as change,
  changeMember,
  createHouse as create,
  deleteHouse as del,
  enterHouse as enter,
  invite,
  listHouses as list,
  listHouseEvents as listEvents,
  listInvitations as listInvited,
  listMembers as listPeople,
  readInvitation,
  removeMember as remove,
  withdrawInvitation as withdraw,
} from '@perfume/contract/houses';
import type { User } from '@perfume/contract/identity';
import { pathOf } from '@perfume/contract/page-paths';
import { emailKey } from '@perfume/domain/email';
import { isUuid, parseUuid } from '@perfume/domain/uuid';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requireRole } from '../access/access.ts';
import type { Config } from '../config.ts';
import { newId } from '../db/core/ids.ts';
import { SHARED_HOUSE } from '../db/core/shared-house.ts';
import { idOf } from '../http/path-id.ts';
import { Problem } from '../http/problem.ts';
import { type Deps, type Member, sendJson, serve } from '../http/serve.ts';
import { requireProof } from '../http/session.ts';
import { signInId, verifyEmail } from '../identity/identity.store.ts';
import type { Identity } from '../identity/identity.ts';
import type { LimitName } from '../identity/limits.ts';
import type { Action } from '../items/item-events.ts';
import { emails, type OwnersChange } from '../mail/emails.ts';
import { listHouseEvents } from './house-events.store.ts';
import { changeHouse, createHouseOnce, deleteHouse, findHouse, listHouses, sharedHouse } from './houses.store.ts';
import {
  acceptInvitation,
  findInvitation,
  houseOfInvitation,
  inviteMember,
  listInvitations,
  withdrawInvitation,
} from './invitations.store.ts';
import type { MemberFinder } from './member-finder.ts';
import {
  changeRole,
  findMember,
  findMembership,
  findMembershipIn,
  listMembers,
  removeMember,
  setCurrent,
} from './members.store.ts';

const EVENTS_LIMIT = 50;

type HouseDeps = Deps & { config: Config; identity: Identity; memberOf: MemberFinder };

/** With `ACCESS=open` there is one house, in which everybody is a manager. */
export function houseRoutes(app: FastifyInstance, deps: HouseDeps): void {
  const { db, config, identity, memberOf } = deps;
  const isOpen = config.access === 'open';

  /** Finds what the person is in the house of the path. Another house is answered like one that does not exist. */
  async function memberIn(params: { id: string }, user: User): Promise<Member> {
    const id = idOf(params, 'house_not_found');
    const found = isOpen ? await memberOfShared(id) : await findMembership(db.query, user.id, id);
    if (!found) throw new Problem('house_not_found');
    return found;
  }

  async function memberOfShared(id: string): Promise<Member | null> {
    return (await sharedHouse(db.query)).id === id ? { house: SHARED_HOUSE, role: 'manager' } : null;
  }

  const ownersOf = async (house: number) =>
    (await listMembers(db.query, house)).filter(({ role }) => role === 'owner').map(({ email }) => email);

  /** Makes a change of the owners of a house, and tells everybody who was or is one. */
  async function withOwnersTold<T>(
    member: Member,
    user: User,
    change: Omit<OwnersChange, 'house'>,
    make: () => Promise<T>,
  ) {
    const { name } = await findHouse(db.query, member, user.id);
    const before = await ownersOf(member.house);
    const made = await make();
    const url = `${identity.origin()}${pathOf.settings}`;
    for (const to of new Set([...before, ...(await ownersOf(member.house))]))
      identity.mailer.send(emails.ownersChanged(to, { ...change, house: name }, url));
    return made;
  }

  async function limit(name: LimitName, request: FastifyRequest, reply: FastifyReply, account?: string) {
    const wait = await identity.attempts.spend(name, { ip: request.ip, ...(account && { account }) });
    if (wait === null) return;
    reply.header('retry-after', String(wait));
    throw new Problem('too_many');
  }

  serve(app, deps, list, async ({ user, request, reply }) => {
    if (isOpen) return sendJson(reply, 200, [await sharedHouse(db.query)]);
    await memberOf(request, user);
    return sendJson(reply, 200, await listHouses(db.query, user.id));
  });

  serve(app, deps, create, async ({ body, user, idempotency, now, request, reply }) => {
    if (isOpen) throw new Problem('not_allowed', { role: 'owner' });
    await limit('createHouse', request, reply, user.id);
    const created = await createHouseOnce(db, user, { name: body.name, at: now }, idempotency);
    if (!created.ok) {
      const { ok: _, reason, ...more } = created;
      throw new Problem(reason, more);
    }
    return sendJson(reply, 201, created.house);
  });

  serve(app, deps, change, async ({ params, body, user, now, reply }) => {
    const member = await memberIn(params, user);
    requireRole(member, 'manageHouse');
    await changeHouse(db, member.house, body, actionOf(user, now));
    return sendJson(reply, 200, await findHouse(db.query, member, user.id));
  });

  serve(app, deps, del, async ({ params, user, now, reply }) => {
    const member = await memberIn(params, user);
    requireRole(member, 'manageHouse');
    await deleteHouse(db, member.house, actionOf(user, now));
    return sendJson(reply, 200, { id: idOf(params, 'house_not_found') });
  });

  serve(app, deps, enter, async ({ params, user, reply }) => {
    if (isOpen && (await memberIn(params, user))) return sendJson(reply, 200, await sharedHouse(db.query));
    const member = await memberIn(params, user);
    await db.change((db) => setCurrent(db, user.id, member.house), { repeatable: true });
    return sendJson(reply, 200, await findHouse(db.query, member, user.id));
  });

  serve(app, deps, listPeople, async ({ params, user, request, reply }) => {
    const { house } = await memberIn(params, user);
    const people = await listMembers(db.query, house);
    request.rowsRead = people.length;
    return sendJson(reply, 200, people);
  });

  serve(app, deps, changeMember, async ({ params, body, user, now, request, reply }) => {
    const member = await memberIn(params, user);
    requireRole(member, 'manageHouse');
    const userId = personIn(params);
    const { house } = member;
    const { role } = body;
    const before = await findMember(db.query, house, userId);
    if (!before) throw new Problem('member_not_found');
    const give = async () => {
      const outcome = await changeRole(db, { house, userId, role, action: actionOf(user, now) });
      if (!outcome.ok) throw new Problem(outcome.reason);
      return outcome.member;
    };
    if ((before.role === 'owner') === (role === 'owner')) return sendJson(reply, 200, await give());
    requireProof(request, now);
    await limit('changeOwners', request, reply, user.id);
    const change = { who: before.name, became: role === 'owner' ? 'owner' : 'none' } as const;
    return sendJson(reply, 200, await withOwnersTold(member, user, change, give));
  });

  serve(app, deps, remove, async ({ params, user, now, request, reply }) => {
    const member = await memberIn(params, user);
    const userId = personIn(params);
    // Everybody may leave.
    if (isOpen || userId !== user.id) requireRole(member, 'manageHouse');
    const { house } = member;
    const before = await findMember(db.query, house, userId);
    const take = async () => {
      const outcome = await removeMember(db, { house, userId, action: actionOf(user, now) });
      if (!outcome.ok) throw new Problem(outcome.reason);
    };
    if (before?.role === 'owner') {
      requireProof(request, now);
      await limit('changeOwners', request, reply, user.id);
      await withOwnersTold(member, user, { who: before.name, became: 'none' }, take);
    } else await take();
    return sendJson(reply, 200, { userId });
  });

  serve(app, deps, invite, async ({ params, body, user, now, request, reply }) => {
    const member = await memberIn(params, user);
    requireRole(member, 'manageHouse');
    if (body.role === 'owner') requireProof(request, now);
    await limit('invite', request, reply, user.id);
    if (body.role === 'owner') await limit('changeOwners', request, reply, user.id);
    await limit('invitationEmail', request, reply, emailKey(body.email));
    const send = async () => {
      const outcome = await inviteMember(db, { house: member.house, ...body, action: actionOf(user, now) });
      if (!outcome.ok) throw new Problem(outcome.reason);
      return outcome;
    };
    const change = { who: body.email, became: 'invited' } as const;
    const outcome = await (body.role === 'owner' ? withOwnersTold(member, user, change, send) : send());
    const link = `${identity.origin()}${pathOf.invitation}#token=${outcome.token}`;
    const { name } = await findHouse(db.query, member, user.id);
    identity.mailer.send(emails.houseInvitation(body.email, { house: name, by: user.name, role: body.role }, link));
    return sendJson(reply, 201, outcome.invitation);
  });

  serve(app, deps, listInvited, async ({ params, user, now, reply }) => {
    const member = await memberIn(params, user);
    requireRole(member, 'manageHouse');
    return sendJson(reply, 200, await listInvitations(db.query, member.house, now));
  });

  serve(app, deps, withdraw, async ({ params, user, now, reply }) => {
    const id = idOf(params, 'invitation_not_found');
    const house = await houseOfInvitation(db.query, id);
    const member = house === null || isOpen ? null : await findMembershipIn(db.query, user.id, house);
    if (!member) throw new Problem('invitation_not_found');
    requireRole(member, 'manageHouse');
    if (!(await withdrawInvitation(db, id, actionOf(user, now)))) throw new Problem('invitation_not_found');
    return sendJson(reply, 200, { id });
  });

  serve(app, deps, readInvitation, async ({ body, now, request, reply }) => {
    await limit('invitation', request, reply);
    const found = await findInvitation(db.query, body.token, now);
    if (!found) throw new Problem('invalid_link');
    const { house_name: house, role, email, inviter } = found;
    return sendJson(reply, 200, { house, role, email, invitedBy: inviter });
  });

  serve(app, deps, accept, async ({ body, user, now, request, reply }) => {
    await limit('invitation', request, reply, user.id);
    const found = await findInvitation(db.query, body.token, now);
    if (!found) throw new Problem('invalid_link');
    if (!user.emailVerified) {
      // Whoever has the link reads the email of the invited address, which is what a verification link proves.
      const token = identity.cookies.tokenOf(request.headers.cookie);
      const invited = { userId: user.id, email: found.email, signInId: token && signInId(token), now };
      if ((await verifyEmail(db, invited)) !== 'here') throw new Problem('email_not_verified');
    }
    const outcome = await acceptInvitation(db, { token: body.token, user, action: actionOf(user, now) });
    if (!outcome.ok) throw new Problem(outcome.reason);
    return sendJson(reply, 200, await findHouse(db.query, outcome, user.id));
  });

  serve(app, deps, listEvents, async ({ params, query, user, request, reply }) => {
    const { house } = await memberIn(params, user);
    const { limit = EVENTS_LIMIT } = query;
    const after = query.cursor === undefined ? null : readCursor(query.cursor);
    const page = await listHouseEvents(db.query, house, { limit, after });
    if (page.next) reply.header('link', `</houses/${params.id}/events?limit=${limit}&cursor=${page.next}>; rel="next"`);
    request.rowsRead = page.events.length;
    return sendJson(reply, 200, page.events);
  });
}

function personIn({ userId }: { userId: string }): string {
  const id = parseUuid(userId);
  if (id === null) throw new Problem('member_not_found');
  return id;
}

function actionOf(actor: User, at: number): Action {
  return { id: newId(at), actor, at, batch: null, undoes: null };
}

function readCursor(text: string): [at: number, id: string] {
  const [, at, id = ''] = /^([0-9]{1,15})-(.+)$/.exec(text) ?? [];
  if (at === undefined || !isUuid(id))
    throw new Problem('invalid_query', { fields: { cursor: { code: 'not_a_cursor' } } });
  return [Number(at), id];
}
