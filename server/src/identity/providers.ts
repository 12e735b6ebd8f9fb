import { imageField, type ProviderId } from '@perfume/contract/identity';
import { emailKey, isEmail } from '@perfume/domain/email';
import { countCharacters, firstCharacters, isSafeLine, normalText } from '@perfume/domain/text';
import type { GenericOAuthConfig } from 'better-auth/plugins/generic-oauth';
import type { Config, Credentials } from '../config.ts';
import type { Db } from '../db/core/database.ts';
import { replaceSquatter } from './identity.store.ts';

/** Where a provider is asked. The demo's stand-in differs in nothing else. */
export type ProviderPlaces = { authorize: string; token: string; userInfo: string; emails?: string };

export type ProviderSource = { id: 'github' | 'google'; credentials: Credentials; places: ProviderPlaces };

const github: ProviderPlaces = {
  authorize: 'https://github.com/login/oauth/authorize',
  token: 'https://github.com/login/oauth/access_token',
  userInfo: 'https://api.github.com/user',
  emails: 'https://api.github.com/user/emails',
};
const google: ProviderPlaces = {
  authorize: 'https://accounts.google.com/o/oauth2/v2/auth',
  token: 'https://oauth2.googleapis.com/token',
  userInfo: 'https://openidconnect.googleapis.com/v1/userinfo',
};

const ASK_WITHIN_MS = 10_000;
const NAME_MAX = 100;

/** What is configured; where nothing is, the demo's stand-in if there is one. */
export function providerSources(config: Config, standIn: ((id: 'github' | 'google') => ProviderSource) | null) {
  const real = { github, google };
  return (['github', 'google'] as const).flatMap((id): ProviderSource[] => {
    const credentials = config.providers[id];
    if (credentials) return [{ id, credentials, places: real[id] }];
    return standIn ? [standIn(id)] : [];
  });
}

/** The buttons to show. */
export function offeredProviders(config: Config): { id: ProviderId; name: string }[] {
  const standIn = hasStandIn(config);
  return [
    ...(config.providers.github || standIn ? [{ id: 'github' as const, name: 'GitHub' }] : []),
    ...(config.providers.google || standIn ? [{ id: 'google' as const, name: 'Google' }] : []),
    ...(config.providers.oidc ? [{ id: 'oidc' as const, name: config.providers.oidc.name }] : []),
  ];
}

/** Never where the public can reach it: it lets anyone be anyone. */
export function hasStandIn(config: Config): boolean {
  return config.demo && config.publicUrl === null;
}

export function oauthProviders(db: Db, sources: ProviderSource[]): GenericOAuthConfig[] {
  return sources.map(({ id, credentials, places }) => ({
    providerId: id,
    ...credentials,
    authorizationUrl: places.authorize,
    tokenUrl: places.token,
    userInfoUrl: places.userInfo,
    scopes: id === 'github' ? ['read:user', 'user:email'] : ['openid', 'email', 'profile'],
    pkce: true,
    ...(id === 'google' && { prompt: 'select_account' as const }),
    getUserInfo: ({ accessToken }) => askWhoIsIt(places, accessToken),
    mapProfileToUser: (profile) => proven(db, id, profile),
  }));
}

/** Its ID tokens are verified against the keys it publishes, and bound to the round trip by a nonce. */
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
      mapProfileToUser: (profile) => proven(db, 'oidc', { ...profile, id: profile.sub }),
    },
  ];
}

type Profile = Record<string, unknown>;

async function askWhoIsIt(places: ProviderPlaces, accessToken: string | undefined) {
  if (!accessToken) return null;
  const profile = await ask<Profile>(places.userInfo, accessToken);
  const id = profile?.id ?? profile?.sub;
  if (!profile || (typeof id !== 'string' && typeof id !== 'number')) return null;
  const own = places.emails ? await primaryEmail(places.emails, accessToken) : profile;
  return {
    id: String(id),
    email: typeof own?.email === 'string' ? own.email : '',
    emailVerified: own?.email_verified === true,
    email_verified: own?.email_verified === true,
    name: String(profile.name ?? profile.login ?? ''),
    image: profile.picture ?? profile.avatar_url,
  } as never;
}

/** GitHub tells of a person's addresses apart; only the primary one counts, and only if verified there. */
async function primaryEmail(url: string, accessToken: string): Promise<Profile | null> {
  const emails = await ask<Profile[]>(url, accessToken);
  const primary = Array.isArray(emails) ? emails.find((one) => one.primary === true) : undefined;
  return primary ? { email: primary.email, email_verified: primary.verified === true } : null;
}

async function ask<T>(url: string, accessToken: string): Promise<T | null> {
  const answer = await fetch(url, {
    headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json', 'user-agent': 'perfume-warehouse' },
    signal: AbortSignal.timeout(ASK_WITHIN_MS),
    redirect: 'error',
  });
  return answer.ok ? ((await answer.json()) as T) : null;
}

/** What of a provider's word we take, and whom it puts in their right. */
async function proven(db: Db, providerId: string, profile: Profile) {
  const email = typeof profile.email === 'string' ? emailKey(profile.email) : '';
  const emailVerified = profile.email_verified === true && isEmail(email);
  if (emailVerified) await replaceSquatter(db, { email, providerId, accountId: String(profile.id) });
  return {
    // Without an address that is one, better-auth refuses the sign-in.
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
