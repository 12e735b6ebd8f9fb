import type { WireHouse } from '@perfume/contract/houses';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useBoot } from '../api/boot.ts';
import { call } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { openOtherHouse } from '../api/session.ts';
import { paths } from '../paths.ts';

export const housesQuery = queryOptions({
  queryKey: ['houses'],
  queryFn: async ({ signal }): Promise<WireHouse[]> => {
    const { data } = await call('GET /houses', { signal });
    return data;
  },
});

/** Reads the houses of the person. With `ACCESS=open` there is nothing to read. */
export function useHouses() {
  const { user } = useBoot();
  return useQuery({ ...housesQuery, enabled: user?.house !== undefined }, queryClient);
}

/** Makes this the house that the person works in, and opens it. */
export async function enterHouse(id: string): Promise<void> {
  await call('POST /houses/:id/enter', { params: { id } });
  openOtherHouse(paths.adminHome);
}

/** Reads the people, name and settings of the houses again. */
export function refetchHouses(): void {
  void queryClient.invalidateQueries({ predicate: ({ queryKey: [first] }) => first === 'house' || first === 'houses' });
}
