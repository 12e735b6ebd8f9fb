import { randomUUID } from 'node:crypto';
import { type CallOptions, request, type TestApp } from '../src/testing.ts';

/** Opens a test browser, which keeps cookies and has its own IP address. */
export function openBrowser(test: TestApp, address = anAddress(), jar = new Map<string, string>()) {
  async function call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, options: CallOptions = {}) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await request(test, method, url.startsWith('http') ? pathOf(url) : url, {
      ...options,
      remoteAddress: address,
      headers: { ...(cookie && { cookie }), ...options.headers },
    });
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) storeCookie(line);
    return answer;
  }

  function storeCookie(line: string): void {
    const [pair = '', ...attributes] = line.split('; ');
    const at = pair.indexOf('=');
    if (attributes.includes('Max-Age=0')) jar.delete(pair.slice(0, at));
    else jar.set(pair.slice(0, at), pair.slice(at + 1));
  }

  const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
    call('POST', url, { body, headers });

  return {
    jar,
    address,
    call,
    get: (url: string, headers: Record<string, string> = {}) => call('GET', url, { headers }),
    post,
    signUp: (person: { email: string; name?: string; password?: string; returnTo?: string; rememberMe?: boolean }) =>
      post('/api/auth/sign-up/email', { name: 'Ann', password: PASSWORD, ...person }),
    signIn: (email: string, password = PASSWORD, more: object = {}) =>
      post('/api/auth/sign-in/email', { email, password, ...more }),
    /** Opens the page of a verification link and presses its button. */
    verify: (link: string | undefined) => post('/api/auth/verify-email', { token: tokenIn(link) }),
    user: async () => (await call('GET', '/api/auth/get-session')).json()?.user ?? null,
    /** Returns the status of a protected route: 200 when logged in. */
    may: async () => (await call('GET', '/all-inventory-items?limit=1')).statusCode,
    /** Logs in through the demo's OAuth server. Returns the response to the final callback. */
    async social(
      provider: string,
      person: { email: string; verified: boolean; name?: string },
      { returnTo = '/', rememberMe = true } = {},
    ) {
      const started = await post('/api/auth/sign-in/social', { provider, returnTo, rememberMe });
      const choose = new URL(started.json().url.replace('/authorize?', '/choose?'));
      choose.searchParams.set('name', person.name ?? 'Ines');
      choose.searchParams.set('email', person.email);
      if (person.verified) choose.searchParams.set('verified', 'on');
      const chosen = await call('GET', choose.href);
      return call('GET', String(chosen.headers.location));
    },
  };
}

export const PASSWORD = 'velvet anchor tulip 93';

export function anEmail(): string {
  return `${randomUUID()}@house.example`;
}

/**
 * How many addresses were given out. Each test browser gets a new one from 198.18.0.0/15, a range reserved for
 * benchmarks, so that no two tests share a rate limit.
 */
let used = 0;
export function anAddress(): string {
  used++;
  return `198.${18 + Math.floor(used / 65_536)}.${Math.floor(used / 256) % 256}.${used % 256}`;
}

/** Returns the token in the fragment of a link from an email. */
export function tokenIn(link: string | URL | undefined): string {
  return new URLSearchParams(new URL(link ?? '').hash.slice(1)).get('token') ?? '';
}

export function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}
