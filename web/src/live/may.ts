import { type HouseAction, roleMay } from '@perfume/domain/houses';
import { useCallback } from 'react';
import { useBoot } from '../api/boot.ts';

/** Returns what the person may do in the house they work in. With `ACCESS=open` that is everything. */
export function useMay(): (action: HouseAction) => boolean {
  const { user } = useBoot();
  // Visitors log in first, and whoever has no house yet gets one of their own.
  const role = user?.house === undefined ? 'owner' : user.house?.role;
  return useCallback((action) => role !== undefined && roleMay(role, action), [role]);
}

/** Returns whether the person may undo an entry: their own movements, or anything with a role that may change items. */
export function useMayUndo(): (entry: { byId: string | null; movesStock: boolean }) => boolean {
  const { user } = useBoot();
  const may = useMay();
  return ({ byId, movesStock }) => may('changeItems') || (may('moveStock') && movesStock && byId === user?.id);
}
