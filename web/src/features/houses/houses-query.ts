import type { WireHouse, WireHouseEvent, WireInvitation, WireMember } from '@perfume/contract/houses';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, nextCursor } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { housesQuery } from '../../live/houses.ts';

const EVENTS_PER_PAGE = 20;

// All three begin with `house`, so that one call refetches them.

export const membersQuery = (id: string) =>
  queryOptions({
    queryKey: ['house', id, 'members'],
    queryFn: async ({ signal }): Promise<WireMember[]> =>
      (await call('GET /houses/:id/members', { params: { id }, signal })).data,
    staleTime: 0,
  });

export const invitationsQuery = (id: string) =>
  queryOptions({
    queryKey: ['house', id, 'invitations'],
    queryFn: async ({ signal }): Promise<WireInvitation[]> =>
      (await call('GET /houses/:id/invitations', { params: { id }, signal })).data,
    staleTime: 0,
  });

export const houseEventsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['house', id, 'events'],
    queryFn: async ({ pageParam, signal }): Promise<{ events: WireHouseEvent[]; next: string | null }> => {
      const query = { limit: String(EVENTS_PER_PAGE), ...(pageParam !== null && { cursor: pageParam }) };
      const { data, headers } = await call('GET /houses/:id/events', { params: { id }, query, signal });
      return { events: data, next: nextCursor(headers) };
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  });

/** Reads people, invitations and history of the house again. */
export async function refetchHouse(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['house'] });
}

export async function changeHouse({ id }: WireHouse, body: { name?: string; published?: boolean }): Promise<void> {
  const { data } = await call('PUT /houses/:id', { params: { id }, body });
  queryClient.setQueryData(housesQuery.queryKey, (known) => known?.map((one) => (one.id === id ? data : one)));
  void refetchHouse();
}
