import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiProblem } from './client.ts';
import { newIdempotencyKey, retryUntilAnswered } from './retry.ts';

const offline = new ApiProblem('offline', 0);
const busy = new ApiProblem('overloaded', 503);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a change that is retried until answered', () => {
  test('is sent once when it is answered', async () => {
    const attempt = vi.fn(async () => 'done');
    await expect(retryUntilAnswered(attempt)).resolves.toBe('done');
    expect(attempt).toHaveBeenCalledOnce();
  });

  test('is sent again after no response or a 503', async () => {
    const attempt = vi.fn().mockRejectedValueOnce(offline).mockRejectedValueOnce(busy).mockResolvedValue('done');
    const outcome = retryUntilAnswered(attempt);
    await vi.advanceTimersByTimeAsync(300);
    expect(attempt).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(1_000);
    await expect(outcome).resolves.toBe('done');
    expect(attempt).toHaveBeenCalledTimes(3);
  });

  test.each([502, 504])('is sent again after %i from a proxy', async (status) => {
    const attempt = vi.fn().mockRejectedValueOnce(new ApiProblem('internal', status)).mockResolvedValue('done');
    const outcome = retryUntilAnswered(attempt);
    await vi.advanceTimersByTimeAsync(300);
    await expect(outcome).resolves.toBe('done');
  });

  test('is sent again when the server says so after too many requests, unless that takes long', async () => {
    const limited = (retryAfter: number) => new ApiProblem('too_many', 429, { retryAfter });
    const attempt = vi.fn().mockRejectedValueOnce(limited(4)).mockResolvedValue('done');
    const outcome = retryUntilAnswered(attempt);
    await vi.advanceTimersByTimeAsync(3_999);
    expect(attempt).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(1);
    await expect(outcome).resolves.toBe('done');
    await expect(retryUntilAnswered(async () => Promise.reject(limited(60)))).rejects.toMatchObject({ retryAfter: 60 });
  });

  test('is sent again at once when the device is back online', async () => {
    const device = new EventTarget();
    vi.stubGlobal('addEventListener', device.addEventListener.bind(device));
    vi.stubGlobal('removeEventListener', device.removeEventListener.bind(device));
    const attempt = vi.fn().mockRejectedValueOnce(offline).mockResolvedValue('done');
    const outcome = retryUntilAnswered(attempt);
    await vi.advanceTimersByTimeAsync(0);
    device.dispatchEvent(new Event('online'));
    await expect(outcome).resolves.toBe('done');
  });

  test('is not sent again after a refusal', async () => {
    const attempt = vi.fn().mockRejectedValue(new ApiProblem('out_of_stock', 409));
    await expect(retryUntilAnswered(attempt)).rejects.toMatchObject({ code: 'out_of_stock' });
    expect(attempt).toHaveBeenCalledOnce();
  });

  test('gives up after the fourth try with the last problem', async () => {
    const attempt = vi.fn().mockRejectedValueOnce(busy).mockRejectedValue(offline);
    const outcome = expect(retryUntilAnswered(attempt)).rejects.toBe(offline);
    await vi.advanceTimersByTimeAsync(4_000);
    await outcome;
    expect(attempt).toHaveBeenCalledTimes(4);
  });

  test('does not wait forever on a dead connection', async () => {
    const attempt = vi.fn(
      (signal: AbortSignal) =>
        new Promise<string>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    const outcome = retryUntilAnswered(attempt);
    await vi.advanceTimersByTimeAsync(8_000);
    expect(attempt).toHaveBeenCalledOnce();
    attempt.mockResolvedValue('done');
    await vi.advanceTimersByTimeAsync(300);
    await expect(outcome).resolves.toBe('done');
  });

  test('throws offline when the connection stayed dead to the last try', async () => {
    const attempt = (signal: AbortSignal) =>
      new Promise<string>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const outcome = expect(retryUntilAnswered(attempt)).rejects.toMatchObject({ code: 'offline' });
    await vi.advanceTimersByTimeAsync(40_000);
    await outcome;
  });
});

describe('a change that is cancelled', () => {
  test.each([
    ['while it waits for an answer', 0],
    ['while it waits for the next try', 8_100],
  ])('ends at once %s', async (_, after) => {
    const attempt = vi.fn(() => new Promise<string>(() => {}));
    const cancel = new AbortController();
    const outcome = expect(retryUntilAnswered(attempt, cancel.signal)).rejects.toThrow('enough');
    await vi.advanceTimersByTimeAsync(after);
    cancel.abort(new Error('enough'));
    await vi.advanceTimersByTimeAsync(0);
    await outcome;
  });
});

describe('an idempotency key', () => {
  const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

  test('is a UUID, and never the same twice', () => {
    const keys = Array.from({ length: 100 }, newIdempotencyKey);
    for (const key of keys) expect(key).toMatch(UUID);
    expect(new Set(keys).size).toBe(100);
    vi.setSystemTime('2031-05-06T07:08:09.123Z');
    const [time, rest] = newIdempotencyKey()
      .replace('-', '')
      .split(/(?<=^.{12})-/);
    expect(Number.parseInt(time ?? '', 16)).toBe(Date.parse('2031-05-06T07:08:09.123Z'));
    expect(rest).toMatch(/^7/);
  });
});
