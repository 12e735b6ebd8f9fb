import { useEffect } from 'react';
import { useBoot } from '../api/boot.ts';
import { activeQueue } from './active-queue.ts';
import { useConnection } from './live-items.ts';
import { startQueue } from './start-queue.ts';

/** Runs the queue of the signed-in person while the dashboard is open. */
export function useStockQueue(): void {
  const userId = useBoot().user?.id;
  const isLive = useConnection() === 'live';
  useEffect(() => (userId === undefined ? undefined : startQueue(userId)), [userId]);
  useEffect(() => {
    if (isLive) activeQueue()?.reachable();
  }, [isLive]);
}
