import type { listSessions } from '@perfume/contract/identity';
import { queryOptions } from '@tanstack/react-query';
import { call, type ReplyOf } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';

export type SignIn = ReplyOf<typeof listSessions>[number];

export const sessionsQuery = queryOptions({
  queryKey: ['sign-ins'],
  queryFn: async ({ signal }): Promise<SignIn[]> => {
    const { data } = await call('GET /api/auth/list-sessions', { signal });
    return data;
  },
  // No feed tells of these: a browser that logs out by itself is noticed by asking now and then while the page is seen.
  staleTime: 0,
  refetchOnWindowFocus: true,
  refetchInterval: ({ state }) => (state.data ? 30_000 : false),
});

/** After something else than the list has ended sign-ins, as a new password does. */
export function refetchSessions(): void {
  void queryClient.invalidateQueries(sessionsQuery);
}

export async function end(signIn: SignIn): Promise<void> {
  const body = { token: signIn.token };
  await call('POST /api/auth/revoke-session', { body });
  await show((one) => one.id !== signIn.id);
}

export async function endOthers(): Promise<void> {
  await call('POST /api/auth/revoke-other-sessions');
  await show(({ isThisOne }) => isThisOne);
}

/** At once, and then as the server has it: a list that was under way may be of before. */
async function show(left: (signIn: SignIn) => boolean): Promise<void> {
  await queryClient.cancelQueries(sessionsQuery);
  queryClient.setQueryData(sessionsQuery.queryKey, (known) => known?.filter(left));
  refetchSessions();
}
