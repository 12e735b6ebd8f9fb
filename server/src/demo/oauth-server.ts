import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { emailKey } from '@perfume/domain/email';
import type { ProviderSource } from '../identity/providers.ts';
import type { Person } from './demo-pages.ts';

const CODE_LIFETIME_MS = 60 * 1_000;
const TOKEN_LIFETIME_MS = 10 * 60 * 1_000;
const MAX_KEPT = 1_000;

export type Provider = 'github' | 'google';
type Grant = {
  provider: Provider;
  person: Person;
  redirectUri: string;
  challenge: string;
  expiresAt: number;
  used: boolean;
  token: string | null;
};

/** A small OAuth 2.1 server: each code works once, for one client, one redirect URI and one PKCE verifier. */
export function oauthServer(clock: () => number) {
  const clientId = 'perfume-warehouse-demo';
  const clientSecret = randomBytes(24).toString('base64url');
  const grants = new Map<string, Grant>();
  const tokens = new Map<string, { provider: Provider; person: Person; expiresAt: number }>();

  function source(provider: Provider, address: string): ProviderSource {
    const base = `${address}/demo/oauth/${provider}`;
    return {
      id: provider,
      credentials: { clientId, clientSecret },
      urls: {
        authorize: `${base}/authorize`,
        token: `${base}/token`,
        userInfo: `${base}/${provider === 'github' ? 'user' : 'userinfo'}`,
        ...(provider === 'github' && { emails: `${base}/user/emails` }),
      },
    };
  }

  /** Why this authorization request is refused, or null. The browser is never redirected to an unknown URI. */
  function reasonToRefuse(query: Record<string, string>, redirectUri: string): string | null {
    if (query.client_id !== clientId) return 'Unknown client.';
    if (query.redirect_uri !== redirectUri) return 'The redirect URL is not registered.';
    if (query.response_type !== 'code') return 'Only the authorization code flow is supported.';
    if (query.code_challenge_method !== 'S256' || !/^[\w-]{43}$/.test(query.code_challenge ?? ''))
      return 'A PKCE challenge (S256) is required.';
    return null;
  }

  function grant(provider: Provider, query: Record<string, string>, person: Person): string {
    const code = randomBytes(24).toString('base64url');
    store(grants, code, {
      provider,
      person,
      redirectUri: query.redirect_uri ?? '',
      challenge: query.code_challenge ?? '',
      expiresAt: clock() + CODE_LIFETIME_MS,
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
    // A code used twice may have been stolen, so the token of its first use is revoked too.
    if (given?.used && given.token) tokens.delete(given.token);
    const isGood =
      given &&
      !given.used &&
      given.expiresAt > clock() &&
      given.provider === provider &&
      given.redirectUri === form.get('redirect_uri') &&
      given.challenge === hash('sha256', form.get('code_verifier') ?? '', 'base64url');
    if (given) given.used = true;
    if (!isGood) return { error: 'invalid_grant' } as const;
    const token = randomBytes(24).toString('base64url');
    given.token = token;
    store(tokens, token, { provider, person: given.person, expiresAt: clock() + TOKEN_LIFETIME_MS });
    return { access_token: token, token_type: 'Bearer', expires_in: TOKEN_LIFETIME_MS / 1_000 } as const;
  }

  function personOf(provider: Provider, authorization: string | undefined): (Person & { id: string }) | null {
    const found = tokens.get(/^Bearer ([\w-]+)$/i.exec(authorization ?? '')?.[1] ?? '');
    if (found?.provider !== provider || found.expiresAt <= clock()) return null;
    // No real provider has such an id: a person of the demo can never be taken for a person there.
    const id = `demo ${hash('sha256', `${provider} ${emailKey(found.person.email)}`, 'base64url')}`;
    return { ...found.person, id };
  }

  return { source, reasonToRefuse, grant, exchange, personOf };
}

export type OauthServer = ReturnType<typeof oauthServer>;

function store<T>(map: Map<string, T>, key: string, value: T): void {
  const [oldest] = map.keys();
  if (map.size >= MAX_KEPT && oldest !== undefined) map.delete(oldest);
  map.set(key, value);
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
