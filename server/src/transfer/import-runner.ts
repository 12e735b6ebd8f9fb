import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Deps as ServeDeps } from '../http/serve.ts';
import { applyStep } from './apply-import.ts';
import { pruneImports, selectRunning, setState } from './imports.store.ts';

/** An import that nobody has moved for this long was left by a server that stopped. */
const LEFT_AFTER_MS = 10_000;
const LOOK_EVERY_MS = 5_000;
/** Old files are removed at the first of so many looks. */
const LOOKS_PER_PRUNING = 500;
/** Lets the changes of others go in between. */
const MIN_PAUSE_MS = 4;
const MAX_FAILURES = 5;
const AFTER_FAILURE_MS = 1_000;

type Deps = Pick<ServeDeps, 'db' | 'clock' | 'access' | 'keepPicture'>;

type Waiting = { id: string; actorId: string; failures: number; notBefore: number };

export type ImportRunner = { run(id: string, actorId: string): void };

/**
 * Runs imports in the background, each until it is done or cancelled. Those that a stopped server left are continued by
 * this one. Two servers may run the same import: the database lets only one of them import a row. A server does one step
 * at a time and rests as long as it took, so imports never take more than half of it, however many there are. People
 * take turns, each with the import that they began first.
 */
export function importRunner(app: FastifyInstance, { db, clock, access, keepPicture }: Deps): ImportRunner {
  const mayImport = (userId: string, house: number) => access.mayStill(userId, house, 'changeItems');
  let waiting: Waiting[] = [];
  let running: Promise<void> | null = null;
  const end = new AbortController();
  const pause = (ms: number) => wait(ms, undefined, { signal: end.signal, ref: false }).catch(() => {});

  function run(id: string, actorId: string): void {
    if (end.signal.aborted || waiting.some((one) => one.id === id)) return;
    waiting.push({ id, actorId, failures: 0, notBefore: 0 });
    running ??= runAll().finally(() => {
      running = null;
    });
  }

  async function runAll(): Promise<void> {
    while (waiting.length > 0 && !end.signal.aborted) {
      const startedAt = performance.now();
      const next = waiting.find(({ notBefore }) => notBefore <= startedAt);
      if (!next) {
        await pause(AFTER_FAILURE_MS);
        continue;
      }
      const hasMore = await step(next);
      const others = waiting.filter((one) => one !== next);
      // Whoever had a turn is last, with all of their imports in the order in which they began.
      const [own, rest] = [others.filter(isOf(next)), others.filter((one) => !isOf(next)(one))];
      waiting = hasMore ? [...rest, next, ...own] : [...rest, ...own];
      await pause(Math.max(MIN_PAUSE_MS, performance.now() - startedAt));
    }
  }

  /** Returns whether there is more to do. */
  async function step(one: Waiting): Promise<boolean> {
    try {
      const hasMore = await applyStep(db, one.id, clock(), { keepPicture, mayImport });
      one.failures = 0;
      return hasMore;
    } catch (error) {
      app.log.warn({ err: error, importId: one.id }, 'an import has failed at a step');
      one.notBefore = performance.now() + AFTER_FAILURE_MS * ++one.failures;
      if (one.failures < MAX_FAILURES) return true;
      await db.change((db) => setState(db, one.id, 'running', 'failed', clock())).catch(() => {});
      return false;
    }
  }

  async function lookForLeft(): Promise<void> {
    for (let look = 0; !end.signal.aborted; look++) {
      try {
        for (const left of await selectRunning(db.query, clock() - LEFT_AFTER_MS)) run(left.id, left.actor_id);
        if (look % LOOKS_PER_PRUNING === 0) await pruneImports(db, clock());
      } catch {
        // The database is unavailable. The next round tries again.
      }
      await pause(LOOK_EVERY_MS);
    }
  }

  app.addHook('onListen', async () => void lookForLeft());
  app.addHook('preClose', async () => {
    end.abort();
    await running;
  });
  return { run };
}

const isOf =
  ({ actorId }: Waiting) =>
  (other: Waiting) =>
    other.actorId === actorId;
