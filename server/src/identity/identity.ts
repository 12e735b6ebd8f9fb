import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { User } from '@perfume/contract/identity';
import type { GenericOAuthConfig } from 'better-auth/plugins/generic-oauth';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import type { Db } from '../db/core/database.ts';
import { Problem } from '../http/problem.ts';
import type { Mailer } from '../mail/mailer.ts';
import { type Auth, createAuth, RESET_LINK_LIFETIME_S } from './auth.ts';
import { identitySecret, signInCookies } from './cookie.ts';
import { findUserById, passwordHashOf, replacePasswordHash } from './identity.store.ts';
import { knownBrowsers } from './known-browsers.ts';
import { attemptLimits } from './limits.ts';
import { fetchMetadata, verifyIdTokens } from './oidc-metadata.ts';
import { passwordQueue } from './password-queue.ts';
import type { PasswordHasher } from './passwords.ts';
import { oauthProviders, oidcProviders, type ProviderSource, providerSources } from './providers.ts';

export type StandIn = (id: 'github' | 'google', origin: string) => ProviderSource;

type Parts = {
  config: Config;
  db: Db;
  clock: () => number;
  mailer: Mailer;
  passwords: PasswordHasher;
  /** This server's own origin. Without PUBLIC_URL it is known only once the server listens. */
  origin: () => string;
  standIn: StandIn | null;
  /** The address of the account that everybody uses in the demo. It cannot be removed. */
  sharedAccount: string | null;
  log: { error(facts: object, message: string): void };
};

/** Creates the functions and state that the identity routes share. */
export function makeIdentity({ config, db, clock, mailer, passwords, origin, standIn, sharedAccount, log }: Parts) {
  const hashing = passwordQueue(config);
  const cookies = signInCookies(config);
  const instances = new Map<string, Promise<Auth>>();
  const pending = new Set<Promise<unknown>>();

  /**
   * Returns the better-auth instance for an origin. It is created on first use, because better-auth needs its origin at
   * construction and ours may be known only once the server listens. The OpenID Connect provider has its own instance,
   * which needs the provider's metadata first: when that is slow, only users of that provider wait.
   */
  function auth(at: string, provider?: string): Promise<Auth> {
    const isOidc = provider === 'oidc';
    const name = `${at} ${isOidc}`;
    const known = instances.get(name);
    if (known) return known;
    const ready = isOidc ? createOidcAuth(at) : created(at, oauthProviders(db, sourcesAt(at)));
    instances.set(name, ready);
    return ready;
  }

  const sourcesAt = (at: string) => providerSources(config, standIn && ((id) => standIn(id, at)));

  /** Without metadata, better-auth knows no such provider. The next login reads it again. */
  async function createOidcAuth(at: string): Promise<Auth> {
    const { oidc } = config.providers;
    const metadata = oidc && (await fetchMetadata(oidc));
    if (!metadata) {
      if (oidc) log.error({ issuer: oidc.issuer }, 'identity: the metadata of the OpenID Connect provider is unusable');
      instances.delete(`${at} true`);
      return created(at, []);
    }
    const fresh = await created(at, oidcProviders(db, oidc, metadata));
    verifyIdTokens((await fresh.$context).socialProviders, oidc, metadata);
    return fresh;
  }

  async function created(at: string, providers: GenericOAuthConfig[]): Promise<Auth> {
    const fresh = createAuth(at, {
      config,
      db,
      clock,
      mailer,
      passwords,
      providers,
      publicOrigin: origin,
      log,
    });
    await fresh.$context;
    return fresh;
  }

  /**
   * Returns the origin that the browser uses: the public one, or in local use one of the names of this machine. It is
   * chosen from a list, never copied from the request. Emails always use `origin()`.
   */
  function originOf(request: FastifyRequest): string {
    const own = origin();
    if (config.publicUrl !== null) return own;
    const { port } = new URL(own);
    return ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`).includes(String(request.headers.host))
      ? `http://${request.headers.host}`
      : own;
  }

  async function ownerOfResetLink(token: string): Promise<User | null> {
    const { internalAdapter } = await (await auth(origin())).$context;
    const link = await internalAdapter.findVerificationValue(`reset-password:${token}`);
    return link && link.expiresAt.getTime() > clock() ? findUserById(db, link.value) : null;
  }

  /** Returns the token of a new reset link, which is valid as long as one that is sent by email. */
  async function createResetToken(userId: string): Promise<string> {
    const { internalAdapter } = await (await auth(origin())).$context;
    const token = randomBytes(24).toString('base64url');
    const expiresAt = new Date(clock() + RESET_LINK_LIFETIME_S * 1_000);
    await internalAdapter.createVerificationValue({ identifier: `reset-password:${token}`, value: userId, expiresAt });
    return token;
  }

  async function createDummyResetLink(): Promise<void> {
    const { internalAdapter } = await (await auth(origin())).$context;
    const identifier = `reset-password:${randomUUID()}`;
    await internalAdapter.createVerificationValue({ identifier, value: 'nobody', expiresAt: new Date(clock()) });
  }

  /** Replaces an outdated password hash. This happens at login, because only then is the password known. */
  async function rehashPassword(userId: string, password: string): Promise<void> {
    const stored = await passwordHashOf(db, userId);
    if (stored === null || !passwords.needsRehash(stored)) return;
    await hashing.runLater(async () => {
      // The password may have been changed since the login.
      if (!(await passwords.verify({ hash: stored, password }))) return;
      await replacePasswordHash(db, userId, { from: stored, to: await passwords.hash(password) });
    });
  }

  /** Throws if the account has no password, or another one. */
  async function requirePassword(userId: string, password: string): Promise<void> {
    const stored = await passwordHashOf(db, userId);
    if (stored === null) throw new Problem('no_password');
    if (!(await passwords.verify({ hash: stored, password }))) throw new Problem('wrong_password');
  }

  /**
   * Returns the name of an account in the log. An account always has the same one, but without the secret nobody can
   * find out the email address behind it.
   */
  function logNameOf(account: string): string {
    return createHmac('sha256', config.secret)
      .update(`account in the log\n${account}`)
      .digest('base64url')
      .slice(0, 22);
  }

  /** Runs the work after the response is sent, or after the server has started. Failures are logged. */
  function afterResponse(work: () => Promise<unknown>): void {
    const task = new Promise(setImmediate)
      .then(work)
      .catch((error: Error) => log.error({ about: error.name }, 'identity: work after the response failed'))
      .finally(() => pending.delete(task));
    pending.add(task);
  }

  return {
    config,
    clock,
    sharedAccount,
    secret: identitySecret(config.secret),
    cookies,
    mailer,
    origin,
    originOf,
    auth,
    ownerOfResetLink,
    createResetToken,
    createDummyResetLink,
    hashing,
    logNameOf,
    rehashPassword,
    requirePassword,
    afterResponse,
    attempts: attemptLimits(db, identitySecret(config.secret), clock, config.demo),
    knownBrowsers: knownBrowsers(config, db),
    async close() {
      await Promise.all(pending);
      await mailer.close();
    },
  };
}

export type Identity = ReturnType<typeof makeIdentity>;
