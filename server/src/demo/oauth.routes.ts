import { isEmail } from '@perfume/domain/email';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pageHeaders } from '../http/headers.ts';
import { Problem } from '../http/problem.ts';
import { sendJson } from '../http/serve.ts';
import type { Identity } from '../identity/identity.ts';
import { choosePage, refusedPage } from './demo-pages.ts';
import type { OauthServer, Provider } from './oauth-server.ts';

const FORWARDED_PARAMETERS = [
  'response_type',
  'client_id',
  'redirect_uri',
  'state',
  'scope',
  'code_challenge',
  'code_challenge_method',
];

/** The stand-in for GitHub and Google: a page to choose an identity, and the endpoints of an OAuth provider. */
export function oauthRoutes(app: FastifyInstance, oauth: OauthServer, identity: Identity): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, new URLSearchParams(body as string)),
  );
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('cache-control', 'no-store');
    const { provider } = request.params as { provider: string };
    done(provider === 'github' || provider === 'google' ? undefined : new Problem('not_found'));
  });

  app.get('/demo/oauth/:provider/authorize', async (request, reply) => {
    const { provider, query, refusal } = readAuthorization(request);
    return refusal ? showPage(reply, 400, refusedPage(refusal)) : showPage(reply, 200, choosePage(provider, query));
  });

  app.get('/demo/oauth/:provider/choose', async (request, reply) => {
    const { provider, query, refusal } = readAuthorization(request);
    const { name = '', email = '', verified, cancel } = request.query as Record<string, string>;
    if (refusal) return showPage(reply, 400, refusedPage(refusal));
    const back = new URL(query.redirect_uri ?? '');
    if (query.state !== undefined) back.searchParams.set('state', query.state);
    if (cancel) back.searchParams.set('error', 'access_denied');
    else if (!isEmail(email))
      return showPage(reply, 400, refusedPage('This is not a valid email address. Go back and correct it.'));
    else back.searchParams.set('code', oauth.grant(provider, query, { name, email, verified: verified === 'on' }));
    return reply.code(302).header('location', back.href).send();
  });

  app.post('/demo/oauth/:provider/token', async (request, reply) => {
    if (!(request.body instanceof URLSearchParams)) throw new Problem('malformed');
    const answer = oauth.exchange(providerOf(request), request.body, request.headers.authorization);
    return sendJson(reply, 'error' in answer ? (answer.error === 'invalid_client' ? 401 : 400) : 200, answer);
  });

  app.get('/demo/oauth/:provider/userinfo', async (request, reply) => {
    const { id, name, email, verified } = tokenOwner(request);
    return sendJson(reply, 200, { sub: String(id), name, email, email_verified: verified });
  });

  app.get('/demo/oauth/:provider/user', async (request, reply) => {
    const { id, name, email } = tokenOwner(request);
    return sendJson(reply, 200, { id, login: email.split('@')[0], name, email: null });
  });

  app.get('/demo/oauth/:provider/user/emails', async (request, reply) => {
    const { email, verified } = tokenOwner(request);
    return sendJson(reply, 200, [{ email, primary: true, verified, visibility: null }]);
  });

  function readAuthorization(request: FastifyRequest) {
    const provider = providerOf(request);
    const given = request.query as Record<string, unknown>;
    const query: Record<string, string> = {};
    for (const name of FORWARDED_PARAMETERS) {
      const value = given[name];
      if (typeof value === 'string') query[name] = value;
    }
    return {
      provider,
      query,
      refusal: oauth.reasonToRefuse(query, `${identity.originOf(request)}/api/auth/callback/${provider}`),
    };
  }

  function tokenOwner(request: FastifyRequest) {
    const person = oauth.personOf(providerOf(request), request.headers.authorization);
    if (!person) throw new Problem('invalid_token');
    return person;
  }
}

function providerOf(request: FastifyRequest): Provider {
  return (request.params as { provider: Provider }).provider;
}

function showPage(reply: FastifyReply, status: number, html: string): FastifyReply {
  return reply.code(status).headers(pageHeaders).type('text/html; charset=utf-8').send(html);
}
