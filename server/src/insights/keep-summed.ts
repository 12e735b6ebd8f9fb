import type { Db } from '../db/core/database.ts';
import { sumSettled } from './sums.store.ts';

const FIRST_MS = 30_000;
const EVERY_MS = 10 * 60 * 1_000;

/** Adds up what is settled now and then, so that whoever opens the figures after a long time does not have to wait. */
export function keepSummed(db: Db): () => void {
  const sum = () => {
    // The store is away; the next round comes in ten minutes, or with the next question.
    void sumSettled(db, Date.now()).catch(() => {});
  };
  const timers = [setTimeout(sum, FIRST_MS), setInterval(sum, EVERY_MS)];
  for (const timer of timers) timer.unref();
  return () => {
    for (const timer of timers) clearTimeout(timer);
  };
}
