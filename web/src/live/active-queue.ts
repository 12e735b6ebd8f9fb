import { createStore } from '../ui/store.ts';
import type { QueueState, StockQueue } from './stock-queue.ts';

/** The queue of the person who is signed in; null outside the dashboard, and where the browser stores nothing. */
let active: StockQueue | null = null;

export function activeQueue(): StockQueue | null {
  return active;
}

export function setActiveQueue(queue: StockQueue | null): void {
  active = queue;
  if (queue === null) queueState.set(empty);
}

const empty: QueueState = { changes: [], isSignedOut: false, isDown: false };

/** What waits on this device, for the screens. */
export const queueState = createStore<QueueState>(empty);
