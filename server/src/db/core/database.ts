import type { KeptQuery } from './kept-query.ts';
import type { Queries } from './statement.ts';

/** The database, with one interface over SQLite and PostgreSQL. */
export type Db = {
  dialect: 'sqlite' | 'postgres';
  /** Sees committed data only. */
  query: Queries;
  /** Runs a query over many rows without making other requests wait. The SQL has $1, $2 … as in `statement`. */
  longQuery<Row>(text: string, params: readonly unknown[]): Promise<Row[]>;
  /** The same for a query whose rows may be kept: the next one is then answered without reading all of them again. */
  keptQuery<Row>(query: KeptQuery): Promise<Row[]>;
  /** The same for a search that reads many texts. It does not wait for long queries. */
  searchQuery<Row>(text: string, params: readonly unknown[]): Promise<Row[]>;
  /** The same for a page far down a list, whose rows may be kept. */
  keptSearch<Row>(query: KeptQuery): Promise<Row[]>;
  /** The same for a long query that searches texts as well. Other long queries do not wait for it on SQLite. */
  longSearch<Row>(text: string, params: readonly unknown[]): Promise<Row[]>;
  /**
   * Runs `work` in one transaction and resolves when the transaction is on disk. `work` must await nothing but the
   * database and may run more than once. `repeatable` says that a second run is harmless even if the first one was
   * committed.
   */
  change<T>(work: (db: Queries) => Promise<T>, options?: { repeatable: boolean }): Promise<T>;
  /**
   * Runs a change that is a single statement and harmless if it runs twice, so it needs no explicit transaction. Null
   * on SQLite, where a round trip costs nothing and changes share a commit anyway.
   */
  changeInOneStatement: ChangeInOneStatement | null;
  /**
   * Changes with every commit that changes data: two equal versions mean that nothing was changed in between. On SQLite a
   * commit of another program, which is not a server, is noticed in the next turn of the event loop.
   */
  dataVersion(): number | Promise<string>;
  /**
   * Changes when a session, a person, a membership, a house or an API key may have changed, but not with the stock. Null on
   * PostgreSQL, where asking whether one has changed costs as much as looking it up.
   */
  peopleVersion: (() => number) | null;
  /** Calls `listener` soon after a commit on this or another server. Returns a function that unsubscribes. */
  onCommit(listener: () => void): () => void;
  /** Brings the full-text index up to date. Returns false if that fails: the search must then scan the texts. */
  prepareSearch(): Promise<boolean>;
  /** Updates the planner statistics after a bulk insert, instead of waiting for the database to do it. */
  analyze(tables: readonly string[]): Promise<void>;
  /** Throws when nothing can be written to the database. */
  checkWritable(): Promise<void>;
  close(): Promise<void>;
};

export type ChangeInOneStatement = <Row>(text: string, params: unknown[]) => Promise<Row[]>;
