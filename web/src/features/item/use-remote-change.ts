import { fromWire } from '@perfume/contract/wire-item';
import { useEffect, useState } from 'react';
import { cachedItem } from '../../live/item-cache.ts';
import { onLiveChange } from '../../live/live-items.ts';

const SHOWN_MS = 4_000;

/** By how much other screens have changed the item's stock in the last moments; 0 when they have not. */
export function useRemoteChange(id: string): number {
  const [change, setChange] = useState(0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onLiveChange(({ itemId, item }) => {
      const known = itemId === id ? cachedItem(id) : null;
      // The echo of what was done here brings nothing newer than its answer did.
      if (!item || !known || item.version <= known.version) return;
      const by = fromWire(item).quantity - known.quantity;
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
