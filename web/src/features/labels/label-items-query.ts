import { fromWire } from '@perfume/contract/wire-item';
import type { Item } from '@perfume/domain/items';
import { MAX_LABELS } from '@perfume/domain/labels';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { queryClient } from '../../api/query-client.ts';
import type { ListFilters } from '../../live/item-cache.ts';
import { onLiveChange } from '../../live/live-items.ts';
import { currentLocation, useLocation, useNavigate } from '../../ui/router.tsx';
import { eachEntry } from '../history/history-query.ts';
import { labelsLink, readLabelsLink } from '../inventory/labels-link.ts';
import { selectedItems } from '../inventory/selected-items.ts';

export const allItems: ListFilters = { scope: 'all', email: '', q: '', sort: 'newest', stock: null };

/** The ids of the items to label, which the address or the browser's history keeps, and a function to change them. */
export function useLabelledIds() {
  const { search, state } = useLocation();
  const navigate = useNavigate();
  const ids = useMemo(() => readLabelsLink(search, state).slice(0, MAX_LABELS), [search, state]);
  const change = useCallback(
    (next: (now: string[]) => string[]) => {
      // React may not have rendered the last navigation yet.
      const { search, state: before } = currentLocation();
      const { to, state } = labelsLink(next(readLabelsLink(search, before)));
      navigate(to, { state, replace: true });
    },
    [navigate],
  );
  return [ids, change] as const;
}

function labelItemsQuery(ids: readonly string[]) {
  return queryOptions({
    queryKey: ['label items', ids],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const found = new Map<string, Item>();
      const selection = { kind: 'some', ids: new Set(ids) } as const;
      for await (const items of selectedItems({ selection, filters: allItems }, signal)) {
        for (const item of items) found.set(item.id, item);
        if (found.size === ids.length) break;
      }
      return inOrder(ids, found);
    },
  });
}

/** The items to label, in their order. Those that were deleted are left out. Changes by anybody are shown at once. */
export function useLabelItems(ids: readonly string[]) {
  const query = labelItemsQuery(ids);
  useEffect(
    () =>
      onLiveChange(({ itemId, item }) => {
        if (!ids.includes(itemId)) return;
        queryClient.setQueryData(labelItemsQuery(ids).queryKey, (items) => {
          if (!items) return undefined;
          const known = new Map(items.map((one) => [one.id, one]));
          if (!item) known.delete(itemId);
          else if (item.version >= (known.get(itemId)?.version ?? 0)) known.set(itemId, fromWire(item));
          return inOrder(ids, known);
        });
      }),
    [ids],
  );
  return useQuery(query);
}

function inOrder(ids: readonly string[], items: ReadonlyMap<string, Item>): Item[] {
  return ids.flatMap((id) => items.get(id) ?? []);
}

const DAY_MS = 24 * 60 * 60_000;

/** Returns the ids of the items that were restocked or added in the last days, what arrived last first. */
export async function arrivedWithin(days: number, signal: AbortSignal): Promise<string[]> {
  const from = new Date(Date.now() - days * DAY_MS).toISOString();
  const arrivals: { id: string; at: string }[] = [];
  for (const kind of ['restock', 'opening'] as const)
    for await (const entries of eachEntry({ kind, from }, signal))
      for (const { itemId, at, undoneBy } of entries)
        if (itemId !== null && undoneBy === null) arrivals.push({ id: itemId, at });
  arrivals.sort((a, b) => b.at.localeCompare(a.at));
  return [...new Set(arrivals.map(({ id }) => id))].slice(0, MAX_LABELS);
}
