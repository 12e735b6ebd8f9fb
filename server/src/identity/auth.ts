import { betterAuth } from 'better-auth/minimal';
import { type GenericOAuthConfig, genericOAuth } from 'better-auth/plugins/generic-oauth';
import type { Config } from '../config.ts';
import type { Db } from '../db/core/database.ts';
import { emails } from '../mail/emails.ts';
import type { Mailer } from '../mail/mailer.ts';
import { adapterOn, tableNames } from './adapter.ts';
import { cookieName, identitySecret, isSecure, type SignInCookies } from './cookie.ts';
import { addressProven, SIGN_IN_LASTS_MS, signInId } from './identity.store.ts';
import { ownPath, withParameter } from './own-path.ts';
import type { Passwords } from './passwords.ts';

export const ADDRESS_HEADER = 'x-warehouse-client-address';
export const VERIFY_LINK_LASTS_S = 24 * 60 * 60;
const RESET_LINK_LASTS_S = 60 * 60;
type Parts = {
  config: Config;
  db: Db;
  clock: () => number;
  mailer: Mailer;
  cookies: SignInCookies;
  passwords: Passwords;
  providers: GenericOAuthConfig[];
  /** What links in mail begin with. */
  home: () => string;
  log: { error(facts: object, message: string): void };
};

/** better-auth, as we use it: passwords, links and providers. Limits, wording and routes are ours. */
export function authAt(
  address: string,
  { config, db, clock, mailer, cookies, passwords, providers, home, log }: Parts,
) {
  const prefix = cookieName(config);
  return betterAuth({
    appName: 'Perfume Warehouse',
    baseURL: address,
    basePath: '/api/auth',
    secret: identitySecret(config),
    trustedOrigins: [address],
    database: adapterOn(db, clock),
    user: tableNames.user,
    session: {
      ...tableNames.session,
      expiresIn: SIGN_IN_LASTS_MS / 1_000,
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
      // The contract counts characters as people do; here only the longest is checked again.
      minPasswordLength: 1,
      maxPasswordLength: 256,
      password: { hash: passwords.hash, verify: passwords.verify },
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: RESET_LINK_LASTS_S,
      async sendResetPassword({ user, url, token }) {
        // Its own link leads past us to the page where the new password is set; ours leads there at once.
        const page = ownPath(new URL(url).searchParams.get('callbackURL'), address);
        mailer.send(emails.reset(user.email, home() + withParameter(page, 'token', token)));
      },
      async onPasswordReset({ user }) {
        // The mail was read, so the address is theirs; what an unproven holder had set up ends.
        if (!user.emailVerified) await addressProven(db, user.id, null, clock());
        mailer.send(emails.passwordChanged(user.email, `${home()}/login`));
      },
    },
    emailVerification: {
      // Sent by us once the address is claimed; see sign-up.ts.
      sendOnSignUp: false,
      autoSignInAfterVerification: false,
      expiresIn: VERIFY_LINK_LASTS_S,
      async afterEmailVerification(user, request) {
        const token = cookies.tokenOf(request?.headers.get('cookie'));
        await addressProven(db, user.id, token && signInId(token), clock());
      },
    },
    plugins: [genericOAuth({ config: providers })],
    onAPIError: { errorURL: `${address}/login` },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    advanced: {
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      useSecureCookies: false,
      defaultCookieAttributes: { secure: isSecure(config), sameSite: 'lax', httpOnly: true, path: '/' },
      cookiePrefix: prefix,
      cookies: { session_token: { name: prefix } },
    },
    logger: {
      level: 'error',
      // Its messages quote addresses and links; that something failed is enough here, the route knows the rest.
      log: (_level, message) => log.error({ about: firstWords(message) }, 'identity'),
    },
  });
}

export type Auth = ReturnType<typeof authAt>;

/** Up to where its own words end and someone's values begin. */
function firstWords(message: unknown): string {
  return (
    String(message)
      .split(/[:"'`\n]/, 1)[0]
      ?.slice(0, 80) ?? ''
  );
}
