import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { browserName } from '@perfume/domain/browser-name';
import type { FastifyInstance } from 'fastify';
import { pageHeaders } from '../http/headers.ts';
import { type Deps, sendJson } from '../http/serve.ts';
import { signIn } from '../identity/identity.store.ts';
import type { Identity } from '../identity/identity.ts';
import { openInvitations } from '../identity/invitations.store.ts';
import { hasStandIn } from '../identity/providers.ts';
import { emails } from '../mail/emails.ts';
import { DEMO_PASSWORD, ensureDemoDealer } from './demo-dealer.ts';
import { demoHouses } from './demo-houses.ts';
import { outboxPage, peoplePage } from './demo-pages.ts';
import { oauthRoutes } from './oauth.routes.ts';
import type { OauthServer } from './oauth-server.ts';
import type { Outbox } from './outbox.ts';

export type Demo = { outbox: Outbox; oauth: OauthServer };

/** The routes of demo mode: 'Live demo', the outbox of sent emails, and the stand-in for GitHub and Google. */
export function demoRoutes(app: FastifyInstance, deps: Deps & { identity: Identity; demo: Demo }): void {
  const { db, clock, identity, demo } = deps;
  const collected = new Map<string, number>();
  const style = readFileSync(join(import.meta.dirname, 'demo.css'), 'utf8');

  app.post('/demo/sign-in', async (request, reply) => {
    const now = clock();
    const dealer = await ensureDemoDealer(db, now);
    const { token } = await signIn(db, dealer.id, now, browserName(request.headers['user-agent'] ?? ''));
    reply.header('set-cookie', identity.cookies.setCookie(token)).header('cache-control', 'no-store');
    return sendJson(reply, 200, { email: dealer.email, name: dealer.name });
  });

  app.get('/demo/outbox', async (request, reply) => {
    reply.header('cache-control', 'no-store').header('vary', 'Accept');
    if (!identity.config.mail) await collectInvitations();
    if (!String(request.headers.accept ?? '').includes('text/html')) return sendJson(reply, 200, demo.outbox.emails);
    return reply.headers(pageHeaders).type('text/html; charset=utf-8').send(outboxPage(demo.outbox.emails));
  });

  if (identity.config.access === 'houses')
    app.get('/demo', async (_request, reply) =>
      reply
        .header('cache-control', 'no-store')
        .headers(pageHeaders)
        .type('text/html; charset=utf-8')
        .send(peoplePage(demoHouses, DEMO_PASSWORD)),
    );

  app.get('/demo/demo.css', async (_request, reply) =>
    reply.header('cache-control', 'no-cache').type('text/css; charset=utf-8').send(style),
  );

  if (hasStandIn(identity.config)) app.register(async (scope) => oauthRoutes(scope, demo.oauth, identity));

  /** `npm run invite` is another process, so its emails reach the outbox, which is in memory, through the database. */
  async function collectInvitations(): Promise<void> {
    for (const { email_key: email, invited_at: invitedAt } of await openInvitations(db, clock())) {
      if (collected.get(email) === invitedAt) continue;
      collected.set(email, invitedAt);
      demo.outbox.send(emails.invitation(email, `${identity.origin()}/register`));
    }
  }
}
