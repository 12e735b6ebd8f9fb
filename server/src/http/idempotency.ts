import { hash } from 'node:crypto';
import type { User } from '@perfume/contract/identity';
import { isDerivedUuid, isUuid } from '@perfume/domain/uuid';
import type { FastifyRequest } from 'fastify';
import type { Idempotency } from '../db/core/idempotency.ts';
import { SHARED_HOUSE } from '../db/core/shared-house.ts';
import { Problem } from './problem.ts';

/**
 * Returns the idempotency key of the request, if it has one. The fingerprint covers the user, the house and the whole
 * request, so a key never returns the outcome of another user, of another house or of a different request.
 */
export function readIdempotency(request: FastifyRequest, user: User, house: number, at: number): Idempotency | null {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return null;
  const key = String(header).toLowerCase();
  if (!isUuid(key)) throw new Problem('invalid_header', { fields: { 'Idempotency-Key': { code: 'not_a_uuid' } } });
  if (isDerivedUuid(key))
    throw new Problem('invalid_header', { fields: { 'Idempotency-Key': { code: 'reserved_uuid' } } });
  const parts = [
    user.id,
    request.method,
    request.url,
    request.headers['stock-base'] ?? '',
    request.headers['if-match'] ?? '',
    JSON.stringify(request.body ?? null),
    // Fingerprints from the time before houses are those of the shared one.
    ...(house > SHARED_HOUSE ? [house] : []),
  ];
  return { key, fingerprint: hash('sha256', parts.join('\n'), 'base64url'), at, requestId: request.id };
}
