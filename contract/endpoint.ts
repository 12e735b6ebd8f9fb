import type * as z from 'zod/mini';
import type { ProblemCode } from './problems.ts';

/**
 * Who may call an endpoint. `anyone`: no login needed. `user`: the user of the session cookie, with a verified email
 * address. `signed-in`: the user of the session cookie, verified or not. `bearer`: the holder of an access token; the
 * cookie is ignored. In all cases an API key can stand in for these if its scope allows it (`keyScopeOf`).
 */
export type Who = 'anyone' | 'user' | 'signed-in' | 'bearer';

/** The sections of the API reference. */
export const tags = {
  'Accounts and sessions':
    'Sign up, log in, log out, and get an access token. Paths and fields are those of the better-auth client.',
  'API keys':
    'Keys for scripts and scanners. Send one as `Authorization: Bearer pw_…`; cookies are then ignored. No key can manage keys or accounts.',
  Items: 'Items of the warehouse: list, add, edit, delete and restore them, upload pictures, and follow changes live.',
  Stock: 'Deliver, restock and correct. Every change of a quantity is a movement in the ledger.',
  'Saved views': 'Filters of a page under a name, for oneself or for everybody in the house.',
  History: 'Everything that happened to the items, and how to undo it.',
  'Import and export': 'Add and change many items with a file, and take what the warehouse has as files.',
  'Time machine': 'The warehouse as it was at any time in the past.',
  Alerts: 'Low-stock alerts.',
  Webhooks:
    'Tells other systems what happens: a signed request for each change, as the Standard Webhooks convention has it.',
  Settings: 'The reorder point of the warehouse, and how each user is told about low stock.',
  Insights: 'Totals, charts and rankings.',
  Houses:
    'With `ACCESS=houses`: whose stock it is, the people of a house, their roles and invitations. Requests work in your current house, or in the one whose id they send in the header `House`.',
} as const;

/** What an API key may do. Each scope includes the ones before it. */
export const keyScopes = ['read', 'stock', 'full'] as const;
export type KeyScope = (typeof keyScopes)[number];

/**
 * The scope that a key needs for changes, by section. `never`: keys may not even read there. Whoever holds a key must
 * not be able to turn it into a login, into another key, or into one that lasts longer.
 */
const scopeForChanges: Record<keyof typeof tags, KeyScope | 'never'> = {
  'Accounts and sessions': 'never',
  'API keys': 'never',
  Items: 'full',
  Stock: 'stock',
  'Saved views': 'full',
  History: 'full',
  'Import and export': 'full',
  'Time machine': 'full',
  Alerts: 'full',
  Webhooks: 'full',
  Settings: 'full',
  Insights: 'full',
  Houses: 'never',
};

/** Returns the scope that an API key needs to call an endpoint, or null if no key may call it. */
export function keyScopeOf({ tag, method, keyScope, proof }: Endpoint): KeyScope | null {
  const scope = scopeForChanges[tag];
  if (scope === 'never' || proof) return null;
  return keyScope ?? (method === 'GET' ? 'read' : scope);
}

type ObjectSchema = z.ZodMiniObject<Record<string, z.ZodMiniType>>;

export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** A path parameter is written `:name`. */
  path: string;
  /** One sentence without the full stop. */
  summary: string;
  /** Details that do not fit into the summary, in Markdown. */
  description?: string;
  tag: keyof typeof tags;
  who: Who;
  /** The scope that an API key needs, where it is not the one of the section. */
  keyScope?: KeyScope;
  /**
   * The user must have proved who they are in the last ten minutes, by logging in or with `POST /api/auth/prove`.
   * Otherwise the response is `proof_needed`.
   */
  proof?: true;
  params?: ObjectSchema;
  query?: ObjectSchema;
  body?: z.ZodMiniType;
  /** Instead of `body`: the media types of a body that is not JSON. */
  sends?: readonly string[];
  /** The request headers of this endpoint: what each one means, by lower-case name. */
  headers?: Record<string, string>;
  /** The headers of a successful response that clients use: what each one means, by lower-case name. */
  replyHeaders?: Record<string, string>;
  replies: Record<number, z.ZodMiniType>;
  /** The media types of a response that is not JSON. */
  gives?: readonly string[];
  problems: readonly ProblemCode[];
};

/**
 * Returns a function that defines an endpoint of this tag. It keeps the literal types, so routes and clients are fully
 * typed.
 */
export function endpointsOf(tag: Endpoint['tag']) {
  return <const E extends Omit<Endpoint, 'tag'>>(definition: E) => ({ ...definition, tag });
}

/** The headers that any response may have, errors included: what each one means, by lower-case name. */
export const commonReplyHeaders: Record<string, string> = {
  'retry-after': 'Seconds to wait before the next try',
  'x-request-id': 'Identifies the request in the server log',
};

export const pageReplyHeaders = { link: 'The address of the next page, with `rel="next"`; absent on the last page' };
export const totalReplyHeaders = { 'x-total-count': 'How many items match' };
export const itemReplyHeaders = {
  etag: 'The version of the item, in quotes, for `If-Match`; of a read item also its reorder point in effect',
};
export const readReplyHeaders = { etag: 'The version of this response, for `If-None-Match`' };

export type BodyOf<E extends Endpoint> = E['body'] extends z.ZodMiniType ? z.output<E['body']> : undefined;
export type QueryOf<E extends Endpoint> = E['query'] extends z.ZodMiniType ? z.output<E['query']> : undefined;
export type ParamsOf<E extends Endpoint> = E['params'] extends z.ZodMiniType ? z.output<E['params']> : undefined;
type Replies<E extends Endpoint> = E['replies'][keyof E['replies']];
export type ReplyOf<E extends Endpoint> = Replies<E> extends z.ZodMiniType ? z.output<Replies<E>> : never;
