import type { Db } from '../db/core/database.ts';
import { statement } from '../db/core/statement.ts';
import { sumSettled } from './sums.store.ts';

const FIRST_MS = 30_000;
const EVERY_MS = 10 * 60 * 1_000;

/**
 * Brings the sums up to date every ten minutes, so that the first reader after a long time does not have to wait.
 * Returns a function that stops this.
 */
export function scheduleSums(db: Db): () => void {
  const sum = async () => {
    for (const { num } of await selectHouses(db.query)) await sumSettled(db, num, Date.now());
  };
  // When the database is unavailable, the next round or the next reader tries again.
  const trySum = () => void sum().catch(() => {});
  const timers = [setTimeout(trySum, FIRST_MS), setInterval(trySum, EVERY_MS)];
  for (const timer of timers) timer.unref();
  return () => {
    for (const timer of timers) clearTimeout(timer);
  };
}

const selectHouses = statement<{ num: number }, []>('select num from houses where deleted_at is null order by num');
