import type { BulkResult } from '@perfume/contract/bulk';
import { ApiProblem } from '../api/client.ts';
import { isRetryable } from '../api/query-client.ts';
import { newIdempotencyKey } from '../api/retry.ts';

/** A row that was not done, and why. */
export type Failure = { id: string; problem: ApiProblem };

/** Rows sent together. Whatever happens to the answer, they are sent again only under the same key. */
export type Chunk = { key: string; ids: string[] };

export type Ending = 'done' | 'cancelled' | 'stopped';

type Way = {
  /** The rows to work on, in portions. */
  rows: AsyncIterable<string[]> | Iterable<string[]>;
  /** Ends at the latest when `cancel` says so. */
  send: (portion: Chunk, cancel: AbortSignal) => Promise<BulkResult[]>;
  /** After each portion: how many are done so far, and which have just been. */
  tell: (done: number, justDone: string[]) => void;
};

export type BulkWork = {
  /** Goes on from where it stands until all is done, `signal` says stop, or nothing gets through any more. */
  run: (signal: AbortSignal) => Promise<Ending>;
  /** Whether trying again may help with any of what failed. */
  canRetry: () => boolean;
  /** The next `run` takes that up again. */
  retry: () => void;
  failures: () => Failure[];
  done: () => number;
};

/** Chunk after portion, one at a time: progress is honest and stopping is quick. */
export function bulkWork({ rows, send, tell }: Way): BulkWork {
  const rest = portionsOf(rows);
  let first: Chunk[] = [];
  const refused = new Map<string, Failure>();
  let unanswered: { portion: Chunk; problem: ApiProblem }[] = [];
  let done = 0;

  async function run(signal: AbortSignal): Promise<Ending> {
    const cancel = afterGracePeriod(signal);
    while (!signal.aborted) {
      const portion = first.shift() ?? (await rest.next()).value;
      if (portion === undefined) return 'done';
      try {
        take(await send(portion, cancel));
      } catch (reason) {
        const problem = cancel.aborted ? new ApiProblem('offline', 0) : reason;
        if (!(problem instanceof ApiProblem)) throw problem;
        unanswered.push({ portion, problem });
        if (isForAll(problem)) return signal.aborted ? 'cancelled' : 'stopped';
      }
    }
    return 'cancelled';
  }

  function take(results: BulkResult[]): void {
    const justDone: string[] = [];
    for (const result of results) {
      if (result.ok) justDone.push(result._id);
      else refused.set(result._id, failureOf(result));
    }
    done += justDone.length;
    tell(done, justDone);
  }

  const mayHelp = ({ problem }: { problem: ApiProblem }) => mayPass(problem);

  function retry(): void {
    // Under their keys, so what was done although its answer got lost is not done twice.
    first = [...unanswered.filter(mayHelp).map(({ portion }) => portion), ...first];
    unanswered = unanswered.filter((one) => !mayHelp(one));
  }

  return {
    run,
    canRetry: () => unanswered.some(mayHelp),
    retry,
    done: () => done,
    failures: () => [
      ...refused.values(),
      ...unanswered.flatMap(({ portion, problem }) => portion.ids.map((id) => ({ id, problem }))),
    ],
  };
}

/** After Cancel, the request under way may still be answered for so long: then it is known which rows were done. */
const LAST_ANSWER_MS = 3_000;

export function afterGracePeriod(signal: AbortSignal): AbortSignal {
  const late = new AbortController();
  signal.addEventListener('abort', () => setTimeout(() => late.abort(), LAST_ANSWER_MS));
  return late.signal;
}

export function failureOf({ _id, code, onHand }: Extract<BulkResult, { ok: false }>): Failure {
  return { id: _id, problem: new ApiProblem(code, 0, onHand === undefined ? {} : { onHand }) };
}

const PORTION = 100;

async function* portionsOf(rows: Way['rows']): AsyncGenerator<Chunk, undefined> {
  for await (const ids of rows) yield* portions(ids);
}

function portions(ids: string[]): Chunk[] {
  const found: Chunk[] = [];
  for (let at = 0; at < ids.length; at += PORTION)
    found.push({ key: newIdempotencyKey(), ids: ids.slice(at, at + PORTION) });
  return found;
}

/** The next portion would meet the same: no connection, no place, no sign-in. */
function isForAll(problem: ApiProblem): boolean {
  return isRetryable(problem) || [401, 403, 429].includes(problem.status);
}

/** No row was refused: there was no answer, or a fault or a limit that passes. */
function mayPass(problem: ApiProblem): boolean {
  return problem.code === 'offline' || problem.status === 429 || problem.status >= 500;
}
