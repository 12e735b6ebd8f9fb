import type { Queries } from './statement.ts';

/** The warehouse's store, the same over either database. */
export type Db = {
  dialect: 'sqlite' | 'postgres';
  /** Reads only what is committed. */
  query: Queries;
  /** A question over very many rows, asked so that nobody else waits for it. SQL with $1, $2 … as in `statement`. */
  longQuery<Row>(text: string, params: readonly unknown[]): Promise<Row[]>;
  /**
   * One transaction: all of `work` or nothing, and on disk before it answers. `work` awaits nothing but its database
   * and may run more than once. `repeatable` says that a second run is harmless even if the first one was kept.
   */
  change<T>(work: (db: Queries) => Promise<T>, options?: { repeatable: boolean }): Promise<T>;
  /**
   * A change that is one statement, its transaction included, and harmless if it runs twice. Null where a round trip
   * costs nothing and many changes share a commit anyway.
   */
  changeInOneStatement: ChangeInOneStatement | null;
  /** Names what has been committed so far: two equal answers mean nothing changed in between. */
  dataVersion(): number | Promise<string>;
  /**
   * Names which items there are and what stands on them, whatever happens to their quantities: two equal answers mean
   * that none came, went or was edited in between. Null where that cannot be told any cheaper than by asking for them.
   */
  itemsVersion: (() => string) | null;
  /** Called soon after a change was committed, here or on another server. */
  onCommit(listener: () => void): () => void;
  /** Whether what is committed can be found through the index of texts. If not, the texts themselves have to be read. */
  prepareSearch(): Promise<boolean>;
  /** After very many rows were added at once: what plans are made from is counted now, not when the database finds time. */
  analyze(tables: readonly string[]): Promise<void>;
  /** Throws when a change could not be written now. */
  checkWritable(): Promise<void>;
  close(): Promise<void>;
};

export type ChangeInOneStatement = <Row>(text: string, params: unknown[]) => Promise<Row[]>;
