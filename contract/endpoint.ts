import type * as z from 'zod/mini';
import type { ProblemCode } from './problems.ts';

/**
 * `anyone`: no sign-in is looked at. `user`: the sign-in cookie of a verified person.
 * `signed-in`: the cookie, verified or not. `bearer`: the access token and nothing else.
 */
export type Who = 'anyone' | 'user' | 'signed-in' | 'bearer';

type ObjectSchema = z.ZodMiniObject<Record<string, z.ZodMiniType>>;

export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With `:name` where a path parameter stands. */
  path: string;
  summary: string;
  who: Who;
  params?: ObjectSchema;
  query?: ObjectSchema;
  body?: z.ZodMiniType;
  /** Media types of a body that is no JSON and travels as it is, instead of `body`. */
  sends?: readonly string[];
  /** Request headers of our own, by lower-case name. */
  headers?: Record<string, string>;
  replies: Record<number, z.ZodMiniType>;
  problems: readonly ProblemCode[];
};

/** Keeps the literal types, so a route and a client know exactly what travels. */
export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}

export type BodyOf<E extends Endpoint> = E['body'] extends z.ZodMiniType ? z.output<E['body']> : undefined;
export type QueryOf<E extends Endpoint> = E['query'] extends z.ZodMiniType ? z.output<E['query']> : undefined;
export type ParamsOf<E extends Endpoint> = E['params'] extends z.ZodMiniType ? z.output<E['params']> : undefined;
