import { imageField, type ProviderId } from '@perfume/contract/identity';
import { emailKey, isEmail } from '@perfume/domain/email';
import { countCharacters, firstCharacters, isSafeLine, normalText } from '@perfume/domain/text';
import type { GenericOAuthConfig } from 'better-auth/plugins/generic-oauth';
import type { Config, Credentials } from '../config.ts';
import type { Db } from '../db/core/database.ts';
import { authCall } from './adapter.ts';
import { adoptOidcAccounts, replaceSquatter } from './identity.store.ts';

/** The endpoints of a provider, or of the stand-in that replaces it in the demo. */
export type ProviderUrls = { authorize: string; token: string; userInfo: string; emails?: string };

export type ProviderSource = { id: 'github' | 'google'; credentials: Credentials; urls: ProviderUrls };

const github: ProviderUrls = {
  authorize: 'https://github.com/login/oauth/authorize',
  token: 'https://github.com/login/oauth/access_token',
  userInfo: 'https://api.github.com/user',
  emails: 'https://api.github.com/user/emails',
};
const google: ProviderUrls = {
  authorize: 'https://accounts.google.com/o/oauth2/v2/auth',
  token: 'https://oauth2.googleapis.com/token',
  userInfo: 'https://openidconnect.googleapis.com/v1/userinfo',
};

const TIMEOUT_MS = 10_000;
const NAME_MAX = 100;

/**
 * Returns the configured providers and, for each one that is not configured, the stand-in of the demo if there is one.
 */
export function providerSources(config: Config, standIn: ((id: 'github' | 'google') => ProviderSource) | null) {
  const real = { github, google };
  return (['github', 'google'] as const).flatMap((id): ProviderSource[] => {
    const credentials = config.providers[id];
    if (credentials) return [{ id, credentials, urls: real[id] }];
    return standIn ? [standIn(id)] : [];
  });
}

/** Returns the providers that get a button on the login page. */
export function offeredProviders(config: Config): { id: ProviderId; name: string }[] {
  const standIn = hasStandIn(config);
  return [
    ...(config.providers.github || standIn ? [{ id: 'github' as const, name: 'GitHub' }] : []),
    ...(config.providers.google || standIn ? [{ id: 'google' as const, name: 'Google' }] : []),
    ...(config.providers.oidc ? [{ id: 'oidc' as const, name: config.providers.oidc.name }] : []),
  ];
}

/**
 * Whether stand-ins replace real providers. Never on a public address, because a stand-in lets anyone log in as anyone.
 */
export function hasStandIn(config: Config): boolean {
  return config.demo && config.publicUrl === null;
}

export function oauthProviders(db: Db, sources: ProviderSource[]): GenericOAuthConfig[] {
  return sources.map(({ id, credentials, urls }) => ({
    providerId: id,
    ...credentials,
    authorizationUrl: urls.authorize,
    tokenUrl: urls.token,
    userInfoUrl: urls.userInfo,
    scopes: id === 'github' ? ['read:user', 'user:email'] : ['openid', 'email', 'profile'],
    pkce: true,
    ...(id === 'google' && { prompt: 'select_account' as const }),
    getUserInfo: ({ accessToken }) => fetchProfile(urls, accessToken),
    mapProfileToUser: (profile) => toUser(db, id, profile),
  }));
}

/**
 * Configures the OpenID Connect provider. Its ID tokens are verified with the keys that it publishes, and bound to the
 * request by a nonce. A person is known by issuer and subject: another issuer may give the same subject to somebody else.
 */
export function oidcProviders(db: Db, config: Config): GenericOAuthConfig[] {
  const { oidc } = config.providers;
  if (!oidc) return [];
  return [
    {
      providerId: 'oidc',
      name: oidc.name,
      clientId: oidc.clientId,
      clientSecret: oidc.clientSecret,
      discoveryUrl: `${oidc.issuer}/.well-known/openid-configuration`,
      scopes: ['openid', 'email', 'profile'],
      pkce: true,
      requireIdTokenVerification: true,
      disableProviderLogout: true,
      accountSubject: ({ profile }) => oidcAccountId(oidc.issuer, profile),
      mapProfileToUser: (profile) => toUser(db, 'oidc', { ...profile, id: oidcAccountId(oidc.issuer, profile) }),
    },
  ];
}

/** Returns an empty id when the subject is missing; better-auth then refuses the login. */
function oidcAccountId(issuer: string, { sub }: Profile): string {
  return typeof sub === 'string' && sub !== '' ? `${issuer} ${sub}` : '';
}

/** Adds the configured issuer to accounts of earlier versions, which stored the subject alone. */
export async function nameIssuerOfOldAccounts(db: Db, { providers }: Config): Promise<void> {
  if (providers.oidc) await adoptOidcAccounts(db, providers.oidc.issuer);
}

type Profile = Record<string, unknown>;

async function fetchProfile(urls: ProviderUrls, accessToken: string | undefined) {
  if (!accessToken) return null;
  const profile = await fetchJson<Profile>(urls.userInfo, accessToken);
  const id = profile?.id ?? profile?.sub;
  if (!profile || (typeof id !== 'string' && typeof id !== 'number')) return null;
  const own = urls.emails ? await primaryEmail(urls.emails, accessToken) : profile;
  return {
    id: String(id),
    email: typeof own?.email === 'string' ? own.email : '',
    emailVerified: own?.email_verified === true,
    email_verified: own?.email_verified === true,
    name: String(profile.name ?? profile.login ?? ''),
    image: profile.picture ?? profile.avatar_url,
  } as never;
}

/**
 * Returns the primary email address from GitHub, which lists addresses at a separate endpoint, and whether GitHub has
 * verified it.
 */
async function primaryEmail(url: string, accessToken: string): Promise<Profile | null> {
  const emails = await fetchJson<Profile[]>(url, accessToken);
  const primary = Array.isArray(emails) ? emails.find((one) => one.primary === true) : undefined;
  return primary ? { email: primary.email, email_verified: primary.verified === true } : null;
}

async function fetchJson<T>(url: string, accessToken: string): Promise<T | null> {
  const answer = await fetch(url, {
    headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json', 'user-agent': 'perfume-warehouse' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'error',
  });
  return answer.ok ? ((await answer.json()) as T) : null;
}

/**
 * Maps the provider's profile to a user. If the provider has verified the address, an unverified account with that
 * address is deleted.
 */
async function toUser(db: Db, providerId: string, profile: Profile) {
  const email = typeof profile.email === 'string' ? emailKey(profile.email) : '';
  const emailVerified = profile.email_verified === true && isEmail(email);
  if (emailVerified && (await replaceSquatter(db, { email, providerId, accountId: String(profile.id) }))) {
    const call = authCall.getStore();
    if (call) call.replaced = email;
  }
  return {
    // With an empty email address, better-auth refuses the login.
    email: isEmail(email) ? email : '',
    emailVerified,
    name: nameFrom(profile.name, email),
    image: pictureFrom(profile.picture ?? profile.image),
  };
}

function nameFrom(given: unknown, email: string): string {
  const name = typeof given === 'string' ? firstCharacters(normalText(given), NAME_MAX) : '';
  return countCharacters(name) > 0 && isSafeLine(name) ? name : (email.split('@')[0] ?? '');
}

function pictureFrom(given: unknown): string | undefined {
  return imageField.safeParse(given).data;
}
