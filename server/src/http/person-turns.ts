import pLimit, { type LimitFunction } from 'p-limit';
import { asker } from '../db/core/fair-queue.ts';
import { Problem } from './problem.ts';

/** Of so many people who have nothing running any more, the limits are kept for their next requests. */
const MAX_IDLE = 1_000;

export type PersonTurns = ReturnType<typeof personTurns>;

/**
 * Lets each person, or the visitors of one address, run a few requests of one sort at a time. More of them wait, and too many are refused at
 * once.
 */
export function personTurns({ running, waiting }: { running: number; waiting: number }) {
  const limitOf = new Map<string, LimitFunction>();

  return async function run<T>(personId: string, answer: () => Promise<T>): Promise<T> {
    const limit = limitOf.get(personId) ?? pLimit(running);
    if (limit.pendingCount >= waiting) throw new Problem('too_many');
    limitOf.set(personId, limit);
    try {
      return await limit(() => asker.run(personId, answer));
    } finally {
      if (limitOf.size > MAX_IDLE && limit.activeCount + limit.pendingCount === 0) limitOf.delete(personId);
    }
  };
}
