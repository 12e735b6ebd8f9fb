import * as wire from '@perfume/contract/identity';
import { browserName } from '@perfume/domain/browser-name';
import { emailKey } from '@perfume/domain/email';
import { isUuid } from '@perfume/domain/uuid';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { annotateLog } from '../http/access-log.ts';
import { Problem } from '../http/problem.ts';
import { type Deps, sendJson, serve } from '../http/serve.ts';
import { requireProof } from '../http/session.ts';
import { emails } from '../mail/emails.ts';
import { type AuthResponse, callBetterAuth, setCookies, throwIfRefused } from './call-better-auth.ts';
import { isCommonPassword, isPersonal } from './common-passwords.ts';
import {
  accountOf,
  endOwnSignIn,
  endResetLinks,
  endSignIn,
  endSignIns,
  findBySignIn,
  findUserByEmail,
  type HouseInvitations,
  isRemembered,
  makeSignInBrief,
  markProven,
  passwordSetAt,
  removeAccount,
  sessionsOf,
  signInId,
  thisSession,
  unlinkProvider,
  updateProfile,
  verifyEmail,
} from './identity.store.ts';
import type { Identity } from './identity.ts';
import type { LimitName } from './limits.ts';
import { ownPath, withParameter } from './own-path.ts';
import { offeredProviders } from './providers.ts';
import { openAccount, readVerificationToken, sendVerification, verificationPage } from './sign-up.ts';
import { twoStepRoutes } from './two-step.routes.ts';
import { hasSecondStep, isTwoStepOn } from './two-step.store.ts';

type Login = { known: { id: string; isCurrent: boolean } | null; setAt: number | null; isFirstLogin: boolean };

const ok = { status: true };
const retryAfterSeconds = new WeakMap<FastifyRequest, number>();

/** Serves everything under /api/auth. better-auth offers more routes than we need: only those below exist. */
export function authRoutes(
  app: FastifyInstance,
  deps: Deps & { config: Config; identity: Identity; houseInvitations: HouseInvitations },
): void {
  const { db, config, whoIs, identity, houseInvitations } = deps;
  const { cookies, hashing, knownBrowsers, mailer } = identity;

  const { requireProofOf, startHalfLogin, createSession } = twoStepRoutes(app, deps, {
    currentSignIn,
    enforceLimit,
    finishSignIn,
    rememberBrowser,
  });

  serve(app, deps, wire.signUp, async ({ body, request, reply }) => {
    refuseWeakPassword(body.password, body, 'password');
    const returnTo = returnPath(body, request);
    const { response, user } = await hashing.run(
      {
        request,
        knownAs: null,
        spendAttempt: () => enforceLimit('signUp', request, { account: emailKey(body.email) }),
      },
      () => openAccount(identity, db, request, { ...body, returnTo }, houseInvitations),
    );
    if (user.emailVerified) {
      const setAt = await passwordSetAt(db, user.email);
      rememberBrowser(request, reply, user, { known: null, setAt, isFirstLogin: true });
    }
    return sendJson(reply, 200, await finishSignIn(request, reply, response, user));
  });

  serve(app, deps, wire.signIn, async ({ body, request, reply }) => {
    const account = emailKey(body.email);
    annotateLog(request, { account: identity.logNameOf(account) });
    const known = await knownBrowsers.find(request.headers.cookie, account);
    const browserId = known?.id ?? null;
    const { rememberMe = true, password } = body;
    const { response, setAt } = await hashing.run(
      {
        request,
        knownAs: known && account,
        spendAttempt: () => enforceLimit('signIn', request, { account, browserId }),
      },
      async () => ({
        // Read before the password is checked: if it is replaced at the same moment, the login is void.
        setAt: await passwordSetAt(db, account),
        response: await post(request, '/sign-in/email', { email: account, password, rememberMe }),
      }),
    );
    const user = toUser(response.body.user);
    if (setAt === null || (await passwordSetAt(db, account)) !== setAt) {
      await endNewSignIn(response);
      throw new Problem('invalid_email_or_password');
    }
    identity.afterResponse(() => identity.rehashPassword(user.id, password));
    const halfLogin = await startHalfLogin(user, { rememberMe, passwordSetAt: setAt });
    if (halfLogin) {
      await endNewSignIn(response);
      setCookies(reply, [halfLogin]);
      return sendJson(reply, 200, { twoFactorRedirect: true, twoFactorMethods: ['totp'] });
    }
    if (user.emailVerified) rememberBrowser(request, reply, user, { known, setAt, isFirstLogin: false });
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
    const { provider, newUserCallbackURL, errorCallbackURL, disableRedirect = false, rememberMe = true } = body;
    const response = await post(request, '/sign-in/social', {
      provider,
      callbackURL: origin + returnPath(body, request),
      errorCallbackURL: origin + ownPath(errorCallbackURL, origin, '/login'),
      ...(newUserCallbackURL && { newUserCallbackURL: origin + ownPath(newUserCallbackURL, origin) }),
      disableRedirect: true,
    });
    setCookies(reply, [...response.cookies, identity.cookies.setBriefCookie(!rememberMe)]);
    return sendJson(reply, 200, { url: response.body.url, redirect: !disableRedirect });
  });

  serve(app, deps, wire.socialCallback, async ({ request, reply }) => {
    await enforceLimit('social', request);
    const { provider } = request.params as { provider: string };
    if (request.method === 'HEAD' || !wire.providerIds.some((id) => id === provider)) throw new Problem('not_found');
    const origin = identity.originOf(request);
    const search = request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : '';
    const path = `/callback/${provider}${search}`;
    const response = await callBetterAuth(identity, origin, request, { method: 'GET', path, provider }).catch(
      (error) => {
        if (error instanceof Problem && error.code === 'account_disabled') return null;
        throw error;
      },
    );
    if (!response) return redirect(reply, '/login?error=account_disabled');
    const token = newToken(response);
    const user = token === null ? null : ((await findBySignIn(db, signInId(token)))?.user ?? null);
    if (user) {
      annotateLog(request, { user: user.id });
      // The owner of the address may have verified it at this moment, which removes the provider.
      const { providers } = await accountOf(deps, user);
      if (!providers.some((id) => id === provider)) {
        await endNewSignIn(response);
        return redirect(reply, '/login?error=account_not_linked');
      }
      await endPreviousSignIn(request);
      // A provider asks for no second step of ours, and often for nothing at all.
      if (token && (await hasSecondStep(db, user.id))) await markProven(db, signInId(token), 0);
      if (!user.emailVerified) await sendVerificationWithinLimit(request, user);
      else {
        const account = emailKey(user.email);
        const known = await knownBrowsers.find(request.headers.cookie, account);
        const setAt = await passwordSetAt(db, account);
        rememberBrowser(request, reply, user, { known, setAt, isFirstLogin: response.isNewUser });
      }
    } else annotateLog(request, { code: 'social_sign_in_refused' });
    setCookies(reply, response.cookies);
    if (token && identity.cookies.isBrief(request.headers.cookie)) {
      await makeSignInBrief(db, signInId(token));
      setCookies(reply, [identity.cookies.setCookie(token, false), identity.cookies.setBriefCookie(false)]);
    }
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
    await hashing.run({ request, knownAs: emailKey(owner.email) }, () =>
      post(request, '/reset-password', { token: body.token, newPassword: body.newPassword }),
    );
    // The owner hears of the new password, so the login that follows needs no email of its own.
    const account = emailKey(owner.email);
    const setAt = await passwordSetAt(db, account);
    reply.header('set-cookie', knownBrowsers.cookieFor(request.headers.cookie, account, setAt));
    return sendJson(reply, 200, ok);
  });

  serve(app, deps, wire.resendVerification, async ({ body, user, request, reply }) => {
    if (body.email !== undefined && emailKey(body.email) !== emailKey(user.email)) throw new Problem('email_mismatch');
    if (user.emailVerified) throw new Problem('already_verified');
    await enforceLimit('resend', request, { account: emailKey(user.email) });
    await sendVerification(identity, db, user, returnPath(body, request));
    return sendJson(reply, 200, ok);
  });

  serve(app, deps, wire.openVerificationLink, async ({ query, request, reply }) =>
    redirect(reply, verificationPage(query.token, returnPath(query, request))),
  );

  serve(app, deps, wire.verifyEmail, async ({ body, request, reply }) => {
    await enforceLimit('verify', request);
    const link = await readVerificationToken(identity, body.token);
    if (!link) throw new Problem('invalid_link');
    const now = deps.clock();
    const browser = await verifyEmail(db, { ...link, signInId: currentSignIn(request), now });
    if (browser === 'invalid') throw new Problem('invalid_link');
    annotateLog(request, { user: link.userId });
    if (browser === 'elsewhere')
      return sendJson(reply, 200, { ...ok, resetToken: await identity.createResetToken(link.userId) });
    const account = emailKey(link.email);
    const known = await knownBrowsers.find(request.headers.cookie, account);
    const setAt = await passwordSetAt(db, account);
    reply.header('set-cookie', knownBrowsers.cookieFor(request.headers.cookie, account, setAt, known?.id));
    return sendJson(reply, 200, { ...ok, resetToken: null });
  });

  serve(app, deps, wire.updateUser, async ({ body, user, now, request, reply }) => {
    await enforceLimit('profile', request, { account: user.id });
    const { name = user.name, image = user.image } = body;
    await updateProfile(db, user.id, { name, image, now });
    return sendJson(reply, 200, { ...ok, user: await accountOf(deps, { ...user, name, image }) });
  });

  serve(app, deps, wire.changePassword, async ({ body, user, now, request, reply }) => {
    // It ends all other sessions, for which the password alone is not enough with two-step login.
    if (await isTwoStepOn(db, user.id)) requireProof(request, now);
    refuseWeakPassword(body.newPassword, user, 'newPassword');
    const here = await findBySignIn(db, currentSignIn(request) ?? '');
    const rememberMe = here !== null && isRemembered(here);
    const { passwordSetAt: setAt = null } = await hashing.run(
      {
        request,
        knownAs: emailKey(user.email),
        spendAttempt: () => enforceLimit('changePassword', request, { account: user.id }),
      },
      // The new password ends all sessions, and this browser gets a new one.
      () => post(request, '/change-password', { ...body, revokeOtherSessions: false }),
    );
    // The owner of the address may verify it at this moment, which removes the password of whoever signed up.
    if (setAt === null) throw new Problem('not_signed_in');
    const response = { cookies: [await createSession(request, user, { rememberMe, passwordSetAt: setAt })] };
    // The password is only half of a proof with two-step login, so the new session is no fresher than this one.
    await markProven(db, signInId(newToken(response) ?? ''), request.provenAt);
    await endResetLinks(db, user.id);
    if (user.emailVerified) {
      const account = emailKey(user.email);
      mailer.send(emails.passwordChanged(user.email, `${identity.origin()}/login`));
      // The old mark ended with the old password.
      reply.header('set-cookie', knownBrowsers.cookieFor(request.headers.cookie, account, setAt));
    }
    return sendJson(reply, 200, await finishSignIn(request, reply, response, user));
  });

  serve(app, deps, wire.deleteUser, async ({ user, request, reply }) => {
    await enforceLimit('profile', request, { account: user.id });
    if (identity.sharedAccount === emailKey(user.email)) throw new Problem('demo_account');
    if ((await removeAccount(db, config.access, user.id, deps.clock())) === 'last_owner')
      throw new Problem('last_owner');
    mailer.send(emails.accountRemoved(user.email, `${identity.origin()}/register`));
    const response = await post(request, '/sign-out', {});
    setCookies(reply, [...response.cookies, knownBrowsers.clearedCookie()]);
    return sendJson(reply, 200, { success: true, message: 'User deleted' });
  });

  serve(app, deps, wire.unlinkAccount, async ({ body, user, request, reply }) => {
    await enforceLimit('profile', request, { account: user.id });
    const offered = offeredProviders(identity.config);
    const usable = offered.map(({ id }) => id);
    const result = await unlinkProvider(db, user.id, body.providerId, { usable, keptId: currentSignIn(request) });
    if (result === 'last') throw new Problem('last_way_in');
    if (result === 'unlinked') {
      const { name } = offered.find(({ id }) => id === body.providerId) ?? { name: body.providerId };
      mailer.send(emails.providerUnlinked(user.email, name, `${identity.origin()}/dashboard/settings`));
    }
    return sendJson(reply, 200, { ...ok, user: await accountOf(deps, user) });
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
    await requireProofOf(user, body, request);
    await markProven(db, currentSignIn(request) ?? '', now);
    return sendJson(reply, 200, ok);
  });

  serve(app, deps, wire.signOut, async ({ request, reply }) => {
    // A page that was left open logs out its own person, not whoever has logged in since.
    const expected = request.headers['expected-user'];
    const user = expected === undefined ? null : await whoIs.byCookie(request);
    if (user === null || user.id === expected) setCookies(reply, (await post(request, '/sign-out', {})).cookies);
    return sendJson(reply, 200, { success: true });
  });

  serve(app, deps, wire.getSession, async ({ request, reply }) => {
    const user = await whoIs.byCookie(request);
    const session = user && (await thisSession(db, currentSignIn(request) ?? ''));
    return sendJson(reply, 200, session && { session, user: await accountOf(deps, user) });
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
    response: Pick<AuthResponse, 'cookies'>,
    user: wire.User,
  ): Promise<{ token: string; user: wire.WireUser }> {
    const session = await thisSession(db, signInId(newToken(response) ?? ''));
    // It ended at this moment, for example because the user has logged out everywhere.
    if (!session) throw new Problem('not_signed_in');
    await endPreviousSignIn(request);
    annotateLog(request, { user: user.id });
    setCookies(reply, response.cookies);
    return { token: session.token, user: await accountOf(deps, user) };
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

  function newToken({ cookies: given }: Pick<AuthResponse, 'cookies'>): string | null {
    return given.map((cookie) => cookies.tokenOf(cookie.split(';', 1)[0])).find((token) => token !== null) ?? null;
  }

  async function endNewSignIn(response: AuthResponse): Promise<void> {
    await endSignIn(db, signInId(newToken(response) ?? ''));
  }

  /**
   * Makes the browser known to the account, and tells the owner if it was not. Call this for verified users only: anyone
   * can sign up with the address of someone else.
   */
  function rememberBrowser(
    request: FastifyRequest,
    reply: FastifyReply,
    user: wire.User,
    { known, setAt, isFirstLogin }: Login,
  ): void {
    const account = emailKey(user.email);
    if (!known?.isCurrent)
      reply.header('set-cookie', knownBrowsers.cookieFor(request.headers.cookie, account, setAt, known?.id));
    if (known || isFirstLogin) return;
    const browser = browserName(request.headers['user-agent'] ?? '');
    const at = deps.clock();
    identity.afterResponse(async () => {
      const wait = await identity.attempts.spend('newBrowserEmail', { ip: request.ip, account });
      if (wait === null) mailer.send(emails.newBrowser(user.email, { browser, at }, `${identity.origin()}/login`));
    });
  }

  /** Sends a verification email to someone whose provider has not verified the address. */
  async function sendVerificationWithinLimit(request: FastifyRequest, user: wire.User): Promise<void> {
    const wait = await identity.attempts.spend('resend', { ip: request.ip, account: emailKey(user.email) });
    if (wait === null) await sendVerification(identity, db, user, '/');
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
