import type { ReplyOf } from '@perfume/contract/endpoint';
import type { listSessions } from '@perfume/contract/identity';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';

export type Session = ReplyOf<typeof listSessions>[number];

export const sessionsQuery = queryOptions({
  queryKey: ['sign-ins'],
  queryFn: async ({ signal }): Promise<Session[]> => {
    const { data } = await call('GET /api/auth/list-sessions', { signal });
    return data;
  },
  // The change feed does not report sessions, so the list is polled while the page is visible.
  staleTime: 0,
  refetchOnWindowFocus: true,
  refetchInterval: ({ state }) => (state.data ? 30_000 : false),
});

/** Refetches the sessions after some of them ended by other means, such as a new password. */
export function refetchSessions(): void {
  void queryClient.invalidateQueries(sessionsQuery);
}

export async function revoke(session: Session): Promise<void> {
  const body = { token: session.token };
  await call('POST /api/auth/revoke-session', { body });
  await keepOnly((one) => one.id !== session.id);
}

export async function revokeOthers(): Promise<void> {
  await call('POST /api/auth/revoke-other-sessions');
  await keepOnly(({ isThisOne }) => isThisOne);
}

/** Updates the list at once and then refetches it. A fetch in flight is cancelled, because it may be older. */
async function keepOnly(keep: (session: Session) => boolean): Promise<void> {
  await queryClient.cancelQueries(sessionsQuery);
  queryClient.setQueryData(sessionsQuery.queryKey, (known) => known?.filter(keep));
  refetchSessions();
}
