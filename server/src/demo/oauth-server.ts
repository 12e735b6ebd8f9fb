import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { emailKey } from '@perfume/domain/email';
import type { ProviderSource } from '../identity/providers.ts';
import type { Person } from './demo-pages.ts';

const CODE_LASTS_MS = 60 * 1_000;
const TOKEN_LASTS_MS = 10 * 60 * 1_000;
const MOST_KEPT = 1_000;

export type Provider = 'github' | 'google';
type Grant = {
  provider: Provider;
  person: Person;
  redirectUri: string;
  challenge: string;
  until: number;
  used: boolean;
  token: string | null;
};

/** OAuth 2.1 in small: codes that work once, for one client, one redirect address and one PKCE verifier. */
export function oauthServer(clock: () => number) {
  const clientId = 'perfume-warehouse-demo';
  const clientSecret = randomBytes(24).toString('base64url');
  const grants = new Map<string, Grant>();
  const tokens = new Map<string, { provider: Provider; person: Person; until: number }>();

  function source(provider: Provider, address: string): ProviderSource {
    const base = `${address}/demo/oauth/${provider}`;
    return {
      id: provider,
      credentials: { clientId, clientSecret },
      places: {
        authorize: `${base}/authorize`,
        token: `${base}/token`,
        userInfo: `${base}/${provider === 'github' ? 'user' : 'userinfo'}`,
        ...(provider === 'github' && { emails: `${base}/user/emails` }),
      },
    };
  }

  /** Why this request for a code cannot be granted, or null. An unknown client or address is never sent anywhere. */
  function fault(query: Record<string, string>, redirectUri: string): string | null {
    if (query.client_id !== clientId) return 'Unknown client.';
    if (query.redirect_uri !== redirectUri) return 'The redirect URL is not registered.';
    if (query.response_type !== 'code') return 'Only the authorization code flow is supported.';
    if (query.code_challenge_method !== 'S256' || !/^[\w-]{43}$/.test(query.code_challenge ?? ''))
      return 'A PKCE challenge (S256) is required.';
    return null;
  }

  function grant(provider: Provider, query: Record<string, string>, person: Person): string {
    const code = randomBytes(24).toString('base64url');
    keep(grants, code, {
      provider,
      person,
      redirectUri: query.redirect_uri ?? '',
      challenge: query.code_challenge ?? '',
      until: clock() + CODE_LASTS_MS,
      used: false,
      token: null,
    });
    return code;
  }

  function exchange(provider: Provider, form: URLSearchParams, basic: string | undefined) {
    const [user, pass] = credentialsOf(form, basic);
    if (user !== clientId || !isSame(pass, clientSecret)) return { error: 'invalid_client' } as const;
    if (form.get('grant_type') !== 'authorization_code') return { error: 'unsupported_grant_type' } as const;
    const given = grants.get(form.get('code') ?? '');
    // A code that comes twice was stolen by one of the two: what the first got ends as well.
    if (given?.used && given.token) tokens.delete(given.token);
    const isGood =
      given &&
      !given.used &&
      given.until > clock() &&
      given.provider === provider &&
      given.redirectUri === form.get('redirect_uri') &&
      given.challenge === hash('sha256', form.get('code_verifier') ?? '', 'base64url');
    if (given) given.used = true;
    if (!isGood) return { error: 'invalid_grant' } as const;
    const token = randomBytes(24).toString('base64url');
    given.token = token;
    keep(tokens, token, { provider, person: given.person, until: clock() + TOKEN_LASTS_MS });
    return { access_token: token, token_type: 'Bearer', expires_in: TOKEN_LASTS_MS / 1_000 } as const;
  }

  function whoHas(provider: Provider, authorization: string | undefined): (Person & { id: number }) | null {
    const found = tokens.get(/^Bearer ([\w-]+)$/i.exec(authorization ?? '')?.[1] ?? '');
    if (found?.provider !== provider || found.until <= clock()) return null;
    const digest = hash('sha256', `${provider} ${emailKey(found.person.email)}`, 'buffer');
    return { ...found.person, id: digest.readUIntBE(0, 6) };
  }

  return { source, fault, grant, exchange, whoHas };
}

export type OauthServer = ReturnType<typeof oauthServer>;

function keep<T>(store: Map<string, T>, key: string, value: T): void {
  const [oldest] = store.keys();
  if (store.size >= MOST_KEPT && oldest !== undefined) store.delete(oldest);
  store.set(key, value);
}

function credentialsOf(form: URLSearchParams, basic: string | undefined): [string, string] {
  const encoded = /^Basic (.+)$/i.exec(basic ?? '')?.[1];
  if (!encoded) return [form.get('client_id') ?? '', form.get('client_secret') ?? ''];
  const [user = '', pass = ''] = Buffer.from(encoded, 'base64').toString().split(':');
  return [decodeURIComponent(user), decodeURIComponent(pass)];
}

function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'));
}
