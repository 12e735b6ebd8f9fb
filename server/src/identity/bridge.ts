import type { ProblemCode } from '@perfume/contract/problems';
import { browserName } from '@perfume/domain/browser-name';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../http/problem.ts';
import { storeFailure } from './adapter.ts';
import { ADDRESS_HEADER, type Auth } from './auth.ts';

type Asked = { method: 'GET' | 'POST'; path: string; body?: Record<string, unknown> };
export type Answered = { status: number; body: Record<string, unknown>; cookies: string[]; location: string | null };

/**
 * Asks better-auth on behalf of a request. Of the request's own headers it sees the cookie and the browser's name: where
 * the client is and which site this is comes from us, so nothing a client writes into a header counts.
 */
export async function askAuth(auth: Auth, address: string, request: FastifyRequest, asked: Asked): Promise<Answered> {
  const headers = new Headers({ origin: address, [ADDRESS_HEADER]: request.ip });
  if (request.headers.cookie) headers.set('cookie', request.headers.cookie);
  const browser = browserName(request.headers['user-agent'] ?? '');
  if (browser !== null) headers.set('user-agent', browser);
  if (asked.body) headers.set('content-type', 'application/json');
  const question = new Request(`${address}/api/auth${asked.path}`, {
    method: asked.method,
    headers,
    ...(asked.body && { body: JSON.stringify(asked.body) }),
  });
  const noted: { error?: unknown } = {};
  const answer = await storeFailure.run(noted, () => auth.handler(question));
  if (noted.error) throw noted.error;
  const text = await answer.text();
  return {
    status: answer.status,
    body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {},
    cookies: answer.headers.getSetCookie(),
    location: answer.headers.get('location'),
  };
}

export function setCookies(reply: FastifyReply, cookies: string[]): void {
  for (const cookie of cookies) reply.header('set-cookie', cookie);
}

const codes: Record<string, ProblemCode> = {
  INVALID_EMAIL_OR_PASSWORD: 'invalid_email_or_password',
  // It knows plain ASCII addresses only; nobody has an account with another.
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

/** Its refusals in our words; what is none of them is a fault of ours. */
export function refuseIfRefused(answered: Answered): void {
  if (answered.status < 400) return;
  const code = codes[String(answered.body.code)] ?? (answered.status === 401 ? 'not_signed_in' : undefined);
  if (code) throw new Problem(code);
  throw new Error(`better-auth answered ${answered.status} ${String(answered.body.code ?? '')}`);
}
