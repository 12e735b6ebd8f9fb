import { APIError } from 'better-auth/api';
import { betterAuth } from 'better-auth/minimal';
import { type GenericOAuthConfig, genericOAuth } from 'better-auth/plugins/generic-oauth';
import type { Config } from '../config.ts';
import type { Db } from '../db/core/database.ts';
import { Problem } from '../http/problem.ts';
import { emails } from '../mail/emails.ts';
import type { Mailer } from '../mail/mailer.ts';
import { authCall, databaseAdapter, tableNames } from './adapter.ts';
import { cookieName, identitySecret, isSecure } from './cookie.ts';
import {
  confirmEmail,
  endResetLinks,
  findUserById,
  isDisabled,
  SIGN_IN_LIFETIME_MS,
  sessionEnd,
} from './identity.store.ts';
import { useInvitation } from './invitations.store.ts';
import { ownPath } from './own-path.ts';
import type { PasswordHasher } from './passwords.ts';
import { offeredProviders } from './providers.ts';
import { signUpRefusal } from './sign-up-rules.ts';
import { hasSecondStep } from './two-step.store.ts';

export const IP_HEADER = 'x-warehouse-client-address';
export const VERIFY_LINK_LIFETIME_S = 24 * 60 * 60;
export const RESET_LINK_LIFETIME_S = 60 * 60;
type Parts = {
  config: Config;
  db: Db;
  clock: () => number;
  mailer: Mailer;
  passwords: PasswordHasher;
  providers: GenericOAuthConfig[];
  /** The origin of links in emails. */
  publicOrigin: () => string;
  log: { error(facts: object, message: string): void };
};

/**
 * Configures better-auth, which handles passwords, email links and providers. Rate limits, messages and routes are
 * ours.
 */
export function createAuth(
  origin: string,
  { config, db, clock, mailer, passwords, providers, publicOrigin, log }: Parts,
) {
  const prefix = cookieName(config);
  return betterAuth({
    appName: 'Perfume Warehouse',
    baseURL: origin,
    basePath: '/api/auth',
    secret: identitySecret(config.secret),
    trustedOrigins: [origin],
    database: databaseAdapter(db, clock),
    user: tableNames.user,
    databaseHooks: {
      session: {
        create: {
          /**
           * The cookie lasts as long as a session can. The session itself ends earlier if it is not used. Without
           * 'Remember me', better-auth gives it one day, which stays.
           */
          async before({ expiresAt, userId }) {
            if (await isDisabled(db, userId)) {
              const problem = new Problem('account_disabled');
              const call = authCall.getStore();
              if (call) call.error = problem;
              throw problem;
            }
            return { data: { expiresAt: new Date(Math.min(expiresAt.getTime(), sessionEnd(clock(), clock()))) } };
          },
        },
      },
      user: {
        create: {
          /** Refuses a new account. better-auth returns to the page where the login started, with this code. */
          async before({ email }, context) {
            if (isPasswordSignUp(context) || authCall.getStore()?.replaced === email) return;
            const code = await signUpRefusal(config, db, email, clock());
            if (code) throw new APIError('FORBIDDEN', { code });
          },
          async after({ id, email }, context) {
            const call = authCall.getStore();
            if (call) call.newUserId = id;
            if (!isPasswordSignUp(context)) await useInvitation(db, email);
          },
        },
      },
      account: {
        create: {
          /**
           * Refuses to link a provider to an account with a second step. A verified address proves only that somebody
           * reads its email, which must not replace the second step.
           */
          async before({ userId, providerId }) {
            if (providerId !== 'credential' && (await hasSecondStep(db, userId)))
              throw new APIError('FORBIDDEN', { code: 'account_not_linked' });
          },
          /** Tells the owner of an existing account that a provider now logs in to it. */
          async after({ userId, providerId }) {
            if (providerId === 'credential' || authCall.getStore()?.newUserId === userId) return;
            const user = await findUserById(db, userId);
            const provider = offeredProviders(config).find(({ id }) => id === providerId);
            if (user && provider)
              mailer.send(emails.providerLinked(user.email, provider.name, `${publicOrigin()}/login`));
          },
        },
      },
    },
    session: {
      ...tableNames.session,
      expiresIn: SIGN_IN_LIFETIME_MS / 1_000,
      disableSessionRefresh: true,
      cookieCache: { enabled: false },
    },
    account: {
      ...tableNames.account,
      updateAccountOnSignIn: false,
      accountLinking: { enabled: true, trustedProviders: [], requireLocalEmailVerified: true },
    },
    verification: { ...tableNames.verification, disableCleanup: true, storeIdentifier: 'hashed' },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: false,
      // The contract checks the length, in characters as people count them. This maximum is only a safe upper bound.
      minPasswordLength: 1,
      maxPasswordLength: 256,
      password: { hash: passwords.hash, verify: passwords.verify },
      // The adapter does that in the transaction that stores the password. better-auth would do it before.
      revokeSessionsOnPasswordReset: false,
      resetPasswordTokenExpiresIn: RESET_LINK_LIFETIME_S,
      async sendResetPassword({ user, url, token }) {
        // better-auth's link redirects to the page for the new password; ours opens that page directly.
        // The token is in the fragment, which no browser sends to a server.
        const [page] = ownPath(new URL(url).searchParams.get('callbackURL'), origin).split('#');
        mailer.send(emails.reset(user.email, `${publicOrigin()}${page}#token=${token}`));
      },
      async onPasswordReset({ user }) {
        // The reset link proves that this person owns the address.
        if (!user.emailVerified) await confirmEmail(db, user.id, clock());
        // Somebody else may have asked for other links.
        await endResetLinks(db, user.id);
        mailer.send(emails.passwordChanged(user.email, `${publicOrigin()}/login`));
      },
    },
    // We send the verification email ourselves, after the email address is claimed, and read its link: see sign-up.ts.
    emailVerification: { sendOnSignUp: false, autoSignInAfterVerification: false },
    plugins: [genericOAuth({ config: providers })],
    onAPIError: { errorURL: `${origin}/login` },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    advanced: {
      ipAddress: { ipAddressHeaders: [IP_HEADER] },
      useSecureCookies: false,
      defaultCookieAttributes: { secure: isSecure(config), sameSite: 'lax', httpOnly: true, path: '/' },
      cookiePrefix: prefix,
      cookies: { session_token: { name: prefix } },
    },
    logger: {
      level: 'error',
      // better-auth's messages quote email addresses and links, which must not be logged.
      log: (_level, message) => log.error({ about: firstWords(message) }, 'identity'),
    },
  });
}

export type Auth = ReturnType<typeof createAuth>;

/** Whether the account gets its real address later: see sign-up.ts, which applies the same rules to that address. */
function isPasswordSignUp(context: { path?: string } | null): boolean {
  return context?.path === '/sign-up/email';
}

/** Returns the fixed part of the message, before the first quoted value. */
function firstWords(message: unknown): string {
  return (
    String(message)
      .split(/[:"'`\n]/, 1)[0]
      ?.slice(0, 80) ?? ''
  );
}
