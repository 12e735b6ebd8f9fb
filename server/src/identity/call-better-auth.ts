import type { ProblemCode } from '@perfume/contract/problems';
import { browserName } from '@perfume/domain/browser-name';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../http/problem.ts';
import { authCall } from './adapter.ts';
import { IP_HEADER } from './auth.ts';
import type { Identity } from './identity.ts';

type AuthRequest = {
  method: 'GET' | 'POST';
  path: string;
  body?: Record<string, unknown>;
  provider?: string | undefined;
};
export type AuthResponse = {
  status: number;
  body: Record<string, unknown>;
  cookies: string[];
  location: string | null;
  /** Whether the call created a user. */
  isNewUser: boolean;
  /** When the call stored a new password. */
  passwordSetAt: number | undefined;
};

/**
 * Calls better-auth on behalf of a request. Only the cookie and the name of the browser are taken from the headers of
 * the request. We supply the client's IP address and the origin, so forged headers have no effect.
 */
export async function callBetterAuth(
  identity: Identity,
  origin: string,
  request: FastifyRequest,
  call: AuthRequest,
): Promise<AuthResponse> {
  const auth = await identity.auth(origin, call.provider);
  const headers = new Headers({ origin, [IP_HEADER]: request.ip });
  if (request.headers.cookie) headers.set('cookie', identity.cookies.withCurrentSignatures(request.headers.cookie));
  const browser = browserName(request.headers['user-agent'] ?? '');
  if (browser !== null) headers.set('user-agent', browser);
  if (call.body) headers.set('content-type', 'application/json');
  const authRequest = new Request(`${origin}/api/auth${call.path}`, {
    method: call.method,
    headers,
    ...(call.body && { body: JSON.stringify(call.body) }),
  });
  const outcome: { error?: unknown; newUserId?: string; passwordSetAt?: number } = {};
  const answer = await authCall.run(outcome, () => auth.handler(authRequest));
  if (outcome.error) throw outcome.error;
  const text = await answer.text();
  return {
    status: answer.status,
    body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {},
    cookies: answer.headers.getSetCookie(),
    location: answer.headers.get('location'),
    isNewUser: outcome.newUserId !== undefined,
    passwordSetAt: outcome.passwordSetAt,
  };
}

export function setCookies(reply: FastifyReply, cookies: string[]): void {
  for (const cookie of cookies) reply.header('set-cookie', cookie);
}

const codes: Record<string, ProblemCode> = {
  INVALID_EMAIL_OR_PASSWORD: 'invalid_email_or_password',
  // better-auth accepts ASCII addresses only, so no account has any other address.
  INVALID_EMAIL: 'invalid_email_or_password',
  INVALID_PASSWORD: 'wrong_password',
  PASSWORD_TOO_LONG: 'invalid_email_or_password',
  CREDENTIAL_ACCOUNT_NOT_FOUND: 'no_password',
  INVALID_TOKEN: 'invalid_link',
  TOKEN_EXPIRED: 'invalid_link',
  USER_NOT_FOUND: 'invalid_link',
  PROVIDER_NOT_FOUND: 'provider_not_found',
  UNAUTHORIZED: 'not_signed_in',
  SESSION_EXPIRED: 'not_signed_in',
};

/**
 * Throws if better-auth refused the call, with our code instead of its own. A code that is not in the list is a bug of
 * ours.
 */
export function throwIfRefused(response: AuthResponse): void {
  if (response.status < 400) return;
  const code = codes[String(response.body.code)] ?? (response.status === 401 ? 'not_signed_in' : undefined);
  if (code) throw new Problem(code);
  throw new Error(`better-auth answered ${response.status} ${String(response.body.code ?? '')}`);
}
