import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiProblem } from './client.ts';

const FRESH_MS = 60_000;

/** What the dashboard knows. The change feed keeps it fresh, so nothing is asked for twice without a reason. */
export const queryClient = new QueryClient({
  // Every failed read is logged here and nowhere else; the screens show it.
  queryCache: new QueryCache({ onError: (problem) => console.error(problem) }),
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: (tries, problem) => tries < 2 && isRetryable(problem),
      retryDelay: (tries) => 300 * 3 ** tries,
      refetchOnWindowFocus: false,
      // Being told "offline" by the machine is not the same as not reaching the server: we ask and see.
      networkMode: 'always',
      refetchOnReconnect: ({ state }) => state.status === 'error' && 'always',
    },
  },
});

/** Worth another try: there was no answer, the server said "not now", or a proxy could not reach it (502, 504). */
export function isRetryable(problem: unknown): boolean {
  return problem instanceof ApiProblem && (problem.code === 'offline' || [502, 503, 504].includes(problem.status));
}
