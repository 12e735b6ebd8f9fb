import { useEffect } from 'react';
import { useBoot } from '../api/boot.ts';
import { seenDatabase } from '../api/session.ts';
import { activeQueue, queueState } from './active-queue.ts';
import { persistStorage } from './install-app.ts';
import { keepSeenData } from './keep-seen-data.ts';
import { useConnection } from './live-items.ts';
import { registerWorker } from './register-worker.ts';
import { seenAt } from './seen-data.ts';
import { startQueue } from './start-queue.ts';

/** Makes the dashboard work without a connection: keeps what the person sees, and what they change until it is sent. */
export function useOffline(): void {
  const { user } = useBoot();
  const userId = user?.id;
  const seen = user && seenDatabase(user);
  const isLive = useConnection() === 'live';
  const hasPending = queueState.use().changes.length > 0;
  useEffect(registerWorker, []);
  useEffect(() => {
    if (hasPending || matchMedia('(display-mode: standalone)').matches) void persistStorage();
  }, [hasPending]);
  useEffect(() => {
    if (userId === undefined || seen === null) return;
    const stopQueue = startQueue(userId);
    const stopKeeping = keepSeenData(seen);
    return () => {
      stopQueue();
      stopKeeping();
    };
  }, [userId, seen]);
  useEffect(() => {
    if (!isLive) return;
    seenAt.set(null);
    activeQueue()?.reachable();
  }, [isLive]);
}
