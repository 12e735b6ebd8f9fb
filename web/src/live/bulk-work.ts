import type { BulkResult } from '@perfume/contract/bulk';
import { ApiProblem } from '../api/client.ts';
import { isRetryable } from '../api/query-client.ts';
import { newIdempotencyKey } from '../api/retry.ts';

/** A row that failed, and why. */
export type Failure = { id: string; problem: ApiProblem };

/** Rows that are sent in one request. A retry uses the same key, so nothing is done twice. */
export type Chunk = { key: string; ids: string[] };

export type Ending = 'done' | 'cancelled' | 'stopped';

type Options = {
  rows: AsyncIterable<string[]> | Iterable<string[]>;
  /** Sends a chunk. It must give up when `cancel` aborts. */
  send: (chunk: Chunk, cancel: AbortSignal) => Promise<BulkResult[]>;
  /** Called after each chunk: how many rows are done so far, and which were done just now. */
  onProgress: (done: number, justDone: string[]) => void;
};

export type BulkWork = {
  /**
   * Sends chunks until all rows are tried, `signal` aborts, or a problem occurs that would stop every further chunk.
   */
  run: (signal: AbortSignal) => Promise<Ending>;
  /** Whether any failure may succeed on a retry. */
  canRetry: () => boolean;
  /** Queues the failures that may succeed on a retry for the next `run`. */
  retry: () => void;
  failures: () => Failure[];
  done: () => number;
  /** How many of the rows that are done were changed: one that was already as wanted has nothing to undo. */
  changed: () => number;
};

/** Sends the rows in chunks, one chunk at a time, so that progress is exact and cancelling is quick. */
export function bulkWork({ rows, send, onProgress }: Options): BulkWork {
  const rest = chunksOf(rows);
  let retries: Chunk[] = [];
  const refused = new Map<string, Failure>();
  let unanswered: { chunk: Chunk; problem: ApiProblem }[] = [];
  let done = 0;
  let changed = 0;

  async function run(signal: AbortSignal): Promise<Ending> {
    const cancel = afterGracePeriod(signal);
    while (!signal.aborted) {
      const chunk = retries.shift() ?? (await rest.next()).value;
      if (chunk === undefined) return 'done';
      try {
        record(await send(chunk, cancel));
      } catch (reason) {
        const problem = cancel.aborted ? new ApiProblem('offline', 0) : reason;
        if (!(problem instanceof ApiProblem)) throw problem;
        unanswered.push({ chunk, problem });
        if (stopsEveryChunk(problem)) return signal.aborted ? 'cancelled' : 'stopped';
      }
    }
    return 'cancelled';
  }

  function record(results: BulkResult[]): void {
    const justDone: string[] = [];
    for (const result of results) {
      if (!result.ok) refused.set(result.id, failureOf(result));
      else {
        justDone.push(result.id);
        if (result.movementId !== null) changed++;
      }
    }
    done += justDone.length;
    onProgress(done, justDone);
  }

  function retry(): void {
    // The chunks keep their keys: one that was done although its reply got lost is not done twice.
    retries = [...unanswered.filter(isWorthRetrying).map(({ chunk }) => chunk), ...retries];
    unanswered = unanswered.filter((one) => !isWorthRetrying(one));
  }

  return {
    run,
    canRetry: () => unanswered.some(isWorthRetrying),
    retry,
    done: () => done,
    changed: () => changed,
    failures: () => [
      ...refused.values(),
      ...unanswered.flatMap(({ chunk, problem }) => chunk.ids.map((id) => ({ id, problem }))),
    ],
  };
}

/** How long the request in flight may still be answered after the user cancels: its reply says which rows were done. */
const GRACE_MS = 3_000;

export function afterGracePeriod(signal: AbortSignal): AbortSignal {
  const late = new AbortController();
  signal.addEventListener('abort', () => setTimeout(() => late.abort(), GRACE_MS));
  return late.signal;
}

export function failureOf({ id, code, onHand }: Extract<BulkResult, { ok: false }>): Failure {
  return { id, problem: new ApiProblem(code, 0, onHand === undefined ? {} : { onHand }) };
}

const CHUNK_ROWS = 100;

async function* chunksOf(rows: Options['rows']): AsyncGenerator<Chunk, undefined> {
  for await (const ids of rows) {
    for (let at = 0; at < ids.length; at += CHUNK_ROWS)
      yield { key: newIdempotencyKey(), ids: ids.slice(at, at + CHUNK_ROWS) };
  }
}

/** Whether the next chunk would fail in the same way: no connection, an overloaded server, no permission. */
function stopsEveryChunk(problem: ApiProblem): boolean {
  return isRetryable(problem) || [401, 403].includes(problem.status);
}

/** Whether a retry may succeed. The rows were not refused: there was no reply, or a temporary fault or limit. */
function isWorthRetrying({ problem }: { problem: ApiProblem }): boolean {
  return problem.code === 'offline' || problem.status === 429 || problem.status >= 500;
}
