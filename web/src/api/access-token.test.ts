import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { accessTokens } from './access-token.ts';
import { ApiProblem } from './client.ts';
import { storedAccessToken } from './session.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const refused = new ApiProblem('invalid_token', 401);

function desk() {
  let issued = 0;
  const ask = vi.fn(async (_email: string) => ({ token: `token-${++issued}`, lastsMs: HOUR }));
  const leave = vi.fn(async () => {});
  return { ask, leave, ...accessTokens({ ask, leave }) };
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
  test('is asked for with the e-mail address and kept under its name', async () => {
    const { ask, keepFor } = desk();
    keepFor('a@example.com', () => {});
    await vi.advanceTimersByTimeAsync(0);
    expect(ask).toHaveBeenCalledExactlyOnceWith('a@example.com');
    expect(localStorage.getItem('accessToken')).toBe('token-1');
  });

  test('is renewed before it runs out', async () => {
    const { ask, keepFor } = desk();
    keepFor('a@example.com', () => {});
    await vi.advanceTimersByTimeAsync(HOUR - 6 * MINUTE);
    expect(ask).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    expect(localStorage.getItem('accessToken')).toBe('token-2');
    await vi.advanceTimersByTimeAsync(HOUR);
    expect(localStorage.getItem('accessToken')).toBe('token-3');
  });

  test('that lasts no time at all is not asked for in a rush', async () => {
    const { ask, keepFor } = desk();
    ask.mockResolvedValue({ token: 'short', lastsMs: -HOUR });
    keepFor('a@example.com', () => {});
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    expect(ask.mock.calls.length).toBeLessThanOrEqual(11);
  });

  test('is asked for again a minute after the server could not be reached', async () => {
    const { ask, keepFor } = desk();
    const ended = vi.fn();
    ask.mockRejectedValueOnce(new ApiProblem('offline', 0));
    keepFor('a@example.com', ended);
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(localStorage.getItem('accessToken')).toBe('token-1');
    expect(ended).not.toHaveBeenCalled();
  });

  test('that is refused tells that the sign-in has ended', async () => {
    const { ask, keepFor } = desk();
    const ended = vi.fn();
    ask.mockRejectedValueOnce(new ApiProblem('not_signed_in', 401));
    keepFor('a@example.com', ended);
    await vi.advanceTimersByTimeAsync(HOUR);
    expect(ended).toHaveBeenCalledOnce();
    expect(ask).toHaveBeenCalledOnce();
  });

  test('is gone after signing out, and so is one that was on its way', async () => {
    const { ask, keepFor } = desk();
    keepFor('a@example.com', () => {})();
    await vi.advanceTimersByTimeAsync(2 * HOUR);
    expect(storedAccessToken()).toBeNull();
    expect(ask).toHaveBeenCalledOnce();
  });

  test('stays in memory where the browser refuses storage', async () => {
    vi.stubGlobal('localStorage', undefined);
    const { keepFor, withAccessToken } = desk();
    const stop = keepFor('a@example.com', () => {});
    await vi.advanceTimersByTimeAsync(0);
    await expect(withAccessToken(async (token) => token)).resolves.toBe('token-1');
    stop();
  });
});

describe('a call with the access token', () => {
  test('takes the kept one, which another tab may have renewed', async () => {
    const { ask, keepFor, withAccessToken } = desk();
    keepFor('a@example.com', () => {});
    await vi.advanceTimersByTimeAsync(0);
    localStorage.setItem('accessToken', 'of-another-tab');
    await expect(withAccessToken(async (token) => token)).resolves.toBe('of-another-tab');
    expect(ask).toHaveBeenCalledOnce();
  });

  test('waits for the first one', async () => {
    const { keepFor, withAccessToken } = desk();
    const answer = withAccessToken(async (token) => token);
    await vi.advanceTimersByTimeAsync(10);
    keepFor('a@example.com', () => {});
    await expect(answer).resolves.toBe('token-1');
  });

  test('that is refused is made once more with a new one', async () => {
    const { ask, leave, keepFor, withAccessToken } = desk();
    keepFor('a@example.com', () => {});
    await vi.advanceTimersByTimeAsync(0);
    const calling = vi.fn(async (token: string) => {
      if (token === 'token-1') throw refused;
      return token;
    });
    await expect(withAccessToken(calling)).resolves.toBe('token-2');
    expect(ask).toHaveBeenCalledTimes(2);
    expect(leave).not.toHaveBeenCalled();
  });

  test('many refused at once ask for one new token together', async () => {
    const { ask, keepFor, withAccessToken } = desk();
    keepFor('a@example.com', () => {});
    await vi.advanceTimersByTimeAsync(0);
    const calling = async (token: string) => {
      if (token === 'token-1') throw refused;
      return token;
    };
    await Promise.all([withAccessToken(calling), withAccessToken(calling), withAccessToken(calling)]);
    expect(ask).toHaveBeenCalledTimes(2);
  });

  test.each([401, 403])('refused twice with %i signs out', async (status) => {
    const { leave, keepFor, withAccessToken } = desk();
    keepFor('a@example.com', () => {});
    const calling = vi.fn(async () => {
      throw new ApiProblem('invalid_token', status);
    });
    await expect(withAccessToken(calling)).rejects.toMatchObject({ status });
    expect(calling).toHaveBeenCalledTimes(2);
    expect(leave).toHaveBeenCalledOnce();
  });

  test('signs out when not even a new token is given', async () => {
    const { ask, leave, keepFor, withAccessToken } = desk();
    keepFor('a@example.com', () => {});
    await vi.advanceTimersByTimeAsync(0);
    ask.mockRejectedValue(new ApiProblem('not_signed_in', 401));
    await expect(withAccessToken(() => Promise.reject(refused))).rejects.toMatchObject({ code: 'not_signed_in' });
    expect(leave).toHaveBeenCalledOnce();
  });

  test('that fails otherwise signs nobody out', async () => {
    const { ask, leave, keepFor, withAccessToken } = desk();
    keepFor('a@example.com', () => {});
    await vi.advanceTimersByTimeAsync(0);
    const offline = new ApiProblem('offline', 0);
    await expect(withAccessToken(() => Promise.reject(offline))).rejects.toBe(offline);
    ask.mockRejectedValue(offline);
    await expect(withAccessToken(() => Promise.reject(refused))).rejects.toBe(offline);
    expect(leave).not.toHaveBeenCalled();
  });
});
