import { pruneChanges } from './changes.ts';
import type { Db } from './database.ts';
import { pruneAnswers } from './idempotency.ts';

const EVERY_MS = 10 * 60 * 1_000;

/** Forgets answers and feed rows nobody can still ask for. */
export function keepTidy(db: Db): () => void {
  const timer = setInterval(async () => {
    try {
      await pruneAnswers(db, Date.now());
      await pruneChanges(db, Date.now());
    } catch {
      // The store is away; the next round comes in ten minutes.
    }
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
