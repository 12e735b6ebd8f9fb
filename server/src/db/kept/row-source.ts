import type { KeptQuery } from '../core/kept-query.ts';

/** So many changes for each item that changed are read at once. The same few items may be delivered again and again. */
export const CHANGES_OF_AN_ITEM = 20;

/** A place in the change feed. */
export type FeedPlace = { position: number; at: number };
/** Which items the rows are computed of: all, those with a number in a range, or some. */
export type Wanted = 'all' | { after: number; until: number } | { nums: readonly number[] };
export type Row = Record<string, unknown>;
/** SQL that defines `kept` and `sums` in the store, and SQL that selects the page from them if there is one. */
export type KeptSql = { with: string; page: string | null };

/** The database of the rows that are kept in a store (see kept-tables.ts). */
export type RowSource = {
  /** Between `begin` and `end`, all answers are of one state of the database. */
  begin(): Promise<void>;
  end(): Promise<void>;
  query<Row>(text: string, params: readonly unknown[]): Promise<Row[]>;
  /**
   * The end of the feed, and the items of a house that changed since another place; null without one, if the feed no longer has
   * all changes, or if they are too many. `most`: the number of items.
   */
  readFeed(
    since: FeedPlace | undefined,
    house: number,
    most: number,
  ): Promise<{ end: FeedPlace; changed: readonly number[] | null }>;
  /** Computes rows and adds them to a table of the store. Returns how many. */
  addRows(table: string, query: KeptQuery, params: readonly unknown[], wanted: Wanted): Promise<number>;
  answer(query: KeptQuery, params: readonly unknown[], tables: KeptSql): Promise<Row[]>;
};
