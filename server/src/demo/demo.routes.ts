import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { type Deps, sendJson } from '../http/serve.ts';
import { ensureUser, signIn } from '../identity/identity.store.ts';
import { signInCookie } from '../identity/who-is.ts';
import { DEMO_DEALER } from './demo-dealer.ts';

/** 'Live demo': a visitor becomes the demo dealer. Exists in demo mode alone. */
export function demoRoutes(app: FastifyInstance, deps: Deps & { config: Config }): void {
  const { db, clock, config } = deps;

  app.post('/demo/sign-in', async (_request, reply) => {
    const now = clock();
    const dealer = await ensureUser(db, { ...DEMO_DEALER, now });
    const { token, expiresAt } = await signIn(db, dealer.id, now);
    reply.header('set-cookie', signInCookie(config, token, expiresAt)).header('cache-control', 'no-store');
    return sendJson(reply, 200, { email: dealer.email, name: dealer.name });
  });
}
