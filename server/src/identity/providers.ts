import { imageField, type ProviderId } from '@perfume/contract/identity';
import { emailKey, isEmail } from '@perfume/domain/email';
import { isSafeLine } from '@perfume/domain/safe-text';
import { countCharacters, firstCharacters, normalText } from '@perfume/domain/text';
import type { GenericOAuthConfig } from 'better-auth/plugins/generic-oauth';
import { decodeJwt } from 'jose';
import type { Config, Credentials, OidcProvider } from '../config.ts';
import type { Db } from '../db/core/database.ts';
import { authCall } from './adapter.ts';
import { adoptOidcAccounts, replaceSquatter } from './identity.store.ts';
import type { OidcMetadata } from './oidc-metadata.ts';
import { fetchFromProvider } from './provider-fetch.ts';

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
    getToken: (returned) => exchangeCode(urls.token, credentials, returned),
    getUserInfo: ({ accessToken }) => fetchProfile(urls, accessToken),
    mapProfileToUser: (profile) => toUser(db, id, profile),
  }));
}

/**
 * Configures the OpenID Connect provider. Its ID tokens are verified in `verifyIdTokens`. A person is known by issuer
 * and subject: another issuer may give the same subject to somebody else.
 */
export function oidcProviders(db: Db, oidc: OidcProvider, metadata: OidcMetadata): GenericOAuthConfig[] {
  return [
    {
      providerId: 'oidc',
      name: oidc.name,
      clientId: oidc.clientId,
      clientSecret: oidc.clientSecret,
      authorizationUrl: metadata.authorization_endpoint,
      tokenUrl: metadata.token_endpoint,
      scopes: ['openid', 'email', 'profile'],
      pkce: true,
      disableProviderLogout: true,
      getToken: (returned) => exchangeCode(metadata.token_endpoint, oidc, returned),
      getUserInfo: (tokens) => fetchClaims(metadata.userinfo_endpoint, tokens),
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

type Tokens = { accessToken?: string | undefined; idToken?: string | undefined };

/**
 * Returns what the ID token says about the person; better-auth has verified it before. If the address is not in it, it
 * comes from the provider's endpoint, for the same subject only, and so does whether the address is verified.
 */
async function fetchClaims(url: string | undefined, { accessToken, idToken }: Tokens) {
  if (!idToken) return null;
  let claims: Profile = decodeJwt(idToken);
  if (!claims.email && url && accessToken) {
    const more = await fetchJson<Profile>(url, accessToken);
    if (more && more.sub === claims.sub)
      claims = { ...more, ...claims, email: more.email, email_verified: more.email_verified };
  }
  return { ...claims, emailVerified: claims.email_verified === true, image: claims.picture } as never;
}

/** Exchanges the code that the browser brought back for tokens. */
async function exchangeCode(
  url: string,
  { clientId, clientSecret }: Credentials,
  { code, redirectURI, codeVerifier = '' }: { code: string; redirectURI: string; codeVerifier?: string | undefined },
): Promise<Tokens> {
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectURI, code_verifier: codeVerifier };
  const body = new URLSearchParams({ ...form, client_id: clientId, client_secret: clientSecret });
  const tokens = await fetchFromProvider<Profile>(url, { method: 'POST', body });
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return { accessToken: text(tokens?.access_token), idToken: text(tokens?.id_token) };
}

/** Without a usable response the result is null, and better-auth refuses the login. */
function fetchJson<T>(url: string, accessToken: string): Promise<T | null> {
  return fetchFromProvider<T>(url, { headers: { authorization: `Bearer ${accessToken}` } }).catch(() => null);
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
