import { randomUUID } from 'node:crypto';
import type { User } from '@perfume/contract/identity';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import type { Db } from '../db/core/database.ts';
import type { Mailer } from '../mail/mailer.ts';
import { type Auth, authAt } from './auth.ts';
import { identitySecret, signInCookies } from './cookie.ts';
import { findUserById, keepPasswordAnew, keptPasswordOf } from './identity.store.ts';
import { knownBrowsers } from './known-browsers.ts';
import { attemptLimits } from './limits.ts';
import { fewAtOnce, type Passwords } from './passwords.ts';
import { oauthProviders, oidcProviders, type ProviderSource, providerSources } from './providers.ts';

export type StandIn = (id: 'github' | 'google', address: string) => ProviderSource;

type Parts = {
  config: Config;
  db: Db;
  clock: () => number;
  mailer: Mailer;
  passwords: Passwords;
  /** This server's own address, known for sure once it listens. */
  address: () => string;
  standIn: StandIn | null;
  log: { error(facts: object, message: string): void };
};

/** Everything identity's routes share. */
export function makeIdentity({ config, db, clock, mailer, address, standIn, log, ...parts }: Parts) {
  const passwords = fewAtOnce(parts.passwords);
  const cookies = signInCookies(config);
  const made = new Map<string, Promise<Auth>>();
  const underWay = new Set<Promise<unknown>>();

  /**
   * better-auth wants to know its address from the start; ours may be known only once we listen. The OpenID Connect
   * provider is asked about itself first, so it has an instance of its own: when it is slow, only its people wait.
   */
  function auth(at: string, provider?: string): Promise<Auth> {
    const isOidc = provider === 'oidc';
    const name = `${at} ${isOidc}`;
    const known = made.get(name);
    if (known) return known;
    const sources = providerSources(config, standIn && ((id) => standIn(id, at)));
    const providers = isOidc ? oidcProviders(db, config) : oauthProviders(db, sources);
    const fresh = authAt(at, { config, db, clock, mailer, cookies, passwords, providers, home: address, log });
    const ready = fresh.$context.then(() => fresh);
    made.set(name, ready);
    return ready;
  }

  /**
   * The address a browser is using: the public one, or on this machine one of its own names. It is chosen, never
   * copied from the request. Mail always uses `address()`.
   */
  function addressOf(request: FastifyRequest): string {
    const own = address();
    if (config.publicUrl !== null) return own;
    const { port } = new URL(own);
    return ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`).includes(String(request.headers.host))
      ? `http://${request.headers.host}`
      : own;
  }

  async function ownerOfResetLink(token: string): Promise<User | null> {
    const { internalAdapter } = await (await auth(address())).$context;
    const link = await internalAdapter.findVerificationValue(`reset-password:${token}`);
    return link && link.expiresAt.getTime() > clock() ? findUserById(db, link.value) : null;
  }

  async function makeLinkForNobody(): Promise<void> {
    const { internalAdapter } = await (await auth(address())).$context;
    const identifier = `reset-password:${randomUUID()}`;
    await internalAdapter.createVerificationValue({ identifier, value: 'nobody', expiresAt: new Date(clock()) });
  }

  /** Whoever signs in shows the password: the only time at which it can be kept at today's cost. */
  async function keepAtTodaysCost(userId: string, password: string): Promise<void> {
    const kept = await keptPasswordOf(db, userId);
    if (kept === null || !passwords.isDated(kept)) return;
    // It may have been changed since they signed in.
    if (!(await passwords.verify({ hash: kept, password }))) return;
    await keepPasswordAnew(db, userId, { kept, anew: await passwords.hash(password) }, clock());
  }

  /** After the answer is on its way. */
  function later(work: () => Promise<unknown>): void {
    const task = new Promise(setImmediate)
      .then(work)
      .catch((error: Error) => log.error({ about: error.name }, 'identity, after answering'))
      .finally(() => underWay.delete(task));
    underWay.add(task);
  }

  return {
    config,
    secret: identitySecret(config),
    cookies,
    mailer,
    address,
    addressOf,
    auth,
    ownerOfResetLink,
    makeLinkForNobody,
    keepAtTodaysCost,
    later,
    attempts: attemptLimits(db, identitySecret(config), clock, config.demo),
    knownBrowsers: knownBrowsers(config),
    async close() {
      await Promise.all(underWay);
      await mailer.close();
    },
  };
}

export type Identity = ReturnType<typeof makeIdentity>;
