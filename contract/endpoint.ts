import type * as z from 'zod/mini';
import type { ProblemCode } from './problems.ts';

/**
 * `anyone`: no sign-in is checked. `user`: the sign-in cookie of a verified person.
 * `signed-in`: the cookie, verified or not. `bearer`: the access token and nothing else.
 */
export type Who = 'anyone' | 'user' | 'signed-in' | 'bearer';

/** The parts of the API, as its description groups them. */
export const tags = {
  'Signing in': 'Accounts, sign-ins and the access token. Follows the paths and fields of the better-auth client.',
  Items: 'The items of the warehouse: lists, additions, edits, deletions and pictures.',
  Stock: 'Deliveries, restocks and corrections, each a row of the ledger.',
  History: 'Everything that happened, and how to undo it.',
  'Time machine': 'The warehouse as it was at any instant.',
  Alerts: 'Low-stock alerts.',
  Settings: 'The reorder point of the warehouse, and how each person hears of low stock.',
  Insights: 'Figures, charts and rankings.',
} as const;

type ObjectSchema = z.ZodMiniObject<Record<string, z.ZodMiniType>>;

export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With `:name` where a path parameter stands. */
  path: string;
  /** One sentence without its full stop. */
  summary: string;
  /** More than fits the summary, where there is more to say. `Backticks` are code. */
  description?: string;
  tag: keyof typeof tags;
  who: Who;
  params?: ObjectSchema;
  query?: ObjectSchema;
  body?: z.ZodMiniType;
  /** Media types of a body that is not JSON, instead of `body`. */
  sends?: readonly string[];
  /** Request headers of our own, by lower-case name. */
  headers?: Record<string, string>;
  /** Headers of a successful response that clients use, by lower-case name. */
  replyHeaders?: Record<string, string>;
  replies: Record<number, z.ZodMiniType>;
  problems: readonly ProblemCode[];
};

/** Defines endpoints of one tag. Keeps the literal types, so routes and clients are fully typed. */
export function endpointsOf(tag: Endpoint['tag']) {
  return <const E extends Omit<Endpoint, 'tag'>>(definition: E) => ({ ...definition, tag });
}

/** Headers of any response, including errors. */
export const commonReplyHeaders: Record<string, string> = {
  'retry-after': 'Seconds to wait before the next try',
  'x-request-id': 'Identifies the request in the server log',
};

export const pageReplyHeaders = { link: 'Where the next page is, with `rel="next"`; absent on the last page' };
export const totalReplyHeaders = { 'x-total-count': 'How many items match' };
export const itemReplyHeaders = { etag: 'The version of the item, in quotes, for `If-Match`' };
export const readReplyHeaders = { etag: 'The version of this response, for `If-None-Match`' };

export type BodyOf<E extends Endpoint> = E['body'] extends z.ZodMiniType ? z.output<E['body']> : undefined;
export type QueryOf<E extends Endpoint> = E['query'] extends z.ZodMiniType ? z.output<E['query']> : undefined;
export type ParamsOf<E extends Endpoint> = E['params'] extends z.ZodMiniType ? z.output<E['params']> : undefined;
