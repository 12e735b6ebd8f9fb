import { fromWire } from '@perfume/contract/wire-item';
import { useEffect, useState } from 'react';
import { cachedItem } from '../../live/item-cache.ts';
import { onLiveChange } from '../../live/live-items.ts';
import { withoutPending } from '../../live/pending-stock.ts';

const SHOWN_MS = 4_000;

/** Returns by how many units the stock was changed elsewhere in the last seconds, or 0. */
export function useRemoteChange(id: string): number {
  const [change, setChange] = useState(0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onLiveChange(({ itemId, item }) => {
      const known = itemId === id ? cachedItem(id) : null;
      // Our own change comes back through the feed with a version we already have.
      if (!item || !known || item.version <= known.version) return;
      const by = fromWire(item).quantity - withoutPending(known).quantity;
      if (by === 0) return;
      setChange((before) => before + by);
      clearTimeout(timer);
      timer = setTimeout(() => setChange(0), SHOWN_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [id]);
  return change;
}
