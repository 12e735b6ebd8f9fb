import type { WireHouse } from '@perfume/contract/houses';
import { type HouseAction, roleMay } from '@perfume/domain/houses';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useBoot } from '../api/boot.ts';
import { call } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { clearTabStorage, deleteSeenData } from '../api/session.ts';
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
  const { access, user } = useBoot();
  return useQuery({ ...housesQuery, enabled: access === 'houses' && user?.emailVerified === true }, queryClient);
}

/** Returns what the person may do in the house they work in. With `ACCESS=open` that is everything. */
export function useMay(): (action: HouseAction) => boolean {
  const { access } = useBoot();
  const { data, isError } = useHouses();
  // Without an answer, as when offline, everything is offered: the server decides.
  const isUnlimited = access === 'open' || (data === undefined && isError);
  const role = currentOf(data)?.role;
  return useCallback((action) => isUnlimited || (role !== undefined && roleMay(role, action)), [isUnlimited, role]);
}

/** Returns whether the person may undo an entry: their own movements, or anything with a role that may change items. */
export function useMayUndo(): (entry: { byId: string | null; movesStock: boolean }) => boolean {
  const { user } = useBoot();
  const may = useMay();
  return ({ byId, movesStock }) => may('changeItems') || (may('moveStock') && movesStock && byId === user?.id);
}

/** The house that the person works in now. */
export function currentOf(houses: WireHouse[] | undefined): WireHouse | undefined {
  return houses?.find(({ current }) => current);
}

/** Opens a page of another house from the server, so that nothing of this house stays in memory or on this device. */
export function openOtherHouse(userId: string, path: string): void {
  deleteSeenData(userId);
  clearTabStorage();
  location.assign(path);
}

/** Opens what is left to the person after they left or closed a house: another house, or the form to create one. */
export async function openAfterLeaving(userId: string): Promise<void> {
  const houses = await readHouses().catch(() => undefined);
  openOtherHouse(userId, houses?.length === 0 ? paths.settings : paths.adminHome);
}

function readHouses(): Promise<WireHouse[]> {
  return queryClient.fetchQuery({ ...housesQuery, staleTime: 0 });
}

/**
 * Reads again in which house the person works and what they are there. If that has changed, the page is loaded again,
 * because it may show what they can no longer see or do.
 */
export async function followHouse(userId: string): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: ['house'] });
  const before = currentOf(queryClient.getQueryData(housesQuery.queryKey));
  const houses = await readHouses().catch(() => undefined);
  if (houses === undefined) return;
  const now = currentOf(houses);
  if (now === undefined) {
    // Without a house there is nothing to see but the form to create one.
    if (location.pathname !== paths.settings) openOtherHouse(userId, paths.settings);
  } else if (before !== undefined) {
    if (now.id !== before.id) openOtherHouse(userId, paths.adminHome);
    else if (now.role !== before.role) location.reload();
  }
}
