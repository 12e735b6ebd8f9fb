import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { StoreUnavailable } from '../core/errors.ts';
import { fairQueue } from '../core/fair-queue.ts';
import type { KeptQuery } from '../core/kept-query.ts';
import { LONG_QUERY_LIMITS } from '../core/long-query.ts';

export type Query = { text: string; params: readonly unknown[] } | { kept: KeptQuery };
/** Which database, and how many items' rows are computed at once. */
export type Options = { database: string; itemsAtOnce?: number };
export type Reply = { rows: unknown[] } | { error: string; unavailable: boolean };
type Child = { process: ChildProcess; ended: AbortSignal };

const START_TIMEOUT_MS = 10_000;
/** What it keeps is then lost (see kept-tables.ts). */
const IDLE_TIMEOUT_MS = 10 * 60_000;

/**
 * Runs long queries one at a time, of each person in turn, in a child process with its own connection. node:sqlite, in which also
 * the rows of PostgreSQL are kept, blocks its thread and cannot interrupt a query, and a terminated worker thread ends only after
 * its query. A process can be killed when a query takes too long. It starts with the first query and stops when idle.
 * `program` calls `answerQueries`. The options are sent in a message, because other users of the machine can read arguments.
 */
export function queryProcess(
  program: URL,
  { env, ...options }: Options & { env?: Record<string, string> },
  limits: Partial<typeof LONG_QUERY_LIMITS> = {},
) {
  const { timeoutMs, waiting } = { ...LONG_QUERY_LIMITS, ...limits };
  const queue = fairQueue();
  let child: Child | null = null;
  let idleTimer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  async function start(): Promise<Child> {
    const started = fork(program, {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      ...(env && { env }),
    });
    started.unref();
    started.channel?.unref();
    const ended = new AbortController();
    child = { process: started, ended: ended.signal };
    for (const event of ['exit', 'error'])
      started.on(event, () => {
        if (child?.process === started) child = null;
        ended.abort();
      });
    started.send(options);
    await messageFrom(child, START_TIMEOUT_MS);
    return child;
  }

  function stop(): void {
    child?.process.kill('SIGKILL');
    child = null;
  }

  async function run(query: Query): Promise<unknown[]> {
    if (isClosed) throw new StoreUnavailable('the database is closed');
    const used = child ?? (await start());
    const reply = messageFrom(used, timeoutMs);
    used.process.send(query);
    return rowsOf((await reply) as Reply);
  }

  return {
    async query(query: Query): Promise<unknown[]> {
      if (queue.pending() >= waiting) throw new StoreUnavailable('too many long queries are waiting');
      clearTimeout(idleTimer);
      idleTimer = setTimeout(() => !queue.isRunning() && stop(), IDLE_TIMEOUT_MS);
      idleTimer.unref();
      return queue.run(() => run(query));
    },
    close(): void {
      isClosed = true;
      clearTimeout(idleTimer);
      stop();
    },
  };
}

/** Waits for a message from the process. Rejects when the process ends first, and kills it when it takes too long. */
async function messageFrom({ process, ended }: Child, withinMs: number): Promise<unknown> {
  const timer = setTimeout(() => process.kill('SIGKILL'), withinMs);
  try {
    const [message] = await once(process, 'message', { signal: ended });
    return message;
  } catch (cause) {
    throw new StoreUnavailable('a long query was stopped', cause);
  } finally {
    clearTimeout(timer);
  }
}

function rowsOf(reply: Reply): unknown[] {
  if ('rows' in reply) return reply.rows;
  throw reply.unavailable ? new StoreUnavailable(reply.error) : new Error(reply.error);
}
