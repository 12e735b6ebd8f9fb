import { setTimeout as wait } from 'node:timers/promises';
import { lastDigestTime } from '@perfume/domain/alerts';
import type { FastifyInstance } from 'fastify';
import { followReorderPoint } from '../settings/settings.store.ts';
import { type LetterParts, writeAtOnce, writeDigests } from './alert-letters.ts';
import { pruneAlerts } from './alerts.store.ts';
import { anyDigestDue } from './digest.store.ts';

type Timing = { settleMs: number; lookEveryMs: number; paceMs: number };
type Log = { warn(facts: object, message: string): void };

/** Crossings that come within `settleMs` of each other share a letter. Digests leave at a pace the post can follow. */
const timing: Timing = { settleMs: 3_000, lookEveryMs: 60_000, paceMs: 2_000 };

/** From the moment the server listens until it closes. */
export function informWhileListening(app: FastifyInstance, parts: LetterParts): void {
  let stop = async () => {};
  app.addHook('onListen', async () => {
    stop = keepInformed({ ...parts, log: app.log });
  });
  // The post closes after this; what is being written is still handed over.
  app.addHook('preClose', () => stop());
}

/** Writes to people until the returned function is called. Any number of servers may do so on one database. */
export function keepInformed(
  parts: LetterParts & { log: Log },
  { settleMs, lookEveryMs, paceMs }: Timing = timing,
): () => Promise<void> {
  const { db, clock, log } = parts;
  const end = new AbortController();
  let soon: NodeJS.Timeout | undefined;
  let underWay: Promise<unknown> = Promise.resolve();
  /** The seven o'clock whose digests are all written, as far as this server knows. */
  let done = 0;

  /** One thing after the other; when the store is away, the next round comes by itself. */
  function run(work: () => Promise<void>): void {
    underWay = underWay.then(work).catch((error: Error) => log.warn({ err: error }, 'alerts could not be mailed'));
  }

  function settleThenWrite(): void {
    if (soon || end.signal.aborted) return;
    soon = setTimeout(() => {
      soon = undefined;
      run(async () => {
        if (await writeAtOnce(parts)) settleThenWrite();
      });
    }, settleMs);
    soon.unref();
  }

  async function writeDueDigests(): Promise<void> {
    const time = lastDigestTime(clock());
    if (time === done) return;
    while ((await writeDigests(parts)) > 0) {
      await wait(paceMs, undefined, { signal: end.signal, ref: false }).catch(() => {});
      if (end.signal.aborted) return;
    }
    // Another server may hold the rest; should it not come to them, the next look does.
    if (await anyDigestDue(db.query, time)) return;
    await pruneAlerts(db, clock());
    done = time;
  }

  const stopListening = db.onCommit(settleThenWrite);
  // What another server left behind, what came due while nobody ran, and what did not work the last time.
  const look = () => {
    run(() => followReorderPoint(db, clock()));
    settleThenWrite();
    run(writeDueDigests);
  };
  const looking = setInterval(look, lookEveryMs);
  looking.unref();
  look();

  return async () => {
    end.abort();
    stopListening();
    clearTimeout(soon);
    clearInterval(looking);
    await underWay;
  };
}
