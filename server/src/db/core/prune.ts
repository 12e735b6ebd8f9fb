import { pruneChanges } from './changes.ts';
import type { Db } from './database.ts';
import { pruneOutcomes } from './idempotency.ts';

const INTERVAL_MS = 10 * 60 * 1_000;

/**
 * Regularly deletes stored outcomes and change-feed rows that are too old to be needed. Returns a function that stops
 * this.
 */
export function startPruning(db: Db): () => void {
  const timer = setInterval(async () => {
    try {
      await pruneOutcomes(db, Date.now());
      await pruneChanges(db, Date.now());
    } catch {
      // The database is unavailable. The next round is in ten minutes.
    }
  }, INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}
