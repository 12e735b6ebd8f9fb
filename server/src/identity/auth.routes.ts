import * as wire from '@perfume/contract/identity';
import { emailKey } from '@perfume/domain/email';
import { isUuid } from '@perfume/domain/uuid';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { annotateLog } from '../http/access-log.ts';
import { Problem } from '../http/problem.ts';
import { type Deps, sendJson, serve } from '../http/serve.ts';
import { emails } from '../mail/emails.ts';
import { type AuthResponse, callBetterAuth, setCookies, throwIfRefused } from './call-better-auth.ts';
import { isCommonPassword, isPersonal } from './common-passwords.ts';
import {
  accountOf,
  endOwnSignIn,
  endSignIn,
  endSignIns,
  findBySignIn,
  findUserByEmail,
  markProven,
  removeAccount,
  sessionsOf,
  signInId,
  thisSession,
  updateProfile,
} from './identity.store.ts';
import type { Identity } from './identity.ts';
import type { LimitName } from './limits.ts';
import { ownPath, withParameter } from './own-path.ts';
import { openAccount, sendVerification, withCurrentSignature } from './sign-up.ts';

const ok = { status: true };
const retryAfterSeconds = new WeakMap<FastifyRequest, number>();

/** Serves everything under /api/auth. better-auth offers more routes than we need: only those below exist. */
export function authRoutes(app: FastifyInstance, deps: Deps & { identity: Identity }): void {
  const { db, whoIs, identity } = deps;
  const { cookies, hashing, knownBrowsers, mailer } = identity;

  serve(app, deps, wire.signUp, async ({ body, request, reply }) => {
    refuseWeakPassword(body.password, body, 'password');
    const returnTo = returnPath(body, request);
    const { response, user } = await hashing.run(
      {
        request,
        isKnown: false,
        spendAttempt: () => enforceLimit('signUp', request, { account: emailKey(body.email) }),
      },
      () => openAccount(identity, db, request, { ...body, returnTo }),
    );
    return sendJson(reply, 200, await finishSignIn(request, reply, response, user));
  });

  serve(app, deps, wire.signIn, async ({ body, request, reply }) => {
    const account = emailKey(body.email);
    annotateLog(request, { account: identity.logNameOf(account) });
    const known = await knownBrowsers.find(request.headers.cookie, account);
    const browserId = known?.id ?? null;
    const { rememberMe = true, password } = body;
    const { response, mark } = await hashing.run(
      {
        request,
        isKnown: known !== null,
        spendAttempt: () => enforceLimit('signIn', request, { account, browserId }),
      },
      async () => ({
        // Made before the password is checked: if it is changed at the same moment, the mark is void.
        mark: known?.isCurrent ? null : await knownBrowsers.cookieFor(account, known?.id),
        response: await post(request, '/sign-in/email', { email: account, password, rememberMe }),
      }),
    );
    const user = toUser(response.body.user);
    // Only an owner with a verified address makes a browser known: anyone can sign up with the address of someone else.
    if (mark && user.emailVerified) reply.header('set-cookie', mark);
    identity.afterResponse(() => identity.rehashPassword(user.id, password));
    const going = body.callbackURL === undefined ? {} : { url: returnPath(body, request) };
    return sendJson(reply, 200, {
      ...(await finishSignIn(request, reply, response, user)),
      redirect: going.url !== undefined,
      ...going,
    });
  });

  serve(app, deps, wire.signInSocial, async ({ body, request, reply }) => {
    await enforceLimit('social', request);
    const origin = identity.originOf(request);
    const { provider, newUserCallbackURL, errorCallbackURL, disableRedirect = false } = body;
    const response = await post(request, '/sign-in/social', {
      provider,
      callbackURL: origin + returnPath(body, request),
      errorCallbackURL: origin + ownPath(errorCallbackURL, origin, '/login'),
      ...(newUserCallbackURL && { newUserCallbackURL: origin + ownPath(newUserCallbackURL, origin) }),
      disableRedirect: true,
    });
    setCookies(reply, response.cookies);
    return sendJson(reply, 200, { url: response.body.url, redirect: !disableRedirect });
  });

  serve(app, deps, wire.socialCallback, async ({ request, reply }) => {
    await enforceLimit('social', request);
    const { provider } = request.params as { provider: string };
    if (request.method === 'HEAD' || !wire.providerIds.some((id) => id === provider)) throw new Problem('not_found');
    const origin = identity.originOf(request);
    const search = request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : '';
    const path = `/callback/${provider}${search}`;
    const response = await callBetterAuth(identity, origin, request, { method: 'GET', path, provider });
    const token = newToken(response);
    if (token) {
      await endPreviousSignIn(request);
      await sendVerificationIfNeeded(request, token);
    } else annotateLog(request, { code: 'social_sign_in_refused' });
    setCookies(reply, response.cookies);
    // The provider's own error text is dropped; the page shows ours.
    return redirect(reply, withParameter(ownPath(response.location, origin), 'error_description', null));
  });

  serve(app, deps, wire.requestPasswordReset, async ({ body, request, reply }) => {
    const email = emailKey(body.email);
    await enforceLimit('requestReset', request, { account: email });
    // The lookup runs after the response, so response time does not reveal who has an account. For an unknown address
    // the database writes as much as for a known one, so the speed of the next request reveals nothing either.
    identity.afterResponse(async () => {
      const origin = identity.originOf(request);
      const redirectTo = origin + ownPath(body.redirectTo, origin, '/reset-password');
      if (await findUserByEmail(db, email)) await post(request, '/request-password-reset', { email, redirectTo });
      else await identity.createDummyResetLink();
    });
    return sendJson(reply, 200, ok);
  });

  serve(app, deps, wire.resetPassword, async ({ body, request, reply }) => {
    await enforceLimit('reset', request);
    const owner = await identity.ownerOfResetLink(body.token);
    if (!owner) throw new Problem('invalid_link');
    refuseWeakPassword(body.newPassword, owner, 'newPassword');
    // The link proves that the person can read the email of the account, so the request counts as known.
    await hashing.run({ request, isKnown: true }, () =>
      post(request, '/reset-password', { token: body.token, newPassword: body.newPassword }),
    );
    return sendJson(reply, 200, ok);
  });

  serve(app, deps, wire.resendVerification, async ({ body, user, request, reply }) => {
    if (body.email !== undefined && emailKey(body.email) !== emailKey(user.email)) throw new Problem('email_mismatch');
    if (user.emailVerified) throw new Problem('already_verified');
    await enforceLimit('resend', request, { account: emailKey(user.email) });
    await sendVerification(identity, db, user, returnPath(body, request));
    return sendJson(reply, 200, ok);
  });

  serve(app, deps, wire.verifyEmail, async ({ query, request, reply }) => {
    await enforceLimit('verify', request);
    const returnTo = returnPath(query, request);
    // HEAD verifies nothing, because mail programs check links with it before the person opens them.
    if (request.method === 'HEAD') return redirect(reply, returnTo);
    const origin = identity.origin();
    const token = await withCurrentSignature(identity, query.token);
    const path = `/verify-email?token=${encodeURIComponent(token)}`;
    const response = await callBetterAuth(identity, origin, request, { method: 'GET', path });
    return redirect(reply, response.status < 400 ? returnTo : withParameter(returnTo, 'error', 'invalid_link'));
  });

  serve(app, deps, wire.updateUser, async ({ body, user, now, request, reply }) => {
    await enforceLimit('profile', request, { account: user.id });
    const { name = user.name, image = user.image } = body;
    await updateProfile(db, user.id, { name, image, now });
    return sendJson(reply, 200, { ...ok, user: await accountOf(db, { ...user, name, image }) });
  });

  serve(app, deps, wire.changePassword, async ({ body, user, request, reply }) => {
    refuseWeakPassword(body.newPassword, user, 'newPassword');
    const response = await hashing.run(
      {
        request,
        isKnown: true,
        spendAttempt: () => enforceLimit('changePassword', request, { account: user.id }),
      },
      () => post(request, '/change-password', { ...body, revokeOtherSessions: true }),
    );
    if (user.emailVerified) {
      mailer.send(emails.passwordChanged(user.email, `${identity.origin()}/login`));
      // The old mark ended with the old password.
      const mark = await knownBrowsers.cookieFor(emailKey(user.email));
      if (mark) reply.header('set-cookie', mark);
    }
    return sendJson(reply, 200, await finishSignIn(request, reply, response, user));
  });

  serve(app, deps, wire.deleteUser, async ({ user, request, reply }) => {
    await enforceLimit('profile', request, { account: user.id });
    if (identity.sharedAccount === emailKey(user.email)) throw new Problem('demo_account');
    await removeAccount(db, user.id);
    // Whoever signed up with an unverified address may not be its owner.
    if (user.emailVerified) mailer.send(emails.accountRemoved(user.email, `${identity.origin()}/register`));
    const response = await post(request, '/sign-out', {});
    setCookies(reply, [...response.cookies, knownBrowsers.clearedCookie()]);
    return sendJson(reply, 200, { success: true, message: 'User deleted' });
  });

  serve(app, deps, wire.listSessions, async ({ user, request, reply }) => {
    const here = currentSignIn(request);
    const found = await sessionsOf(db, user.id, deps.clock());
    return sendJson(
      reply,
      200,
      found.map(({ tokenHash, session }) => ({ ...session, isThisOne: tokenHash === here })),
    );
  });

  serve(app, deps, wire.revokeSession, async ({ body, user, request, reply }) => {
    // Limited by IP address only: a thief with another session of the account must not use up the owner's attempts.
    await enforceLimit('profile', request);
    if (isUuid(body.token)) await endOwnSignIn(db, user.id, body.token);
    return sendJson(reply, 200, ok);
  });

  serve(app, deps, wire.revokeOtherSessions, async ({ user, request, reply }) => {
    await enforceLimit('profile', request);
    await endSignIns(db, user.id, currentSignIn(request));
    return sendJson(reply, 200, ok);
  });

  serve(app, deps, wire.revokeSessions, async ({ user, request, reply }) => {
    await enforceLimit('profile', request);
    await endSignIns(db, user.id, null);
    return sendJson(reply, 200, ok);
  });

  serve(app, deps, wire.prove, async ({ body, user, now, request, reply }) => {
    await hashing.run(
      { request, isKnown: true, spendAttempt: () => enforceLimit('prove', request, { account: user.id }) },
      () => identity.requirePassword(user.id, body.password),
    );
    await markProven(db, currentSignIn(request) ?? '', now);
    return sendJson(reply, 200, ok);
  });

  serve(app, deps, wire.signOut, async ({ request, reply }) => {
    const response = await post(request, '/sign-out', {});
    setCookies(reply, response.cookies);
    return sendJson(reply, 200, { success: true });
  });

  serve(app, deps, wire.getSession, async ({ request, reply }) => {
    const user = await whoIs.byCookie(request);
    const session = user && (await thisSession(db, currentSignIn(request) ?? ''));
    return sendJson(reply, 200, session && { session, user: await accountOf(db, user) });
  });

  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', 'no-store');
    done();
  });
  app.addHook('onSend', async (request, reply, payload) => {
    const wait = retryAfterSeconds.get(request);
    if (wait !== undefined) reply.header('retry-after', String(wait));
    return typeof payload === 'string' && reply.statusCode >= 400 ? withMessage(payload) : payload;
  });

  async function post(
    request: FastifyRequest,
    path: string,
    body: Record<string, unknown> & { provider?: string },
  ): Promise<AuthResponse> {
    const origin = identity.originOf(request);
    const { provider } = body;
    const response = await callBetterAuth(identity, origin, request, { method: 'POST', path, body, provider });
    throwIfRefused(response);
    return response;
  }

  async function enforceLimit(
    name: LimitName,
    request: FastifyRequest,
    who: { account?: string; browserId?: string | null } = {},
  ): Promise<void> {
    const wait = await identity.attempts.spend(name, { ip: request.ip, ...who });
    if (wait === null) return;
    retryAfterSeconds.set(request, wait);
    throw new Problem('too_many');
  }

  /** Ends the browser's previous session, sets the cookies and returns the response body. */
  async function finishSignIn(
    request: FastifyRequest,
    reply: FastifyReply,
    response: AuthResponse,
    user: wire.User,
  ): Promise<{ token: string; user: wire.WireUser }> {
    const session = await thisSession(db, signInId(newToken(response) ?? ''));
    if (!session) throw new Error('the new sign-in was not found');
    await endPreviousSignIn(request);
    annotateLog(request, { user: user.id });
    setCookies(reply, response.cookies);
    return { token: session.token, user: await accountOf(db, user) };
  }

  function returnPath(
    wanted: { callbackURL?: string | undefined; returnTo?: string | undefined },
    request: FastifyRequest,
  ) {
    return ownPath(wanted.callbackURL ?? wanted.returnTo, identity.originOf(request));
  }

  /**
   * Ends the session whose cookie the browser sent, because a browser has only one. An attacker may have planted that
   * cookie.
   */
  async function endPreviousSignIn(request: FastifyRequest): Promise<void> {
    const here = currentSignIn(request);
    if (here) await endSignIn(db, here);
  }

  function currentSignIn(request: FastifyRequest): string | null {
    const token = cookies.tokenOf(request.headers.cookie);
    return token && signInId(token);
  }

  function newToken({ cookies: given }: AuthResponse): string | null {
    return given.map((cookie) => cookies.tokenOf(cookie.split(';', 1)[0])).find((token) => token !== null) ?? null;
  }

  /** Sends a verification email if the provider has not verified the email address. */
  async function sendVerificationIfNeeded(request: FastifyRequest, token: string): Promise<void> {
    const found = await findBySignIn(db, signInId(token));
    if (found) annotateLog(request, { user: found.user.id });
    if (!found || found.user.emailVerified) return;
    const account = emailKey(found.user.email);
    const wait = await identity.attempts.spend('resend', { ip: request.ip, account });
    if (wait === null) await sendVerification(identity, db, found.user, '/');
  }
}

function refuseWeakPassword(password: string, person: { email: string; name: string }, fieldName: string): void {
  const code = isCommonPassword(password)
    ? 'password_too_common'
    : isPersonal(password, person)
      ? 'password_is_personal'
      : null;
  if (code) throw new Problem(code, { fields: { [fieldName]: { code } } });
}

function toUser(given: unknown): wire.User {
  const { id, email, name, image, emailVerified } = given as wire.User;
  return { id, email, name, image: image ?? null, emailVerified };
}

function redirect(reply: FastifyReply, path: string): FastifyReply {
  return reply.code(302).header('location', path).send();
}

/** Adds `message`, from which better-auth's client reads the error text. */
function withMessage(payload: string): string {
  const problem = JSON.parse(payload) as { detail?: string };
  return JSON.stringify({ ...problem, message: problem.detail });
}
