import { AsyncLocalStorage } from 'node:async_hooks';

/** Whose request is being answered, for queues that are fair to everybody. Empty for what the server does by itself. */
export const asker = new AsyncLocalStorage<string>();

/** Runs one job at a time. Those who wait take turns, however many jobs one of them has. */
export function fairQueue() {
  /** The jobs of each, in the order of their turns. */
  const waiting = new Map<string, (() => Promise<void>)[]>();
  let pending = 0;
  let isRunning = false;

  async function runAll(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    for (const [who, jobs] of waiting) {
      // Whoever is added again comes after all others, also in this loop.
      waiting.delete(who);
      const [job, ...later] = jobs;
      if (later.length > 0) waiting.set(who, later);
      pending--;
      await job?.();
    }
    isRunning = false;
  }

  return {
    pending: () => pending,
    isRunning: () => isRunning,
    run<T>(job: () => Promise<T>): Promise<T> {
      const who = asker.getStore() ?? '';
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      waiting.set(who, [...(waiting.get(who) ?? []), () => job().then(resolve, reject)]);
      pending++;
      void runAll();
      return promise;
    },
  };
}
