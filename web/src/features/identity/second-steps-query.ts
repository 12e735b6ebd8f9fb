import type { ReplyOf } from '@perfume/contract/endpoint';
import type { secondSteps } from '@perfume/contract/identity';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';

export type SecondSteps = ReplyOf<typeof secondSteps>;
export type Passkey = SecondSteps['passkeys'][number];

/** Whether two-step login is on, and the user's passkeys. */
export const secondStepsQuery = queryOptions({
  queryKey: ['second-steps'],
  queryFn: async ({ signal }): Promise<SecondSteps> => (await call('GET /api/auth/second-steps', { signal })).data,
  staleTime: 0,
});

export async function refetchSecondSteps(): Promise<void> {
  await queryClient.invalidateQueries(secondStepsQuery);
}
