import type { Db } from '../db/core/database.ts';
import { sumSettled } from './sums.store.ts';

const FIRST_MS = 30_000;
const EVERY_MS = 10 * 60 * 1_000;

/**
 * Brings the sums up to date every ten minutes, so that the first reader after a long time does not have to wait.
 * Returns a function that stops this.
 */
export function scheduleSums(db: Db): () => void {
  const sum = () => {
    // When the database is unavailable, the next round or the next reader tries again.
    void sumSettled(db, Date.now()).catch(() => {});
  };
  const timers = [setTimeout(sum, FIRST_MS), setInterval(sum, EVERY_MS)];
  for (const timer of timers) timer.unref();
  return () => {
    for (const timer of timers) clearTimeout(timer);
  };
}
