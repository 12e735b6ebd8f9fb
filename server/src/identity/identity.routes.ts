import { login } from '@perfume/contract/identity';
import { emailKey } from '@perfume/domain/email';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { Problem } from '../http/problem.ts';
import { type Deps, sendJson, serve } from '../http/serve.ts';
import type { accessTokens } from './access-token.ts';
import { authRoutes } from './auth.routes.ts';
import { type HouseInvitations, signInId } from './identity.store.ts';
import type { Identity } from './identity.ts';

export function identityRoutes(
  app: FastifyInstance,
  deps: Deps & {
    config: Config;
    identity: Identity;
    tokens: ReturnType<typeof accessTokens>;
    houseInvitations: HouseInvitations;
  },
): void {
  const { identity, tokens } = deps;

  serve(app, deps, login, async ({ body, user, request, reply }) => {
    if (emailKey(body.email) !== emailKey(user.email)) throw new Problem('email_mismatch');
    const signIn = signInId(identity.cookies.tokenOf(request.headers.cookie) ?? '');
    return sendJson(reply, 200, await tokens.issue({ userId: user.id, email: user.email, signIn }));
  });

  app.register(async (scope) => authRoutes(scope, deps));
  app.addHook('onClose', () => identity.close());
}
