/** The limits of long queries, the same on both databases. */
export const LONG_QUERY_LIMITS = {
  /** A query that takes longer is stopped. Most clients have given up by then. */
  timeoutMs: 10_000,
  /** How many queries may wait. A client further back in the queue would give up before its query runs. */
  waiting: 32,
};
