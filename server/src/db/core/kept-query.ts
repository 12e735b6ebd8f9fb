/**
 * A query over all items of a house in steps: a row for each item that matters, then those of these rows that the answer
 * shows, and the answer. The rows of a large house are kept (see kept-tables.ts), so that the next such query computes only
 * those of items that changed since.
 */
export type KeptQuery = {
  house: number;
  /** SQL for the rows, with the columns num (of the item), grp (see `sums`) and others: see `rowsOf`. */
  rows: { all: string; part: string; few: string };
  /** The other columns, and grp. */
  columns: Readonly<Record<string, 'bigint' | 'text'>>;
  /** These columns are added up for each value of `grp`, into the table `sums`, which also has the count `n`. */
  sums: readonly string[];
  /** SQL for those of the sums that the answer reads, if not all. */
  shownSums?: string;
  /** SQL that selects what the answer shows from the tables `kept` and `sums`, into the table `page`; null if it needs only `sums`. */
  page: string | null;
  /** A faster way, in the SQL of SQLite, if the rows are kept. */
  keptPage?: string;
  /** The order in which the page reads the rows; null without one. */
  order: string | null;
  /** SQL that reads the tables `page` and `sums`, and others. Its rows are in the order of their column `place`. */
  answer: string;
  /** SQL that gives the answer faster than all rows can be computed: while they are not there, or if they are too many to keep, it does. */
  otherwise?: string;
  /** How many items' rows are computed at once, if an item has many rows, or if few items have any. */
  itemsAtOnce?: number;
  /** $1 is the boundary of the stored sums (see sums.store.ts), and the rows are the same wherever that is. */
  anyBoundary?: boolean;
  /** Those of the rows come first, then those of the page and of the answer. */
  params: readonly unknown[];
};

/** Which items the rows are computed of: SQL to read them from, a condition for it, and conditions on the number or id of an item. */
export type Which = {
  items: string;
  where: string;
  num: (sql: string) => string;
  id: (sql: string) => string;
  /** They are few, so what happened to them is found item by item. */
  areFew: boolean;
};

export const ALL_ITEMS: Which = { items: 'items', where: '', num: () => '', id: () => '', areFew: false };
/** Keeps SQLite from an index: a part of the table is read in its own order. */
export const IN_ORDER = ' not indexed';
/** Those whose numbers are in a range: the only row of the table `part`. */
const PART: Which = {
  items: `items${IN_ORDER}`,
  where: ` and ${isInPart('items.num')}`,
  num: (sql) => ` and ${isInPart(sql)}`,
  id: (sql) => ` and ${sql} in (select items.id from items where ${isInPart('items.num')})`,
  areFew: false,
};
/** Those in the table `touched`. */
const TOUCHED: Which = {
  items: 'touched cross join items',
  where: ' and items.num = touched.num',
  num: (sql) => ` and ${sql} in (select num from touched)`,
  id: (sql) => ` and ${sql} in (select id from touched)`,
  areFew: true,
};

function isInPart(sql: string): string {
  return `${sql} > (select after from part) and ${sql} <= (select until from part)`;
}

/** SQL for the rows of all items, of a part of them, or of few. */
export function rowsOf(sql: (which: Which) => string): KeptQuery['rows'] {
  return { all: sql(ALL_ITEMS), part: sql(PART), few: sql(TOUCHED) };
}

/** The query as one statement, which keeps nothing. */
export function asOneStatement({ rows, sums, page, answer }: Omit<KeptQuery, 'house' | 'params'>): string {
  const added = sums.map((column) => `, cast(sum(${column}) as bigint) as ${column}`).join('');
  const summed = `select grp, count(*) as n${added} from kept group by grp`;
  const shown = page === null ? '' : `, page as (${page})`;
  return `with kept as materialized (${rows.all}), sums as (${summed})${shown} ${ordered(answer)}`;
}

/** The query as one statement that is fast without kept rows. */
export function asFastestStatement(query: KeptQuery): string {
  return query.otherwise === undefined ? asOneStatement(query) : ordered(query.otherwise);
}

export const ordered = (answer: string) => `select * from (${answer}) answer order by place`;
