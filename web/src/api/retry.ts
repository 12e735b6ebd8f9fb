import { withTimeout } from './client.ts';
import { isRetryable } from './query-client.ts';

const WAITS = [300, 1_000, 2_500];
/** A try that hears nothing for so long is given up and made again: the line may be dead without saying so. */
const PATIENCE_MS = 8_000;

/**
 * Repeats a change until there is an answer. Each try carries the same idempotency key, so however often it is sent,
 * it is done once. When even the last try is not answered, that is thrown: then nobody here knows whether it was done.
 * `cancel` ends it at once, with its reason.
 */
export async function retryUntilAnswered<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  cancel?: AbortSignal,
): Promise<T> {
  for (const wait of WAITS) {
    try {
      return await withTimeout(PATIENCE_MS, attempt, cancel);
    } catch (problem) {
      if (!isRetryable(problem)) throw problem;
      await new Promise((resolve) => {
        setTimeout(resolve, wait);
        cancel?.addEventListener('abort', resolve);
      });
    }
  }
  return withTimeout(PATIENCE_MS, attempt, cancel);
}

/** An idempotency key: a UUID. Not by `crypto.randomUUID`, which browsers withhold from pages opened over plain http. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
