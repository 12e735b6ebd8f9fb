import pLimit from 'p-limit';
import type { Db } from './database.ts';

/** How many changes of one request run at once. `alone`: each takes one of the 16 connections to PostgreSQL. */
const AT_ONCE = { together: 64, alone: 8 };

/**
 * Makes one change for each input, a limited number at a time. Changes of other people go in between: they would
 * otherwise wait for all of these, or find no connection. `isTogether`: PostgreSQL makes them in few statements.
 */
export async function inTurns<Input, Result>(
  { dialect }: Db,
  inputs: readonly Input[],
  change: (input: Input) => Promise<Result>,
  { isTogether = false } = {},
): Promise<Result[]> {
  const limit = pLimit(dialect === 'sqlite' || isTogether ? AT_ONCE.together : AT_ONCE.alone);
  try {
    return await limit.map(inputs, change);
  } finally {
    // After a failure, what has not begun is left to the next request.
    limit.clearQueue();
  }
}
