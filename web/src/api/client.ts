import type { Endpoint, ReplyOf } from '@perfume/contract/endpoint';
import type { Endpoints } from '@perfume/contract/endpoints';
import type { WireUser } from '@perfume/contract/identity';
import type { ProblemCode } from '@perfume/contract/problems';
import type { WireItem } from '@perfume/contract/wire-item';
import type { FieldCode } from '@perfume/domain/field-errors';
import { inForm } from '@perfume/domain/text';
import type * as z from 'zod/mini';

/** The endpoints that can be called, by method and path. The demo's sign-in is not part of the contract. */
type Routes = Endpoints & { 'POST /demo/sign-in': Endpoint };
type In<Schema> = Schema extends z.ZodMiniType ? z.input<Schema> : never;

export type Input<E extends Endpoint> = {
  params?: In<E['params']>;
  query?: In<E['query']>;
  body?: In<E['body']>;
  headers?: Record<string, string>;
  signal?: AbortSignal;
};

export type Reply<T> = { data: T; headers: Headers };

/** Longer than the server takes before it gives up on a query. */
const TIMEOUT_MS = 20_000;

/**
 * Calls an endpoint of the contract: `call('GET /alerts', { query })`. Resolves with the reply or throws an
 * `ApiProblem`, at the latest after the timeout.
 */
export async function call<R extends keyof Routes>(
  route: R,
  input: Input<Routes[R]> = {},
): Promise<Reply<ReplyOf<Routes[R]>>> {
  const { response, text } = await withTimeout(TIMEOUT_MS, (signal) => send(route, input, signal), input.signal);
  const data = parseJson(text);
  if (!response.ok) throw reportRefused(problemOf(response, data), input.headers?.house);
  // A captive portal, such as the login page of a hotel network, answers with HTML or with nothing.
  if (data === undefined) throw new ApiProblem('offline', 0);
  return { data: data as ReplyOf<Routes[R]>, headers: response.headers };
}

/**
 * Runs `attempt` with a signal that aborts when the time is up or when `cancel` aborts. Throws `offline` in the first
 * case and the reason of `cancel` in the second.
 */
export async function withTimeout<T>(
  ms: number,
  attempt: (signal: AbortSignal) => Promise<T>,
  cancel?: AbortSignal,
): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new ApiProblem('offline', 0)), ms);
  const signal = cancel ? AbortSignal.any([cancel, late.signal]) : late.signal;
  // This promise rejects even when the attempt ignores its signal.
  const aborted = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason));
  });
  try {
    return await Promise.race([aborted, attempt(signal)]);
  } finally {
    clearTimeout(timer);
  }
}

/** Problems that no server reports: there was no reply, or this device has no space to store a change until there is. */
type OwnProblemCode = 'offline' | 'not_stored';

/** A problem+json reply, or `offline` when there was no reply. Switch on `code`, never on text. */
export class ApiProblem extends Error {
  readonly code: ProblemCode | OwnProblemCode;
  readonly status: number;
  readonly fields: Record<string, string>;
  readonly fieldCodes: Record<string, FieldCode>;
  readonly onHand: number | undefined;
  /** The current item, where the request was based on an old version. */
  readonly item: WireItem | undefined;
  /** How many seconds to wait before a retry. */
  readonly retryAfter: number | undefined;

  constructor(code: ProblemCode | OwnProblemCode, status: number, details: ProblemDetails = {}) {
    super(details.detail ?? code);
    this.name = 'ApiProblem';
    this.code = code;
    this.status = status;
    this.fields = details.fields ?? {};
    this.fieldCodes = details.fieldCodes ?? {};
    this.onHand = details.onHand;
    this.item = details.item;
    this.retryAfter = details.retryAfter;
  }
}

/** Who uses this page, and the house that they work in. */
export type Caller = Pick<WireUser, 'id' | 'house'>;

let caller: Caller | null = null;

/**
 * Makes every request that of this user in this house: the server refuses it if somebody else is logged in by then. A
 * page does not always hear at once that the cookie of the browser has become another person's, or that the person works
 * in another house now.
 */
export function callAs(user: Caller | null): void {
  caller = user;
}

/** The id that goes with every request as `Expected-User`; null when nobody is signed in. */
export function expectedUser(): string | null {
  return caller?.id ?? null;
}

/** The headers that go with every request, unless it has its own. */
export function callerHeaders(): { 'expected-user'?: string; house?: string } {
  return { ...(caller && { 'expected-user': caller.id }), ...(caller?.house && { house: caller.house.id }) };
}

const refusedListeners = new Set<() => void>();

/**
 * Calls `listener` whenever the server refuses a request because the user is signed out, not verified, or no longer in
 * the house of this page.
 */
export function onSignInRefused(listener: () => void): () => void {
  refusedListeners.add(listener);
  return () => refusedListeners.delete(listener);
}

/**
 * Calls the listeners of `onSignInRefused` if the problem is a lost sign-in or house. Returns the problem, so that the
 * caller can throw it. `house` is the one that the request named itself: that of a stored change may be another.
 */
export function reportRefused(problem: ApiProblem, house = caller?.house?.id): ApiProblem {
  const isHouseLost =
    problem.code === 'no_house' || (problem.code === 'house_not_found' && house === caller?.house?.id);
  if (isHouseLost || problem.code === 'not_signed_in' || problem.code === 'email_not_verified')
    for (const listener of refusedListeners) listener();
  return problem;
}

/** Returns the cursor in a list's `Link: <…>; rel="next"`, or null on the last page. */
export function nextCursor(headers: Headers): string | null {
  const next = /<([^>]*)>;\s*rel="next"/.exec(headers.get('link') ?? '')?.[1];
  return next === undefined ? null : new URL(next, location.origin).searchParams.get('cursor');
}

export function totalCount(headers: Headers): number {
  return Number(headers.get('x-total-count') ?? 0);
}

export type ProblemDetails = {
  detail?: string;
  fields?: Record<string, string>;
  fieldCodes?: Record<string, FieldCode>;
  onHand?: number;
  item?: WireItem;
  retryAfter?: number;
};

async function send(
  route: string,
  input: Input<Endpoint>,
  signal: AbortSignal,
): Promise<{ response: Response; text: string }> {
  const [method = '', path = ''] = route.split(' ');
  const body = input.body === undefined ? null : JSON.stringify(input.body, passwordInOneForm);
  const headers = new Headers({ ...callerHeaders(), ...input.headers });
  headers.set('accept', 'application/json');
  if (body !== null) headers.set('content-type', 'application/json');
  try {
    const response = await fetch(urlOf(path, input.params, input.query), {
      method,
      headers,
      body,
      credentials: 'same-origin',
      signal,
    });
    return { response, text: await response.text() };
  } catch {
    throw signal.aborted ? signal.reason : new ApiProblem('offline', 0);
  }
}

/**
 * Brings passwords into one Unicode form: keyboards encode the same letter in several ways, and the server compares
 * passwords exactly.
 */
function passwordInOneForm(name: string, value: unknown): unknown {
  return typeof value === 'string' && /password$/i.test(name) ? inForm('NFKC', value) : value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function urlOf(path: string, params: Record<string, unknown> = {}, query: Record<string, unknown> = {}): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size > 0 ? `${filled}?${search}` : filled;
}

export function problemOf({ status, headers }: Pick<Response, 'status' | 'headers'>, data: unknown): ApiProblem {
  const details = (data ?? {}) as ProblemDetails & { code?: ProblemCode };
  const wait = Number.parseInt(headers.get('retry-after') ?? '', 10);
  return new ApiProblem(details.code ?? 'internal', status, { ...details, ...(wait > 0 && { retryAfter: wait }) });
}
