import * as wire from '@perfume/contract/identity';
import { browserName } from '@perfume/domain/browser-name';
import { emailKey } from '@perfume/domain/email';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isForeignKeyViolation } from '../db/core/errors.ts';
import { annotateLog } from '../http/access-log.ts';
import { Problem } from '../http/problem.ts';
import { type Deps, sendJson, serve } from '../http/serve.ts';
import { emails } from '../mail/emails.ts';
import { setCookies } from './call-better-auth.ts';
import {
  endSignIn,
  endSignIns,
  findUserById,
  hasPassword,
  passwordSetAt,
  passwordSetAtOf,
  signInId,
} from './identity.store.ts';
import type { Identity } from './identity.ts';
import type { LimitName } from './limits.ts';
import { oneTimeCookie } from './one-time-cookie.ts';
import { findPasskey, passkeysOf, removePasskey, renamePasskey } from './passkeys.store.ts';
import { passkeyChecker } from './passkeys.ts';
import {
  confirmTwoStep,
  countRecoveryCodes,
  isTwoStepOn,
  replaceRecoveryCodes,
  startTwoStep,
  turnOffTwoStep,
} from './two-step.store.ts';
import { codeChecker, newRecoveryCodes, newSecret, stepOf, totpUri } from './two-step.ts';

const HALF_LOGIN_LIFETIME_MS = 10 * 60 * 1_000;

/** What a new session depends on: the password of that time, or a passkey. */
type NewSession = { rememberMe: boolean; passwordSetAt?: number | null; passkeyId?: string };
type HalfLogin = { userId: string; rememberMe: boolean; passwordSetAt: number | null };
type CodeCheck = { isGuessable: boolean; require(userId: string): Promise<void> };
type SignedIn = { token: string; user: wire.WireUser };
type Shared = {
  currentSignIn(request: FastifyRequest): string | null;
  enforceLimit(
    name: LimitName,
    request: FastifyRequest,
    who?: { account?: string; browserId?: string | null },
  ): Promise<void>;
  finishSignIn(
    request: FastifyRequest,
    reply: FastifyReply,
    response: { cookies: string[] },
    user: wire.User,
  ): Promise<SignedIn>;
  rememberBrowser(
    request: FastifyRequest,
    reply: FastifyReply,
    user: wire.User,
    login: { known: { id: string; isCurrent: boolean } | null; setAt: number | null; isFirstLogin: boolean },
  ): void;
};

/**
 * Serves two-step login and passkeys, and returns what logging in and proving need of them. A login with a password of
 * a user with two-step login is only half a login: its cookie opens nothing but the second step.
 */
export function twoStepRoutes(
  app: FastifyInstance,
  deps: Deps & { identity: Identity },
  { currentSignIn, enforceLimit, finishSignIn, rememberBrowser }: Shared,
) {
  const { db, identity } = deps;
  const { config, clock, knownBrowsers, mailer } = identity;
  const codes = codeChecker(config, db);
  const passkeys = passkeyChecker(identity, db);
  const halfLogins = oneTimeCookie<HalfLogin>(identity, 'two-step', HALF_LOGIN_LIFETIME_MS);

  if (config.previousSecret !== null) identity.afterResponse(codes.adoptCurrentSecret);

  serve(app, deps, wire.secondSteps, async ({ user, reply }) =>
    sendJson(reply, 200, {
      twoStep: await isTwoStepOn(db, user.id),
      recoveryCodesLeft: await countRecoveryCodes(db, user.id),
      passkeys: (await passkeysOf(db, user.id)).map(({ id, name, created_at, used_at }) => ({
        id,
        name,
        createdAt: new Date(created_at).toISOString(),
        lastUsedAt: used_at === null ? null : new Date(used_at).toISOString(),
      })),
    }),
  );

  serve(app, deps, wire.enableTwoStep, async ({ user, request, reply }) => {
    await enforceLimit('profile', request, { account: user.id });
    // A login through a provider never asks for a code, so without a password two-step login would protect nothing.
    if (!(await hasPassword(db, user.id))) throw new Problem('no_password');
    const secret = newSecret();
    if (!(await startTwoStep(db, user.id, codes.seal(user.id, secret)))) throw new Problem('two_step_on');
    const totpURI = totpUri(secret, user);
    const { toSVG } = await import('bwip-js/node');
    const qrCode = toSVG({
      bcid: 'qrcode',
      text: totpURI,
      paddingwidth: 4,
      paddingheight: 4,
      backgroundcolor: 'FFFFFF',
    });
    return sendJson(reply, 200, { totpURI, secret, qrCode });
  });

  serve(app, deps, wire.confirmTwoStep, async ({ body, user, now, request, reply }) => {
    await enforceLimit('code', request, { account: user.id });
    const secret = await codes.secretOf(user.id);
    const step = secret && stepOf(secret, body.code.replace(/\s/g, ''), now);
    if (!step) throw new Problem('wrong_code');
    const { codes: backupCodes, codeHashes } = newRecoveryCodes();
    if (!(await confirmTwoStep(db, user.id, { step, now, codeHashes }))) throw new Problem('two_step_on');
    // The other sessions were opened with the password alone.
    await endSignIns(db, user.id, currentSignIn(request));
    mailer.send(emails.twoStepOn(user.email, settingsUrl()));
    return sendJson(reply, 200, { backupCodes });
  });

  serve(app, deps, wire.disableTwoStep, async ({ user, request, reply }) => {
    await enforceLimit('profile', request, { account: user.id });
    if (await turnOffTwoStep(db, user.id)) mailer.send(emails.twoStepOff(user.email, settingsUrl()));
    return sendJson(reply, 200, { status: true });
  });

  serve(app, deps, wire.newRecoveryCodes, async ({ user, request, reply }) => {
    await enforceLimit('profile', request, { account: user.id });
    if (!(await isTwoStepOn(db, user.id))) throw new Problem('two_step_off');
    const { codes: backupCodes, codeHashes } = newRecoveryCodes();
    await replaceRecoveryCodes(db, user.id, codeHashes);
    mailer.send(emails.newRecoveryCodes(user.email, settingsUrl()));
    return sendJson(reply, 200, { status: true, backupCodes });
  });

  serve(app, deps, wire.verifyTotp, ({ body, now, request, reply }) =>
    finishHalfLogin(request, reply, appCode(body.code, now)),
  );

  serve(app, deps, wire.verifyBackupCode, ({ body, request, reply }) =>
    finishHalfLogin(request, reply, recoveryCode(body.code)),
  );

  serve(app, deps, wire.passkeyOptionsToAdd, async ({ user, request, reply }) => {
    await enforceLimit('passkey', request);
    const { options, cookie } = await passkeys.optionsToAdd(request, user);
    setCookies(reply, [cookie]);
    return sendJson(reply, 200, options);
  });

  serve(app, deps, wire.addPasskey, async ({ body, user, now, request, reply }) => {
    await enforceLimit('passkey', request);
    await passkeys.add(request, user, { ...body, now });
    mailer.send(emails.passkeyAdded(user.email, settingsUrl()));
    setCookies(reply, [passkeys.challengeGone]);
    return sendJson(reply, 200, { status: true });
  });

  serve(app, deps, wire.renamePasskey, async ({ body, user, request, reply }) => {
    await enforceLimit('profile', request, { account: user.id });
    if (!(await renamePasskey(db, user.id, body.id, body.name))) throw new Problem('passkey_not_found');
    return sendJson(reply, 200, { status: true });
  });

  serve(app, deps, wire.removePasskey, async ({ body, user, request, reply }) => {
    await enforceLimit('profile', request, { account: user.id });
    const result = await removePasskey(db, user.id, body.id, currentSignIn(request));
    if (result === 'last') throw new Problem('last_way_in');
    if (result === 'removed') mailer.send(emails.passkeyRemoved(user.email, settingsUrl()));
    return sendJson(reply, 200, { status: true });
  });

  serve(app, deps, wire.passkeyOptions, async ({ request, reply }) => {
    await enforceLimit('passkey', request);
    const { options, cookie } = await passkeys.optionsToUse(request);
    setCookies(reply, [cookie]);
    return sendJson(reply, 200, options);
  });

  serve(app, deps, wire.signInPasskey, async ({ body, now, request, reply }) => {
    await enforceLimit('passkey', request);
    const { response, rememberMe = true } = body;
    const user = await passkeys.ownerOf(request, response, now);
    setCookies(reply, [passkeys.challengeGone]);
    return sendJson(reply, 200, await openSession(request, reply, user, { rememberMe, passkeyId: response.id }));
  });

  /** Throws unless the request proves who the user is: a passkey, or the password and, with two-step login, a code. */
  async function requireProofOf(
    user: wire.User,
    body: { password?: string | undefined; code?: string | undefined; passkey?: wire.PasskeyResponse | undefined },
    request: FastifyRequest,
  ): Promise<void> {
    if (body.passkey) {
      await enforceLimit('passkey', request);
      if ((await passkeys.ownerOf(request, body.passkey, clock())).id !== user.id) throw new Problem('passkey_refused');
      return;
    }
    const { password = '', code = '' } = body;
    await identity.hashing.run(
      {
        request,
        knownAs: emailKey(user.email),
        spendAttempt: () => enforceLimit('prove', request, { account: user.id }),
      },
      () => identity.requirePassword(user.id, password),
    );
    if (!(await isTwoStepOn(db, user.id))) return;
    const known = await knownBrowsers.find(request.headers.cookie, emailKey(user.email));
    const check = /^[\d\s]*$/.test(code) ? appCode(code, clock()) : recoveryCode(code);
    await requireCode(request, user, check, known?.id ?? null);
  }

  const appCode = (code: string, now: number): CodeCheck => ({
    isGuessable: true,
    require: (userId) => codes.requireAppCode(userId, code, now),
  });
  const recoveryCode = (code: string): CodeCheck => ({
    isGuessable: false,
    require: (userId) => codes.requireRecoveryCode(userId, code),
  });

  /**
   * Throws unless the code is right. Call this after the password was right: after several wrong codes the owner gets
   * an email. Recovery codes work even when too many codes of the app were wrong, so guesses do not lock the owner out
   * for a day.
   */
  async function requireCode(
    request: FastifyRequest,
    user: wire.User,
    check: CodeCheck,
    browserId: string | null = null,
  ): Promise<void> {
    await enforceLimit('code', request, { account: user.id, browserId });
    if (check.isGuessable) await enforceLimit('codesOfDay', request, { account: user.id });
    try {
      await check.require(user.id);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const who = { ip: request.ip, account: user.id };
      const isOften = (await identity.attempts.spend('wrongCodes', who)) !== null;
      if (isOften && (await identity.attempts.spend('wrongCodesEmail', who)) === null)
        mailer.send(emails.wrongCodes(user.email, `${identity.origin()}/login`));
      throw error;
    }
    await identity.attempts.reset('codesOfDay', user.id);
    await identity.attempts.reset('wrongCodes', user.id);
    if (!check.isGuessable)
      mailer.send(emails.recoveryCodeUsed(user.email, await countRecoveryCodes(db, user.id), settingsUrl()));
  }

  /** Returns the cookie of half a login, or null if the user has no two-step login. */
  async function startHalfLogin(user: wire.User, login: Omit<HalfLogin, 'userId'>): Promise<string | null> {
    return (await isTwoStepOn(db, user.id)) ? halfLogins.create({ userId: user.id, ...login }) : null;
  }

  async function finishHalfLogin(
    request: FastifyRequest,
    reply: FastifyReply,
    check: CodeCheck,
  ): Promise<FastifyReply> {
    const half = await halfLogins.find(request);
    const user = half && (await findUserById(db, half.userId));
    // A new password ends half logins with the old one.
    if (!half || !user || (await passwordSetAt(db, user.email)) !== half.passwordSetAt)
      throw new Problem('login_expired');
    const account = emailKey(user.email);
    annotateLog(request, { account: identity.logNameOf(account) });
    const known = await knownBrowsers.find(request.headers.cookie, account);
    await requireCode(request, user, check, known?.id);
    if (!(await halfLogins.consume(request))) throw new Problem('login_expired');
    setCookies(reply, [halfLogins.gone]);
    return sendJson(reply, 200, await openSession(request, reply, user, half));
  }

  /** Logs the user in, as a password alone does. */
  async function openSession(
    request: FastifyRequest,
    reply: FastifyReply,
    user: wire.User,
    session: NewSession,
  ): Promise<SignedIn> {
    const cookies = [await createSession(request, user, session)];
    const account = emailKey(user.email);
    const known = await knownBrowsers.find(request.headers.cookie, account);
    rememberBrowser(request, reply, user, { known, setAt: await passwordSetAt(db, account), isFirstLogin: false });
    return finishSignIn(request, reply, { cookies }, user);
  }

  /**
   * Creates a session and returns its cookie. better-auth makes the session. It is void unless the user still has the
   * password of `passwordSetAt`, or the passkey: one that was removed meanwhile has ended the other sessions already.
   */
  async function createSession(
    request: FastifyRequest,
    user: wire.User,
    { rememberMe, passwordSetAt, passkeyId }: NewSession,
  ): Promise<string> {
    const { internalAdapter } = await (await identity.auth(identity.originOf(request))).$context;
    const userAgent = browserName(request.headers['user-agent'] ?? '') ?? '';
    const { token } = await internalAdapter.createSession(user.id, !rememberMe, { userAgent }).catch((error) => {
      throw isForeignKeyViolation(error) ? new Problem('not_signed_in') : error;
    });
    const isVoid =
      (passwordSetAt !== undefined && (await passwordSetAtOf(db, user.id)) !== passwordSetAt) ||
      (passkeyId !== undefined && !(await findPasskey(db, passkeyId)));
    if (isVoid) {
      await endSignIn(db, signInId(token));
      throw new Problem('not_signed_in');
    }
    return identity.cookies.setCookie(token, rememberMe);
  }

  const settingsUrl = () => `${identity.origin()}/dashboard/settings`;

  return { requireProofOf, startHalfLogin, createSession };
}
