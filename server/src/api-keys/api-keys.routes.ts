import { createKey, listKeys, MAX_KEY_YEARS, revokeKey } from '@perfume/contract/api-keys';
import { DAY_MS, dayOf } from '@perfume/domain/insights';
import { parseUuid } from '@perfume/domain/uuid';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../http/problem.ts';
import { type Deps, sendJson, serve } from '../http/serve.ts';
import type { Identity } from '../identity/identity.ts';
import { emails } from '../mail/emails.ts';
import { apiKeysOf, createApiKey, revokeApiKey } from './api-keys.store.ts';
import type { ApiKeys } from './api-keys.ts';

const MAX_DAYS = MAX_KEY_YEARS * 366;

export function apiKeyRoutes(app: FastifyInstance, deps: Deps & { identity: Identity; apiKeys: ApiKeys }): void {
  const { db, identity, apiKeys } = deps;

  serve(app, deps, createKey, async ({ body, user, house, now, request, reply }) => {
    const { name, scope, expiresOn: lastDay } = body;
    const today = dayOf(now);
    if (lastDay !== undefined && (lastDay < today || lastDay > today + MAX_DAYS))
      throw new Problem('invalid_input', { fields: { expiresOn: { code: 'not_a_coming_day', years: MAX_KEY_YEARS } } });
    const wait = await identity.attempts.spend('createKey', { ip: request.ip, account: user.id });
    if (wait !== null) {
      reply.header('retry-after', String(wait));
      throw new Problem('too_many');
    }
    const expiresAt = lastDay === undefined ? null : (lastDay + 1) * DAY_MS;
    const created = await createApiKey(db, { house, userId: user.id, name, scope, expiresAt, now });
    if (typeof created === 'string') throw new Problem(created);
    identity.mailer.send(emails.apiKeyCreated(user.email, name, `${identity.origin()}/dashboard/settings`));
    return sendJson(reply, 201, created);
  });

  serve(app, deps, listKeys, async ({ user, house, now, reply }) => {
    await apiKeys.record();
    return sendJson(reply, 200, await apiKeysOf(db, house, user.id, now));
  });

  serve(app, deps, revokeKey, async ({ user, params, reply }) => {
    const id = parseUuid(params.id);
    if (id === null || !(await revokeApiKey(db, user.id, id))) throw new Problem('key_not_found');
    return sendJson(reply, 200, { id });
  });
}
