import * as wire from '@perfume/contract/identity';
import { problems } from '@perfume/contract/problems';
import { emailKey } from '@perfume/domain/email';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isUuid } from '../db/core/ids.ts';
import { annotateLog } from '../http/access-log.ts';
import { Problem } from '../http/problem.ts';
import { type Deps, sendJson, serve } from '../http/serve.ts';
import { emails } from '../mail/emails.ts';
import { type Answered, askAuth, refuseIfRefused, setCookies } from './bridge.ts';
import { isCommonPassword, isPersonal } from './common-passwords.ts';
import {
  accountOf,
  endOwnSignIn,
  endSignIn,
  endSignIns,
  findBySignIn,
  findUserByEmail,
  sessionsOf,
  signInId,
  thisSession,
} from './identity.store.ts';
import type { Identity } from './identity.ts';
import type { LimitName } from './limits.ts';
import { ownPath, withParameter } from './own-path.ts';
import { openAccount, sendVerification } from './sign-up.ts';

const done = { status: true };
const waits = new WeakMap<FastifyRequest, number>();

/** Everything under /api/auth. Only what is listed here exists: better-auth has more doors than we need. */
export function authRoutes(app: FastifyInstance, deps: Deps & { identity: Identity }): void {
  const { db, whoIs, identity } = deps;
  const { cookies, knownBrowsers, mailer } = identity;

  serve(app, deps, wire.signUp, async ({ body, request, reply }) => {
    refuseWeak(body.password, body, 'password');
    await limited('signUp', request, { account: emailKey(body.email) });
    const returnTo = wayBack(body, request);
    const { answered, user } = await openAccount(identity, db, request, { ...body, returnTo });
    return sendJson(reply, 200, await signedIn(request, reply, answered, user));
  });

  serve(app, deps, wire.signIn, async ({ body, request, reply }) => {
    const account = emailKey(body.email);
    const mark = knownBrowsers.markOf(request.headers.cookie, account);
    await limited('signIn', request, { account, mark });
    const { rememberMe = true, password } = body;
    const answered = await ask(request, '/sign-in/email', { email: account, password, rememberMe });
    const user = toUser(answered.body.user);
    // Whoever has not proven the address may not be its owner.
    if (mark === null && user.emailVerified) reply.header('set-cookie', knownBrowsers.cookieFor(account));
    identity.later(() => identity.keepAtTodaysCost(user.id, password));
    const going = body.callbackURL === undefined ? {} : { url: wayBack(body, request) };
    return sendJson(reply, 200, {
      ...(await signedIn(request, reply, answered, user)),
      redirect: going.url !== undefined,
      ...going,
    });
  });

  serve(app, deps, wire.signInSocial, async ({ body, request, reply }) => {
    await limited('social', request);
    const address = identity.addressOf(request);
    const { provider, newUserCallbackURL, errorCallbackURL, disableRedirect = false } = body;
    const answered = await ask(request, '/sign-in/social', {
      provider,
      callbackURL: address + wayBack(body, request),
      errorCallbackURL: address + ownPath(errorCallbackURL, address, '/login'),
      ...(newUserCallbackURL && { newUserCallbackURL: address + ownPath(newUserCallbackURL, address) }),
      disableRedirect: true,
    });
    setCookies(reply, answered.cookies);
    return sendJson(reply, 200, { url: answered.body.url, redirect: !disableRedirect });
  });

  serve(app, deps, wire.socialCallback, async ({ request, reply }) => {
    await limited('social', request);
    const { provider } = request.params as { provider: string };
    if (request.method === 'HEAD' || !wire.providerIds.some((id) => id === provider)) throw new Problem('not_found');
    const address = identity.addressOf(request);
    const search = request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : '';
    const path = `/callback/${provider}${search}`;
    const auth = await identity.auth(address, provider);
    const answered = await askAuth(auth, address, request, { method: 'GET', path });
    const token = newToken(answered);
    if (token) {
      await endEarlierSignIn(request);
      await greetUnverified(request, token);
    } else annotateLog(request, { code: 'social_sign_in_refused' });
    setCookies(reply, answered.cookies);
    // Whatever words a provider put there, ours are shown.
    return redirect(reply, withParameter(ownPath(answered.location, address), 'error_description', null));
  });

  serve(app, deps, wire.requestPasswordReset, async ({ body, request, reply }) => {
    const email = emailKey(body.email);
    await limited('requestReset', request, { account: email });
    // Answered before looking, so that how long it takes tells nothing about who has an account. Nor does the next
    // answer: for an unknown address as much is written.
    identity.later(async () => {
      const address = identity.addressOf(request);
      const redirectTo = address + ownPath(body.redirectTo, address, '/reset-password');
      if (await findUserByEmail(db, email)) await ask(request, '/request-password-reset', { email, redirectTo });
      else await identity.makeLinkForNobody();
    });
    return sendJson(reply, 200, done);
  });

  serve(app, deps, wire.resetPassword, async ({ body, request, reply }) => {
    await limited('reset', request);
    const owner = await identity.ownerOfResetLink(body.token);
    if (!owner) throw new Problem('invalid_link');
    refuseWeak(body.newPassword, owner, 'newPassword');
    await ask(request, '/reset-password', { token: body.token, newPassword: body.newPassword });
    return sendJson(reply, 200, done);
  });

  serve(app, deps, wire.resendVerification, async ({ body, user, request, reply }) => {
    if (body.email !== undefined && emailKey(body.email) !== emailKey(user.email)) throw new Problem('email_mismatch');
    if (user.emailVerified) throw new Problem('already_verified');
    await limited('resend', request, { account: emailKey(user.email) });
    await sendVerification(identity, db, user, wayBack(body, request));
    return sendJson(reply, 200, done);
  });

  serve(app, deps, wire.verifyEmail, async ({ query, request, reply }) => {
    await limited('verify', request);
    const returnTo = wayBack(query, request);
    // Mail programs look at links before people do.
    if (request.method === 'HEAD') return redirect(reply, returnTo);
    const address = identity.address();
    const path = `/verify-email?token=${encodeURIComponent(query.token)}`;
    const answered = await askAuth(await identity.auth(address), address, request, { method: 'GET', path });
    return redirect(reply, answered.status < 400 ? returnTo : withParameter(returnTo, 'error', 'invalid_link'));
  });

  serve(app, deps, wire.updateUser, async ({ body, user, request, reply }) => {
    await limited('profile', request, { account: user.id });
    const answered = await ask(request, '/update-user', body);
    setCookies(reply, answered.cookies);
    const { name = user.name, image = user.image } = body;
    return sendJson(reply, 200, { ...done, user: await accountOf(db, { ...user, name, image }) });
  });

  serve(app, deps, wire.changePassword, async ({ body, user, request, reply }) => {
    refuseWeak(body.newPassword, user, 'newPassword');
    await limited('changePassword', request, { account: user.id });
    const answered = await ask(request, '/change-password', { ...body, revokeOtherSessions: true });
    if (user.emailVerified) mailer.send(emails.passwordChanged(user.email, `${identity.address()}/login`));
    return sendJson(reply, 200, await signedIn(request, reply, answered, user));
  });

  serve(app, deps, wire.listSessions, async ({ user, request, reply }) => {
    const here = signInHere(request);
    const found = await sessionsOf(db, user.id, deps.clock());
    return sendJson(
      reply,
      200,
      found.map(({ tokenHash, session }) => ({ ...session, isThisOne: tokenHash === here })),
    );
  });

  serve(app, deps, wire.revokeSession, async ({ body, user, request, reply }) => {
    // By address alone: whoever holds another sign-in of the account must not use up its owner's way to end it.
    await limited('profile', request);
    if (isUuid(body.token)) await endOwnSignIn(db, user.id, body.token);
    return sendJson(reply, 200, done);
  });

  serve(app, deps, wire.revokeOtherSessions, async ({ user, request, reply }) => {
    await limited('profile', request);
    await endSignIns(db, user.id, signInHere(request));
    return sendJson(reply, 200, done);
  });

  serve(app, deps, wire.revokeSessions, async ({ user, request, reply }) => {
    await limited('profile', request);
    await endSignIns(db, user.id, null);
    return sendJson(reply, 200, done);
  });

  serve(app, deps, wire.signOut, async ({ request, reply }) => {
    const answered = await ask(request, '/sign-out', {});
    setCookies(reply, answered.cookies);
    return sendJson(reply, 200, { success: true });
  });

  serve(app, deps, wire.getSession, async ({ request, reply }) => {
    const user = await whoIs.byCookie(request);
    const session = user && (await thisSession(db, signInHere(request) ?? ''));
    return sendJson(reply, 200, session && { session, user: await accountOf(db, user) });
  });

  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', 'no-store');
    done();
  });
  app.addHook('onSend', async (request, reply, payload) => {
    const wait = waits.get(request);
    if (wait !== undefined) reply.header('retry-after', String(wait));
    return typeof payload === 'string' && reply.statusCode >= 400 ? withMessage(payload) : payload;
  });

  async function ask(
    request: FastifyRequest,
    path: string,
    body: Record<string, unknown> & { provider?: string },
  ): Promise<Answered> {
    const address = identity.addressOf(request);
    const { provider } = body;
    const answered = await askAuth(await identity.auth(address, provider), address, request, {
      method: 'POST',
      path,
      body,
    });
    refuseIfRefused(answered);
    return answered;
  }

  async function limited(
    name: LimitName,
    request: FastifyRequest,
    who: { account?: string; mark?: string | null } = {},
  ): Promise<void> {
    const wait = await identity.attempts.spend(name, { address: request.ip, ...who });
    if (wait === null) return;
    waits.set(request, wait);
    throw new Problem('too_many');
  }

  /** What there is to answer once somebody has a new sign-in. */
  async function signedIn(
    request: FastifyRequest,
    reply: FastifyReply,
    answered: Answered,
    user: wire.User,
  ): Promise<{ token: string; user: wire.WireUser }> {
    const session = await thisSession(db, signInId(newToken(answered) ?? ''));
    if (!session) throw new Error('the sign-in was just written');
    await endEarlierSignIn(request);
    annotateLog(request, { user: user.id });
    setCookies(reply, answered.cookies);
    return { token: session.token, user: await accountOf(db, user) };
  }

  function wayBack(
    asked: { callbackURL?: string | undefined; returnTo?: string | undefined },
    request: FastifyRequest,
  ) {
    return ownPath(asked.callbackURL ?? asked.returnTo, identity.addressOf(request));
  }

  /** A browser has one sign-in: the one it brought along, its own or a planted one, ends. */
  async function endEarlierSignIn(request: FastifyRequest): Promise<void> {
    const here = signInHere(request);
    if (here) await endSignIn(db, here);
  }

  function signInHere(request: FastifyRequest): string | null {
    const token = cookies.tokenOf(request.headers.cookie);
    return token && signInId(token);
  }

  function newToken({ cookies: given }: Answered): string | null {
    return given.map((cookie) => cookies.tokenOf(cookie.split(';', 1)[0])).find((token) => token !== null) ?? null;
  }

  /** A provider that has not verified the address leaves that to us. */
  async function greetUnverified(request: FastifyRequest, token: string): Promise<void> {
    const found = await findBySignIn(db, signInId(token));
    if (found) annotateLog(request, { user: found.user.id });
    if (!found || found.user.emailVerified) return;
    const account = emailKey(found.user.email);
    const wait = await identity.attempts.spend('resend', { address: request.ip, account });
    if (wait === null) await sendVerification(identity, db, found.user, '/');
  }
}

function refuseWeak(password: string, person: { email: string; name: string }, fieldName: string): void {
  const code = isCommonPassword(password)
    ? 'password_too_common'
    : isPersonal(password, person)
      ? 'password_is_personal'
      : null;
  if (code) throw new Problem(code, { fields: { [fieldName]: problems[code].detail } });
}

function toUser(given: unknown): wire.User {
  const { id, email, name, image, emailVerified } = given as wire.User;
  return { id, email, name, image: image ?? null, emailVerified };
}

function redirect(reply: FastifyReply, path: string): FastifyReply {
  return reply.code(302).header('location', path).send();
}

/** Identity providers call it `message`, and so do the screens made for them. */
function withMessage(payload: string): string {
  const problem = JSON.parse(payload) as { detail?: string };
  return JSON.stringify({ ...problem, message: problem.detail });
}
