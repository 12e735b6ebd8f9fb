/** The limits of long queries, the same on both databases. */
export const LONG_QUERY_LIMITS = {
  /** Then the query is stopped. Most clients have given up by then. */
  timeoutMs: 10_000,
  /** Queries that may wait for their turn. A client further back would give up before it. */
  waiting: 32,
};
