import type { WireHouse } from '@perfume/contract/houses';
import { type HouseAction, roleMay } from '@perfume/domain/houses';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
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

/** Returns what the person may do in the house they work in. With `ACCESS=open` that is everything. */
export function useMay(): (action: HouseAction) => boolean {
  const { user } = useBoot();
  // Whoever has no house yet gets one of their own.
  const role = user?.house === undefined ? 'owner' : user.house?.role;
  return useCallback((action) => role !== undefined && roleMay(role, action), [role]);
}

/** Returns whether the person may undo an entry: their own movements, or anything with a role that may change items. */
export function useMayUndo(): (entry: { byId: string | null; movesStock: boolean }) => boolean {
  const { user } = useBoot();
  const may = useMay();
  return ({ byId, movesStock }) => may('changeItems') || (may('moveStock') && movesStock && byId === user?.id);
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
