import { ApiProblem, withTimeout } from './client.ts';
import { isRetryable } from './query-client.ts';

const WAITS = [300, 1_000, 2_500];
/** An attempt without a reply in this time is repeated: the connection may be dead without an error. */
const PATIENCE_MS = 8_000;
/** A person who has to wait longer than this is told so instead. */
export const MAX_LIMITED_MS = 10_000;

/**
 * Repeats a request until the server answers. All attempts carry the same idempotency key, so the change is made only
 * once. When the device is back online, the next attempt is made at once. After the last attempt the problem is thrown;
 * whether the change was made is then unknown. When `cancel` aborts, rejects at once with its reason.
 */
export async function retryUntilAnswered<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  cancel?: AbortSignal,
): Promise<T> {
  for (const wait of WAITS) {
    try {
      return await withTimeout(PATIENCE_MS, attempt, cancel);
    } catch (problem) {
      const limitedMs = limitedForMs(problem);
      if (!isRetryable(problem) || limitedMs > MAX_LIMITED_MS) throw problem;
      await pause(Math.max(wait, limitedMs), limitedMs > 0, cancel);
    }
  }
  return withTimeout(PATIENCE_MS, attempt, cancel);
}

/** Waits, unless the attempts are cancelled or the device comes online meanwhile. Too many requests wait in any case. */
export async function pause(ms: number, isLimited: boolean, cancel?: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  cancel?.addEventListener('abort', () => resolve(), { once: true });
  const onOnline = () => resolve();
  if (!isLimited) globalThis.addEventListener?.('online', onOnline);
  await promise;
  clearTimeout(timer);
  globalThis.removeEventListener?.('online', onOnline);
}

/** How long the server asks this person to wait, after too many requests. */
export function limitedForMs(problem: unknown): number {
  return problem instanceof ApiProblem && problem.status === 429 ? (problem.retryAfter ?? 0) * 1_000 : 0;
}

/**
 * Returns a UUID of version 7. The key becomes the id of what it creates: since it begins with the time, what is created
 * together is stored together.
 */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const now = Date.now();
  const start = new DataView(bytes.buffer);
  start.setUint16(0, now / 2 ** 32);
  start.setUint32(2, now);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
