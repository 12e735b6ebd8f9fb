import { login } from '@perfume/contract/identity';
import { emailKey } from '@perfume/domain/email';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { Problem } from '../http/problem.ts';
import { type Deps, sendJson, serve } from '../http/serve.ts';
import type { accessTokens } from './access-token.ts';
import { signInId, signOut } from './identity.store.ts';
import { signInCookie, signInToken } from './who-is.ts';

export function identityRoutes(
  app: FastifyInstance,
  deps: Deps & { config: Config; tokens: ReturnType<typeof accessTokens> },
): void {
  const { config, db, tokens } = deps;

  serve(app, deps, login, async ({ body, user, request, reply }) => {
    if (emailKey(body.email) !== emailKey(user.email)) throw new Problem('email_mismatch');
    const signIn = signInId(signInToken(request, config) ?? '');
    return sendJson(reply, 200, await tokens.issue({ userId: user.id, email: user.email, signIn }));
  });

  app.post('/api/auth/sign-out', async (request, reply) => {
    const token = signInToken(request, config);
    if (token) await signOut(db, token);
    reply.header('set-cookie', signInCookie(config, '', 0)).header('cache-control', 'no-store');
    return sendJson(reply, 200, { success: true });
  });
}
