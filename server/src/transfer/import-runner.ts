import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../db/core/database.ts';
import { applyStep } from './apply-import.ts';
import { pruneImports, selectRunning, setState } from './imports.store.ts';

/** An import that nobody has moved for this long was left by a server that stopped. */
const LEFT_AFTER_MS = 10_000;
const LOOK_EVERY_MS = 5_000;
/** Old files are removed at the first of so many looks. */
const LOOKS_PER_PRUNING = 500;
/** Lets the changes of others go in between. */
const BETWEEN_STEPS_MS = 4;
const MAX_FAILURES = 5;
const AFTER_FAILURE_MS = 1_000;

type Deps = { db: Db; clock: () => number; keepPicture: (imageUrl: string, now: number) => Promise<boolean> };

export type ImportRunner = { run(id: string): void };

/**
 * Runs imports in the background, each until it is done or cancelled. Those that a stopped server left are continued by
 * this one. Two servers may run the same import: the database lets only one of them import a row.
 */
export function importRunner(app: FastifyInstance, { db, clock, keepPicture }: Deps): ImportRunner {
  const running = new Map<string, Promise<void>>();
  const end = new AbortController();
  const pause = (ms: number) => wait(ms, undefined, { signal: end.signal, ref: false }).catch(() => {});

  function run(id: string): void {
    if (running.has(id) || end.signal.aborted) return;
    running.set(
      id,
      runToEnd(id).finally(() => running.delete(id)),
    );
  }

  async function runToEnd(id: string): Promise<void> {
    let failures = 0;
    while (!end.signal.aborted) {
      try {
        if (!(await applyStep(db, id, clock(), keepPicture))) return;
        failures = 0;
        await pause(BETWEEN_STEPS_MS);
      } catch (error) {
        app.log.warn({ err: error, importId: id }, 'an import has failed at a step');
        if (++failures >= MAX_FAILURES) {
          await db.change((db) => setState(db, id, 'running', 'failed', clock())).catch(() => {});
          return;
        }
        await pause(AFTER_FAILURE_MS * failures);
      }
    }
  }

  async function lookForLeft(): Promise<void> {
    for (let look = 0; !end.signal.aborted; look++) {
      try {
        for (const { id } of await selectRunning(db.query, clock() - LEFT_AFTER_MS)) run(id);
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
    await Promise.all(running.values());
  });
  return { run };
}
