import type { Item } from '@perfume/domain/items';
import { useQuery } from '@tanstack/react-query';
import { useBoot } from '../../api/boot.ts';
import { floorItemsQuery, itemsQuery, usedItemsQuery } from './floor-items-query.ts';

/** How many of the items that this person uses come first. */
const MAX_USED = 20;
const MAX_ROWS = 60;

export type FloorRows = {
  items: Item[];
  /** `outdated`: the items are those of the previous search, until the answer to this one arrives. */
  state: 'loading' | 'outdated' | 'ready' | 'failed';
  retry: () => void;
};

/** The items to tap: those that match the search or, without a search, those that this person uses first. */
export function useFloorRows(q: string): FloorRows {
  const { user } = useBoot();
  const list = useQuery(floorItemsQuery(q));
  const used = useQuery(usedItemsQuery(user?.id ?? ''));
  const newest = useQuery(floorItemsQuery('')).data?.items ?? [];
  const byId = new Map(newest.map((item) => [item.id, item]));
  const usedIds = (used.data ?? []).slice(0, MAX_USED);
  const others = useQuery(itemsQuery(usedIds.filter((id) => list.isSuccess && !byId.has(id))));
  for (const item of others.data?.items ?? []) byId.set(item.id, item);

  const retry = () => void list.refetch();
  if (list.isError && !list.data) return { items: [], state: 'failed', retry };
  // The rows wait for their order, so that they do not move when it arrives.
  if (!list.data || used.isPending) return { items: [], state: 'loading', retry };
  if (q !== '') return { items: list.data.items, state: list.isPlaceholderData ? 'outdated' : 'ready', retry };
  const first = usedIds.flatMap((id) => byId.get(id) ?? []);
  const rest = newest.filter(({ id }) => !usedIds.includes(id));
  return { items: [...first, ...rest].slice(0, MAX_ROWS), state: 'ready', retry };
}
