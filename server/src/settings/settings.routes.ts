import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { getSettings, putSettings, readAccountData } from '@perfume/contract/settings';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { newId } from '../db/core/ids.ts';
import { Problem } from '../http/problem.ts';
import { type Deps, sendJson, serve } from '../http/serve.ts';
import type { Identity } from '../identity/identity.ts';
import { accountData } from './account-data.ts';
import { changeSettings, readSettings } from './settings.store.ts';

export function settingsRoutes(app: FastifyInstance, deps: Deps & { config: Config; identity: Identity }): void {
  const { db, config, identity } = deps;

  serve(app, deps, getSettings, async ({ user, house, reply }) =>
    sendJson(reply, 200, await readSettings(db.query, house, user.id)),
  );

  serve(app, deps, putSettings, async ({ body, user, house, idempotency, now, reply }) => {
    const action = { id: idempotency?.key ?? newId(now), actor: user, at: now, batch: null, undoes: null };
    const outcome = await changeSettings(db, { house, change: body, action, idempotency });
    if (!outcome.ok) throw new Problem(outcome.reason);
    return sendJson(reply, 200, { ...outcome.settings, entryId: outcome.entryId });
  });

  serve(app, deps, readAccountData, async ({ user, now, request, reply }) => {
    const wait = await identity.attempts.spend('accountData', { ip: request.ip, account: user.id });
    if (wait !== null) {
      reply.header('retry-after', String(wait));
      throw new Problem('too_many');
    }
    const onRows = (rows: number) => {
      request.rowsRead += rows;
    };
    const file = Readable.from(accountData(db, config.access, user, now, onRows));
    reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('content-disposition', 'attachment; filename="perfume-warehouse-data.json"')
      .send(file);
    // The question counts as running until the file is sent. A client that leaves is no error.
    await finished(file).catch(() => {});
    return reply;
  });
}
