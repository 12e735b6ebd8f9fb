import type { Endpoints } from '@perfume/contract/endpoints';
import { call, callerHeaders, expectedUser, type Input } from './client.ts';
import { isRetryable } from './query-client.ts';

type Call<R extends keyof Endpoints> = ReturnType<typeof call<R>>;

let prefetched: { key: string; reply: Promise<unknown> } | null = null;
/** A call after this time needs newer data. */
const KEPT_MS = 10_000;

/**
 * Sends a GET request while the code that needs its data is still being loaded. `callOrPrefetched` gets the reply. Only
 * for the first page: later, the change feed could report changes that the reply does not contain.
 */
export function prefetch<R extends keyof Endpoints>(route: R, input: Input<Endpoints[R]>): void {
  const key = keyOf(route, input);
  if (expectedUser() === null || 'hydrated' in document.documentElement.dataset || prefetched?.key === key) return;
  const mine = { key, reply: call(route, input) };
  mine.reply.catch(() => {});
  prefetched = mine;
  setTimeout(() => {
    if (prefetched === mine) prefetched = null;
  }, KEPT_MS);
}

/** Does the same as `call`, with the reply to the same request if that was prefetched. */
export async function callOrPrefetched<R extends keyof Endpoints>(
  route: R,
  input: Input<Endpoints[R]>,
): Promise<Awaited<Call<R>>> {
  if (prefetched?.key !== keyOf(route, input)) return call(route, input);
  const reply = prefetched.reply as Call<R>;
  prefetched = null;
  try {
    return await reply;
  } catch (problem) {
    if (isRetryable(problem)) throw problem;
    // Repeated, because nobody listened for a lost session or house yet.
    return call(route, input);
  }
}

function keyOf(route: string, { params, query }: { params?: unknown; query?: unknown }): string {
  return JSON.stringify([route, params, query, callerHeaders()]);
}
