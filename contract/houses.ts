import { houseEventKinds, houseRoles } from '@perfume/domain/houses';
import * as z from 'zod/mini';
import { endpointsOf, pageReplyHeaders } from './endpoint.ts';
import { idParams, limitUpTo } from './fields.ts';
import { emailField, invitationToken, nameField, wireActor } from './identity.ts';

const endpoint = endpointsOf('Houses');

/** How many houses one person can be in, and how many people a house can have with those invited. */
export const MAX_HOUSES = 20;
export const MAX_MEMBERS = 200;

const role = z.enum(houseRoles);

export const wireHouse = z.strictObject({
  id: z.string(),
  name: z.string(),
  /** The last part of the address of its public page, `/houses/{slug}`. */
  slug: z.string(),
  /** Whether visitors see its items. */
  published: z.boolean(),
  /** What you are in this house. */
  role,
  /** Whether you work in this house now. */
  current: z.boolean(),
});
export type WireHouse = z.output<typeof wireHouse>;

export const listHouses = endpoint({
  method: 'GET',
  path: '/houses',
  summary: 'The houses that you are a member of',
  who: 'user',
  replies: { 200: z.array(wireHouse) },
  problems: [],
});

export const createHouse = endpoint({
  method: 'POST',
  path: '/houses',
  summary: 'Create a house, whose owner you are, and work in it from now on',
  who: 'user',
  headers: {
    'idempotency-key': 'A UUID that the client creates for this request; repeating it creates no second house',
  },
  body: z.strictObject({ name: nameField }),
  replies: { 201: wireHouse },
  problems: ['invalid_header', 'invalid_input', 'key_reused', 'too_many_houses', 'too_many'],
});

export const changeHouse = endpoint({
  method: 'PUT',
  path: '/houses/:id',
  summary: 'Rename a house, or show its items to visitors',
  who: 'user',
  params: idParams,
  body: z.strictObject({ name: z.optional(nameField), published: z.optional(z.boolean()) }),
  replies: { 200: wireHouse },
  problems: ['invalid_input', 'house_not_found', 'not_allowed'],
});

export const deleteHouse = endpoint({
  method: 'DELETE',
  path: '/houses/:id',
  summary: 'Close a house for all its people. Its ledger is kept, but nobody can open it any more',
  who: 'user',
  proof: true,
  params: idParams,
  replies: { 200: z.strictObject({ id: z.string() }) },
  problems: ['house_not_found', 'not_allowed'],
});

export const enterHouse = endpoint({
  method: 'POST',
  path: '/houses/:id/enter',
  summary: 'Work in this house from now on, on all your devices',
  who: 'user',
  params: idParams,
  replies: { 200: wireHouse },
  problems: ['house_not_found'],
});

export const wireMember = z.strictObject({
  userId: z.string(),
  name: z.string(),
  email: z.string(),
  image: z.nullable(z.string()),
  mark: z.string(),
  role,
  joinedAt: z.string(),
});
export type WireMember = z.output<typeof wireMember>;

export const listMembers = endpoint({
  method: 'GET',
  path: '/houses/:id/members',
  summary: 'The people of a house and their roles',
  who: 'user',
  params: idParams,
  replies: { 200: z.array(wireMember) },
  problems: ['house_not_found'],
});

/** Otherwise a session left open for minutes would be enough to give a house away for good. */
const OWNERS_NEED_PROOF =
  'Needs a fresh proof where somebody becomes an owner or an owner stops being one; all owners are told by email.';

const memberParams = z.object({ id: z.string(), userId: z.string() });

export const changeMember = endpoint({
  method: 'PUT',
  path: '/houses/:id/members/:userId',
  summary: 'Give somebody another role',
  description: OWNERS_NEED_PROOF,
  who: 'user',
  params: memberParams,
  body: z.strictObject({ role }),
  replies: { 200: wireMember },
  problems: ['invalid_input', 'house_not_found', 'not_allowed', 'proof_needed', 'member_not_found', 'last_owner'],
});

export const removeMember = endpoint({
  method: 'DELETE',
  path: '/houses/:id/members/:userId',
  summary: 'Remove somebody from a house, or leave it',
  description: `Ends their access at once, with their open streams, the API keys of this house and the invitations they sent. ${OWNERS_NEED_PROOF}`,
  who: 'user',
  params: memberParams,
  replies: { 200: z.strictObject({ userId: z.string() }) },
  problems: ['house_not_found', 'not_allowed', 'proof_needed', 'member_not_found', 'last_owner'],
});

export const wireInvitation = z.strictObject({
  id: z.string(),
  email: z.string(),
  role,
  invitedAt: z.string(),
  expiresAt: z.string(),
});
export type WireInvitation = z.output<typeof wireInvitation>;

export const invite = endpoint({
  method: 'POST',
  path: '/houses/:id/invitations',
  summary: 'Invite somebody by email. The link works once, for seven days',
  description: `Inviting an address again sends a new link and ends the old one. ${OWNERS_NEED_PROOF}`,
  who: 'user',
  params: idParams,
  body: z.strictObject({ email: emailField, role }),
  replies: { 201: wireInvitation },
  problems: [
    'invalid_input',
    'house_not_found',
    'not_allowed',
    'proof_needed',
    'already_member',
    'too_many_members',
    'too_many',
  ],
});

export const listInvitations = endpoint({
  method: 'GET',
  path: '/houses/:id/invitations',
  summary: 'The invitations that nobody has used yet',
  who: 'user',
  params: idParams,
  replies: { 200: z.array(wireInvitation) },
  problems: ['house_not_found', 'not_allowed'],
});

export const withdrawInvitation = endpoint({
  method: 'DELETE',
  path: '/invitations/:id',
  summary: 'Withdraw an invitation',
  who: 'user',
  params: idParams,
  replies: { 200: z.strictObject({ id: z.string() }) },
  problems: ['invitation_not_found', 'not_allowed'],
});

/** What the page of an invitation shows before somebody accepts it. */
export const readInvitation = endpoint({
  method: 'POST',
  path: '/invitations/read',
  summary: 'What an invitation link is for',
  who: 'anyone',
  body: z.strictObject({ token: invitationToken }),
  replies: { 200: z.strictObject({ house: z.string(), role, email: z.string(), invitedBy: z.nullable(z.string()) }) },
  problems: ['invalid_input', 'invalid_link', 'too_many'],
});

export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/invitations/accept',
  summary: 'Become a member of the house that sent the link, and work in it from now on',
  description:
    'If the account has the invited address, this also verifies the address: whoever has the link reads its email.',
  who: 'signed-in',
  body: z.strictObject({ token: invitationToken }),
  replies: { 200: wireHouse },
  problems: ['invalid_input', 'invalid_link', 'email_not_verified', 'too_many_houses', 'too_many'],
});

/** An entry of the house's own history: who changed its people, its roles or its settings. */
export const wireHouseEvent = z.strictObject({
  id: z.string(),
  kind: z.enum(houseEventKinds),
  /** The person whom it is about, if it is about one. */
  person: z.nullable(wireActor),
  /** What changed: `role`, `name`, `email` (of an invitation) or `reorderPoint`. */
  changes: z.array(
    z.strictObject({
      field: z.string(),
      from: z.nullable(z.union([z.string(), z.number()])),
      to: z.nullable(z.union([z.string(), z.number()])),
    }),
  ),
  by: wireActor,
  at: z.string(),
});
export type WireHouseEvent = z.output<typeof wireHouseEvent>;

export const listHouseEvents = endpoint({
  method: 'GET',
  path: '/houses/:id/events',
  summary: 'The history of a house: its people, roles and settings, newest first',
  who: 'user',
  params: idParams,
  query: z.object({ limit: limitUpTo(200), cursor: z.optional(z.string().check(z.maxLength(100))) }),
  replyHeaders: pageReplyHeaders,
  replies: { 200: z.array(wireHouseEvent) },
  problems: ['invalid_query', 'house_not_found'],
});

/** What the operator, who runs the server, sees of a house: nothing of its stock. */
export const wireOperatorHouse = z.strictObject({
  id: z.string(),
  name: z.string(),
  people: z.int(),
  items: z.int(),
  createdAt: z.string(),
  lastChangeAt: z.nullable(z.string()),
});
export type WireOperatorHouse = z.output<typeof wireOperatorHouse>;

const operatorPage = z.object({ limit: limitUpTo(200), cursor: z.optional(z.string().check(z.maxLength(100))) });

export const listAllHouses = endpoint({
  method: 'GET',
  path: '/operator/houses',
  summary: 'All houses of the server, oldest first: for its operator only',
  who: 'user',
  query: operatorPage,
  replyHeaders: pageReplyHeaders,
  replies: { 200: z.array(wireOperatorHouse) },
  problems: ['invalid_query', 'not_allowed'],
});

export const wirePerson = z.strictObject({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  createdAt: z.string(),
  disabled: z.boolean(),
  /** How many houses they are a member of. */
  houses: z.int(),
});
export type WirePerson = z.output<typeof wirePerson>;

export const listAllPeople = endpoint({
  method: 'GET',
  path: '/operator/people',
  summary: 'All people with a verified account, oldest first: for the operator only',
  who: 'user',
  query: operatorPage,
  replyHeaders: pageReplyHeaders,
  replies: { 200: z.array(wirePerson) },
  problems: ['invalid_query', 'not_allowed'],
});

export const disablePerson = endpoint({
  method: 'POST',
  path: '/operator/people/:id/disable',
  summary: 'Disable an account, or enable it again: for the operator only',
  description:
    'A disabled account cannot log in. Its sessions, open streams, API keys and access tokens stop working at once. The person is told by email.',
  who: 'user',
  proof: true,
  params: idParams,
  body: z.strictObject({ disabled: z.boolean() }),
  replies: { 200: wirePerson },
  problems: ['invalid_input', 'not_allowed', 'person_not_found'],
});

export const giveHouse = endpoint({
  method: 'POST',
  path: '/operator/houses/:id/owner',
  summary: 'Make somebody the owner of a house that has none left: for the operator only',
  description:
    'An owner whose account has been disabled for seven days does not count. The new owner and the former ones are told by email. Not for the operator themselves.',
  who: 'user',
  proof: true,
  params: idParams,
  body: z.strictObject({ userId: z.string().check(z.maxLength(100)) }),
  replies: { 200: wireOperatorHouse },
  problems: ['invalid_input', 'not_allowed', 'house_not_found', 'person_not_found', 'has_owner'],
});
