import type { Db } from './database.ts';

/** One look at how far the store has come, shared by everything a request reads. */
export type Moment = () => number | string | Promise<string>;

type Remembered = { state: number | string; answer: Promise<unknown>; bytes: number };

const MOST_ENTRIES = 5_000;
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Answers that are given again as long as the store is at the state they were made at. Of most that is: nothing at all was
 * committed since, here or on another server. What a request reads is therefore never older than the request.
 */
export function remembering(db: Db) {
  const entries = new Map<string, Remembered>();
  let bytes = 0;

  /** Taken once for a request; the store is asked when it is first needed. */
  function moment(): Moment {
    let state: ReturnType<Moment> | null = null;
    return () => {
      state ??= db.stateOfData();
      return state;
    };
  }

  async function remember<T>(
    now: Moment,
    question: string,
    make: () => Promise<T>,
    size: (answer: T) => number,
  ): Promise<T> {
    // Looked at before the answer is read: if something is committed in between, the next request sees that it moved.
    const state = await now();
    const known = entries.get(question);
    if (known?.state === state) return known.answer as Promise<T>;
    const answer = make();
    keep(question, { state, answer, bytes: 0 });
    answer.then(
      (value) => count(question, answer, size(value)),
      () => entries.delete(question),
    );
    return answer;
  }

  function keep(question: string, entry: Remembered): void {
    if (entries.size >= MOST_ENTRIES || bytes > MOST_BYTES) {
      entries.clear();
      bytes = 0;
    }
    bytes -= entries.get(question)?.bytes ?? 0;
    entries.set(question, entry);
  }

  function count(question: string, answer: Promise<unknown>, size: number): void {
    const entry = entries.get(question);
    if (entry?.answer !== answer) return;
    entry.bytes = size;
    bytes += size;
  }

  return { moment, remember };
}

export type Memory = ReturnType<typeof remembering>;
