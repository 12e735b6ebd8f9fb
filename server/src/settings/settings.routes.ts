import { getSettings, putSettings } from '@perfume/contract/settings';
import type { FastifyInstance } from 'fastify';
import { type Deps, sendJson, serve } from '../http/serve.ts';
import { changeSettings, readSettings } from './settings.store.ts';

export function settingsRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;

  serve(app, deps, getSettings, async ({ user, reply }) => sendJson(reply, 200, await readSettings(db.query, user.id)));

  serve(app, deps, putSettings, async ({ body, user, now, reply }) =>
    sendJson(reply, 200, await changeSettings(db, { userId: user.id, change: body, at: now })),
  );
}
