import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiProblem } from './client.ts';

const STALE_AFTER_MS = 60_000;

/** The cache of the dashboard. The change feed keeps it up to date, so refetching is rarely needed. */
export const queryClient = new QueryClient({
  // Failed queries are logged only here; the pages show the errors.
  queryCache: new QueryCache({ onError: (problem) => console.error(problem) }),
  defaultOptions: {
    queries: {
      staleTime: STALE_AFTER_MS,
      retry: (tries, problem) => tries < 2 && isRetryable(problem),
      retryDelay: (tries) => 300 * 3 ** tries,
      refetchOnWindowFocus: false,
      // The browser's offline flag is unreliable, so requests are always tried.
      networkMode: 'always',
      refetchOnReconnect: ({ state }) => state.status === 'error' && 'always',
    },
  },
});

/**
 * Whether a problem may be temporary: no reply, 503, a proxy that could not reach the server (502, 504), or too many
 * requests (429).
 */
export function isRetryable(problem: unknown): boolean {
  return problem instanceof ApiProblem && (problem.code === 'offline' || [429, 502, 503, 504].includes(problem.status));
}
