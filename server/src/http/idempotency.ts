import { hash } from 'node:crypto';
import type { User } from '@perfume/contract/identity';
import type { FastifyRequest } from 'fastify';
import type { Once } from '../db/core/idempotency.ts';
import { isUuid } from '../db/core/ids.ts';
import { Problem } from './problem.ts';

/**
 * The request's idempotency key, if it has one, with a fingerprint of who asks what exactly:
 * a key never gives one person another's answer, nor one request another's.
 */
export function onceOf(request: FastifyRequest, user: User, at: number): Once | null {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return null;
  const key = String(header).toLowerCase();
  if (!isUuid(key)) throw new Problem('invalid_header', { fields: { 'Idempotency-Key': 'Send a UUID' } });
  const asked = [
    user.id,
    request.method,
    request.url,
    request.headers['stock-base'] ?? '',
    request.headers['if-match'] ?? '',
    JSON.stringify(request.body ?? null),
  ];
  return { key, fingerprint: hash('sha256', asked.join('\n'), 'base64url'), at, requestId: request.id };
}
