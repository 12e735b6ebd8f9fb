import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { StoreUnavailable } from '../core/errors.ts';
import type { KeptQuery } from '../core/kept-query.ts';
import { LONG_QUERY_LIMITS } from '../core/long-query.ts';
import type { keptTables } from './kept-tables.ts';
import type { Options, Query, Reply } from './query-process.ts';

/** Some time before this process is killed. */
export const PATIENCE_MS = LONG_QUERY_LIMITS.timeoutMs - 2_000;

type Answers = {
  kept: ReturnType<typeof keptTables>;
  /** Runs a query that keeps nothing. */
  run: (text: string, params: readonly unknown[]) => unknown[];
  /** Whether the database is at fault, not the query. */
  isUnavailable: (error: unknown) => boolean;
};

/** Answers the queries of the process that started this one, until that ends. See query-process.ts. */
export async function answerQueries(open: (options: Options) => Promise<Answers> | Answers): Promise<void> {
  // When memory runs out, this process has to go, and not the server.
  await writeFile('/proc/self/oom_score_adj', '1000').catch(() => {});
  const [options] = (await once(process, 'message')) as [Options];
  const { kept, run, isUnavailable } = await open(options);
  let isAnswering = false;
  let isFilling = false;

  process.on('message', async (query: Query) => {
    isAnswering = true;
    process.send?.(await replyTo(query));
    isAnswering = false;
    await fillMeanwhile();
  });

  async function replyTo(query: Query): Promise<Reply> {
    try {
      return { rows: 'kept' in query ? await answerKept(query.kept) : run(query.text, query.params) };
    } catch (error) {
      return {
        error: (error as Error).message,
        unavailable: error instanceof StoreUnavailable || isUnavailable(error),
      };
    }
  }

  /** Computes the rows first if they are not there. They are not lost if that takes too long. */
  async function answerKept(query: KeptQuery): Promise<unknown[]> {
    const until = performance.now() + PATIENCE_MS;
    for (let longestStep = 0; ; ) {
      const rows = await kept.answer(query);
      if (rows) return rows;
      const startedAt = performance.now();
      if (startedAt + longestStep > until) throw new StoreUnavailable('the answer is still being computed');
      await kept.fillSome(query);
      longestStep = Math.max(longestStep, performance.now() - startedAt);
      await new Promise(setImmediate);
    }
  }

  /** Goes on until there is a query, or nothing more to do. */
  async function fillMeanwhile(): Promise<void> {
    // It may still wait for its next step since the query before.
    if (isFilling) return;
    isFilling = true;
    try {
      while (!isAnswering && (await kept.fillSome())) await new Promise(setImmediate);
    } catch {
      // The next query computes them again.
    } finally {
      isFilling = false;
    }
  }

  // Signals are ignored: a terminal and systemd send them to all processes of the server, which still has requests to
  // finish. This process ends when the server disconnects.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
  for (const event of ['disconnect', 'error']) process.on(event, () => process.exit());
  process.send?.('ready');
}
