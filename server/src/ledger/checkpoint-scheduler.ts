import type { Db } from '../db/core/database.ts';
import { formatCheckpoint, type SigningKey } from './checkpoint.ts';
import { makeCheckpoints, NotContinued, newestSince } from './checkpoints.store.ts';
import type { LastCheckpoint } from './last-checkpoint.ts';

const FIRST_MS = 60_000;
/** Between the checkpoints of a long run, such as the first one of an existing warehouse. */
const PAUSE_MS = 100;
const EVERY_MS = 5 * 60 * 1_000;

type Log = Record<'info' | 'warn' | 'error', (facts: object, message: string) => void>;

/**
 * Makes checkpoints every five minutes if anything has changed, and logs each, so that whatever collects the log keeps
 * it. Of several servers, the first to look makes it, and each remembers the newest it has seen: it signs only what
 * continues that one. Returns a function that stops this.
 */
export function scheduleCheckpoints(db: Db, key: SigningKey, last: LastCheckpoint, log: Log): () => void {
  let running = false;
  let stopped = false;
  let lookedAt: string | number | null = null;
  let knownKey = key.publicKey;

  async function look(): Promise<void> {
    const now = Date.now();
    const version = await db.dataVersion();
    if (version === lookedAt) return;
    const newest = await newestSince(db.query, last.recall());
    if (newest) last.remember(newest);
    if (newest && newest.public_key !== knownKey) {
      knownKey = newest.public_key;
      log.warn(
        { publicKey: knownKey },
        'the last checkpoint was signed with another key: do all servers have the same?',
      );
    }
    // Another server has just made one.
    if (newest?.complete && Math.abs(now - newest.at) < EVERY_MS / 2) return;
    const made = await makeCheckpoints({ db, key, now, remembered: newest }, { pauseMs: PAUSE_MS });
    if (!made) {
      lookedAt = version;
      return;
    }
    last.remember(made);
    log.info({ checkpoint: formatCheckpoint(made), publicKey: made.public_key }, 'checkpoint made');
  }

  const run = async () => {
    if (running) return;
    running = true;
    try {
      await look();
    } catch (error) {
      if (error instanceof NotContinued) log.error({ remembered: last.recall() }, error.message);
      // The database is unavailable or being closed. The next round covers what is missing.
      else if (!stopped) log.warn({ err: error }, 'no checkpoint could be made');
    } finally {
      running = false;
    }
  };
  const timers = [setTimeout(run, FIRST_MS), setInterval(run, EVERY_MS)];
  for (const timer of timers) timer.unref();
  return () => {
    stopped = true;
    for (const timer of timers) clearTimeout(timer);
  };
}
