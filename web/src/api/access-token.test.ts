import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createAccessTokens, maintainTokenFor, withAccessToken } from './access-token.ts';
import { ApiProblem, callAs } from './client.ts';
import { storedAccessToken } from './session.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const refused = new ApiProblem('invalid_token', 401);

function testTokens() {
  let issued = 0;
  const fetchToken = vi.fn(async (_email: string) => ({ token: `token-${++issued}`, lifetimeMs: HOUR }));
  const signOut = vi.fn(async () => {});
  return { fetchToken, signOut, ...createAccessTokens({ fetchToken, signOut }) };
}

beforeEach(() => {
  vi.useFakeTimers();
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the access token', () => {
  test('is requested with the email address and stored under its name', async () => {
    const { fetchToken, maintainTokenFor } = testTokens();
    maintainTokenFor('a@example.com', () => {});
    await vi.advanceTimersByTimeAsync(0);
    expect(fetchToken).toHaveBeenCalledExactlyOnceWith('a@example.com');
    expect(localStorage.getItem('accessToken')).toBe('token-1');
  });

  test('is renewed before it expires', async () => {
    const { fetchToken, maintainTokenFor } = testTokens();
    maintainTokenFor('a@example.com', () => {});
    await vi.advanceTimersByTimeAsync(HOUR - 6 * MINUTE);
    expect(fetchToken).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    expect(localStorage.getItem('accessToken')).toBe('token-2');
    await vi.advanceTimersByTimeAsync(HOUR);
    expect(localStorage.getItem('accessToken')).toBe('token-3');
  });

  test('that expires at once is not requested in a loop', async () => {
    const { fetchToken, maintainTokenFor } = testTokens();
    fetchToken.mockResolvedValue({ token: 'short', lifetimeMs: -HOUR });
    maintainTokenFor('a@example.com', () => {});
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    expect(fetchToken.mock.calls.length).toBeLessThanOrEqual(11);
  });

  test('is requested again a minute after the server could not be reached', async () => {
    const { fetchToken, maintainTokenFor } = testTokens();
    const onSessionEnd = vi.fn();
    fetchToken.mockRejectedValueOnce(new ApiProblem('offline', 0));
    maintainTokenFor('a@example.com', onSessionEnd);
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(localStorage.getItem('accessToken')).toBe('token-1');
    expect(onSessionEnd).not.toHaveBeenCalled();
  });

  test('reports the end of the session when it is refused', async () => {
    const { fetchToken, maintainTokenFor } = testTokens();
    const onSessionEnd = vi.fn();
    fetchToken.mockRejectedValueOnce(new ApiProblem('not_signed_in', 401));
    maintainTokenFor('a@example.com', onSessionEnd);
    await vi.advanceTimersByTimeAsync(HOUR);
    expect(onSessionEnd).toHaveBeenCalledOnce();
    expect(fetchToken).toHaveBeenCalledOnce();
  });

  test('is removed on logout, and so is one in flight', async () => {
    const { fetchToken, maintainTokenFor } = testTokens();
    maintainTokenFor('a@example.com', () => {})();
    await vi.advanceTimersByTimeAsync(2 * HOUR);
    expect(storedAccessToken()).toBeNull();
    expect(fetchToken).toHaveBeenCalledOnce();
  });

  test('stays in memory where the browser refuses storage', async () => {
    vi.stubGlobal('localStorage', undefined);
    const { maintainTokenFor, withAccessToken } = testTokens();
    const stop = maintainTokenFor('a@example.com', () => {});
    await vi.advanceTimersByTimeAsync(0);
    await expect(withAccessToken(async (token) => token)).resolves.toBe('token-1');
    stop();
  });
});

describe('a call with the access token', () => {
  test('uses the stored token, which another tab may have renewed', async () => {
    const { fetchToken, maintainTokenFor, withAccessToken } = testTokens();
    maintainTokenFor('a@example.com', () => {});
    await vi.advanceTimersByTimeAsync(0);
    localStorage.setItem('accessToken', 'of-another-tab');
    await expect(withAccessToken(async (token) => token)).resolves.toBe('of-another-tab');
    expect(fetchToken).toHaveBeenCalledOnce();
  });

  test('waits for the first token', async () => {
    const { maintainTokenFor, withAccessToken } = testTokens();
    const result = withAccessToken(async (token) => token);
    await vi.advanceTimersByTimeAsync(10);
    maintainTokenFor('a@example.com', () => {});
    await expect(result).resolves.toBe('token-1');
  });

  test('is repeated once with a new token after a refusal', async () => {
    const { fetchToken, signOut, maintainTokenFor, withAccessToken } = testTokens();
    maintainTokenFor('a@example.com', () => {});
    await vi.advanceTimersByTimeAsync(0);
    const request = vi.fn(async (token: string) => {
      if (token === 'token-1') throw refused;
      return token;
    });
    await expect(withAccessToken(request)).resolves.toBe('token-2');
    expect(fetchToken).toHaveBeenCalledTimes(2);
    expect(signOut).not.toHaveBeenCalled();
  });

  test('requests refused at the same time share one new token', async () => {
    const { fetchToken, maintainTokenFor, withAccessToken } = testTokens();
    maintainTokenFor('a@example.com', () => {});
    await vi.advanceTimersByTimeAsync(0);
    const request = async (token: string) => {
      if (token === 'token-1') throw refused;
      return token;
    };
    await Promise.all([withAccessToken(request), withAccessToken(request), withAccessToken(request)]);
    expect(fetchToken).toHaveBeenCalledTimes(2);
  });

  test.each([401, 403])('refused twice with %i logs out', async (status) => {
    const { signOut, maintainTokenFor, withAccessToken } = testTokens();
    maintainTokenFor('a@example.com', () => {});
    const request = vi.fn(async () => {
      throw new ApiProblem('invalid_token', status);
    });
    await expect(withAccessToken(request)).rejects.toMatchObject({ status });
    expect(request).toHaveBeenCalledTimes(2);
    expect(signOut).toHaveBeenCalledOnce();
  });

  test('logs out when a new token is refused too', async () => {
    const { fetchToken, signOut, maintainTokenFor, withAccessToken } = testTokens();
    maintainTokenFor('a@example.com', () => {});
    await vi.advanceTimersByTimeAsync(0);
    fetchToken.mockRejectedValue(new ApiProblem('not_signed_in', 401));
    await expect(withAccessToken(() => Promise.reject(refused))).rejects.toMatchObject({ code: 'not_signed_in' });
    expect(signOut).toHaveBeenCalledOnce();
  });

  test('does not log out on any other failure', async () => {
    const { fetchToken, signOut, maintainTokenFor, withAccessToken } = testTokens();
    maintainTokenFor('a@example.com', () => {});
    await vi.advanceTimersByTimeAsync(0);
    const offline = new ApiProblem('offline', 0);
    await expect(withAccessToken(() => Promise.reject(offline))).rejects.toBe(offline);
    fetchToken.mockRejectedValue(offline);
    await expect(withAccessToken(() => Promise.reject(refused))).rejects.toBe(offline);
    expect(signOut).not.toHaveBeenCalled();
  });
});

test('a token refused because somebody else has logged in does not end that person’s session', async () => {
  const reload = vi.fn();
  vi.stubGlobal('location', { reload, assign: vi.fn() });
  const calls: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    calls.push(url);
    if (url === '/api/auth/get-session') return Response.json({ user: { id: 'otto' } });
    return Response.json({ code: 'not_signed_in' }, { status: 401 });
  });
  callAs({ id: 'ines' });
  const stop = maintainTokenFor('ines@example.com', () => {});
  await expect(withAccessToken(async () => Promise.reject(refused))).rejects.toThrow();
  stop();
  callAs(null);
  expect(calls).not.toContain('/api/auth/sign-out');
  expect(reload).toHaveBeenCalledOnce();
});

test('a refused token ends only the session of its own user, even if nobody knows who is logged in by then', async () => {
  vi.stubGlobal('location', { pathname: '/', search: '', hash: '', assign: vi.fn() });
  vi.stubGlobal('sessionStorage', { setItem: () => {} });
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      postMessage() {}
    },
  );
  const ended: unknown[] = [];
  vi.stubGlobal('fetch', async (url: string, { headers }: RequestInit) => {
    if (url === '/api/auth/sign-out') {
      ended.push(new Headers(headers).get('expected-user'));
      return Response.json({ success: true });
    }
    if (url === '/api/auth/get-session') {
      callAs({ id: 'otto' });
      throw new TypeError('Failed to fetch');
    }
    return Response.json({ code: 'not_signed_in' }, { status: 401 });
  });
  callAs({ id: 'ines' });
  const stop = maintainTokenFor('ines@example.com', () => {});
  await expect(withAccessToken(async () => Promise.reject(refused))).rejects.toThrow();
  stop();
  callAs(null);
  expect(ended).toEqual(['ines']);
});
