import { ApiProblem } from './client.ts';
import { isPassing } from './query-client.ts';

const WAITS = [300, 1_000, 2_500];
/** A try that hears nothing for so long is given up and made again: the line may be dead without saying so. */
const PATIENCE = 8_000;

/**
 * Repeats a change until there is an answer. Each try carries the same idempotency key, so however often it is sent,
 * it is done once. When even the last try is not answered, that is thrown: then nobody here knows whether it was done.
 */
export async function insist<T>(attempt: (signal: AbortSignal) => Promise<T>): Promise<T> {
  for (const wait of WAITS) {
    try {
      return await withPatience(attempt);
    } catch (problem) {
      if (!isPassing(problem)) throw problem;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
  return withPatience(attempt);
}

async function withPatience<T>(attempt: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE);
  try {
    return await attempt(patience.signal);
  } catch (problem) {
    throw patience.signal.aborted ? new ApiProblem('offline', 0) : problem;
  } finally {
    clearTimeout(timer);
  }
}

/** An idempotency key: a UUID. Not by `crypto.randomUUID`, which browsers withhold from pages opened over plain http. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
