import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '../db/core/database.ts';
import { OperatorError } from '../db/core/errors.ts';
import { type Queries, queryRows, statement } from '../db/core/statement.ts';
import {
  addEntry,
  type Checkpoint,
  type Coverage,
  checkpointHash,
  type Entry,
  formatCheckpoint,
  hasValidSignature,
  inOrder,
  type KeptCheckpoint,
  MOVEMENTS,
  NUMBERED_BOOKS,
  type NumberedBook,
  rowHash,
  type SigningKey,
} from './checkpoint.ts';

/** An entry, and how many rows it adds to what is covered. */
type NewEntry = Entry & { added: number };

/** How many entries one checkpoint has at most: few enough that deliveries do not notice the transaction. */
const MAX_ENTRIES = 500;
/** How many rows one query looks at. */
const SLICE = 20_000;
const PAGE_SIZE = 2_000;

type Run = { db: Db; key: SigningKey; now: number; remembered?: KeptCheckpoint | null };

/**
 * Covers everything that is committed and not covered yet. A long list of entries becomes several checkpoints, of which
 * the last is complete; `pauseMs` passes between them, which leaves time for deliveries. Returns that one, or null if
 * nothing is new or another server is making checkpoints.
 *
 * With `remembered`, it only signs what continues the chain from there. A committed row never changes, so rows can be
 * read page by page: no transaction has to stay open meanwhile.
 */
export async function makeCheckpoints(
  { db, key, now, remembered = null }: Run,
  { maxEntries = MAX_ENTRIES, pauseMs = 0 } = {},
): Promise<Checkpoint | null> {
  let newest = await newestSince(db.query, remembered);
  let entries: NewEntry[] = [];
  for await (const entry of uncoveredEntries(db, newest)) {
    entries.push(entry);
    if (entries.length < maxEntries) continue;
    newest = await append({ db, key, now }, newest, entries, 0);
    if (!newest) return null;
    entries = [];
    // The pause of a server that shuts down is not waited for. A program has nothing else to wait for, so it would end.
    if (pauseMs > 0) await wait(pauseMs, undefined, { ref: false });
  }
  if (entries.length === 0 && newest?.complete !== 0) return null;
  return append({ db, key, now }, newest, entries, 1);
}

export async function newestCheckpoint(db: Queries): Promise<Checkpoint | null> {
  return (await selectNewest(db))[0] ?? null;
}

/**
 * Returns the newest checkpoint. The chain must lead to it from the remembered one: otherwise the owner of the database
 * has removed or rewritten checkpoints, and the server must not sign what is there now.
 */
export async function newestSince(db: Queries, remembered: KeptCheckpoint | null): Promise<Checkpoint | null> {
  if (!remembered) return newestCheckpoint(db);
  let newest: Checkpoint | null = null;
  let page: Checkpoint[];
  do {
    page = await nextCheckpoints(db, newest?.number ?? remembered.number - 1, PAGE_SIZE);
    for (const checkpoint of page) {
      const continues: boolean = newest
        ? checkpoint.number === newest.number + 1 &&
          checkpoint.previous === newest.hash &&
          hasValidSignature(checkpoint)
        : checkpoint.number === remembered.number && checkpoint.hash === remembered.hash;
      if (!continues || checkpoint.hash !== checkpointHash(checkpoint)) throw new NotContinued(remembered);
      newest = checkpoint;
    }
  } while (page.length === PAGE_SIZE);
  if (!newest) throw new NotContinued(remembered);
  return newest;
}

/** The database does not continue the chain of checkpoints that the server remembers. */
export class NotContinued extends OperatorError {
  constructor(remembered: KeptCheckpoint) {
    super(
      `The database does not continue checkpoint ${formatCheckpoint(remembered)}, which was there before: checkpoints were ` +
        'removed or rewritten, or older data was restored. Nothing is signed. See "Checkpoints of the ledger" in docs/operating.md.',
    );
  }
}

export function coverageOf(checkpoint: Checkpoint | null): Record<string, Coverage> {
  return checkpoint ? JSON.parse(checkpoint.books) : {};
}

/**
 * Appends a checkpoint. Returns null if another server has just made the one with this number: a number is given once, so
 * the chain never forks.
 */
async function append(
  { db, key, now }: Run,
  newest: Checkpoint | null,
  entries: NewEntry[],
  complete: 0 | 1,
): Promise<Checkpoint | null> {
  const unsigned = {
    number: (newest?.number ?? 0) + 1,
    at: now,
    complete,
    books: JSON.stringify(extend(coverageOf(newest), entries)),
    content: inOrder(entries).reduce(addEntry, ''),
    previous: newest?.hash ?? '',
    public_key: key.publicKey,
  };
  const hash = checkpointHash(unsigned);
  const checkpoint: Checkpoint = { ...unsigned, hash, signature: key.sign(hash) };
  return db.change(async (queries) => {
    const { number, at, books, content, previous, public_key, signature } = checkpoint;
    const columns = [number, at, complete, books, content, previous, hash, public_key, signature] as const;
    const [made] = await insertCheckpoint(queries, ...columns);
    if (!made) return null;
    await queryRows(queries, INSERT_ENTRIES[db.dialect], [number, JSON.stringify(entries)]);
    return checkpoint;
  });
}

function extend(before: Record<string, Coverage>, entries: NewEntry[]): Record<string, Coverage> {
  const after: Record<string, Coverage> = {};
  for (const [book, { rows, to }] of Object.entries(before)) after[book] = { added: 0, rows, to };
  for (const { book, added, position } of entries) {
    const covered = after[book] ?? { added: 0, rows: 0, to: 0 };
    const rows = covered.rows + added;
    // The ledger is numbered by item. Its position is the number of all movements covered.
    const to = book === MOVEMENTS ? rows : Math.max(covered.to, position);
    after[book] = { added: covered.added + added, rows, to };
  }
  return after;
}

async function* uncoveredEntries(db: Db, newest: Checkpoint | null): AsyncGenerator<NewEntry> {
  const covered = coverageOf(newest);
  for (const book of NUMBERED_BOOKS) yield* uncoveredRows(db, book, covered[book.name]);
  yield* uncoveredMovements(db);
}

/**
 * Looks after the highest covered number. If the rows do not add up, a row with a lower number was committed later, and
 * all numbers are looked at.
 */
async function* uncoveredRows(db: Db, book: NumberedBook, covered?: Coverage): AsyncGenerator<NewEntry> {
  const { rows = 0, to = 0 } = covered ?? {};
  const [{ highest = 0 } = {}] = await db.longQuery<{ highest: number }>(
    `select coalesce(max(num), 0) as highest from ${book.name}`,
    [],
  );
  let found = rows;
  for await (const entry of rowsBetween(db, book, to, highest)) {
    found++;
    yield entry;
  }
  const [{ count = 0 } = {}] = await db.longQuery<{ count: number }>(
    `select count(*) as count from ${book.name} where num <= $1`,
    [highest],
  );
  if (to > 0 && count !== found) yield* rowsBetween(db, book, 0, to);
}

async function* rowsBetween(db: Db, book: NumberedBook, after: number, until: number): AsyncGenerator<NewEntry> {
  const { name, subject, columns } = book;
  while (after < until) {
    const end = Math.min(after + SLICE, until);
    const rows = await db.longQuery<Record<string, unknown> & { num: number }>(
      `select ${columns.join(', ')} from ${name} gained where num > $1 and num <= $2 and not exists (
         select 1 from checkpoint_entries
         where book = '${name}' and subject = gained.${subject} and position = gained.num)
       order by num limit ${MAX_ENTRIES}`,
      [after, end],
    );
    for (const row of rows)
      yield { book: name, subject: String(row[subject]), position: row.num, hash: rowHash(book, row), added: 1 };
    after = rows.length < MAX_ENTRIES ? end : (rows.at(-1)?.num ?? end);
  }
}

/**
 * Finds the items whose ledger has grown. An item holds the number and the hash of its last movement, so one entry covers
 * all its new movements, and movements need not be read.
 */
async function* uncoveredMovements(db: Db): AsyncGenerator<NewEntry> {
  for (let after: string | null = ''; after !== null; ) {
    const [end]: { id: string }[] = await db.longQuery<{ id: string }>(SELECT_SLICE_END, [after, SLICE]);
    const rows: Grown[] = await db.longQuery<Grown>(end ? SELECT_GROWN_BETWEEN : SELECT_GROWN_AFTER, [
      after,
      MAX_ENTRIES,
      ...(end ? [end.id] : []),
    ]);
    for (const { subject, position, covered, hash } of rows)
      yield { book: MOVEMENTS, subject, position, hash, added: position - covered };
    after = rows.length < MAX_ENTRIES ? (end?.id ?? null) : (rows.at(-1)?.subject ?? null);
  }
}
type Grown = { subject: string; position: number; covered: number; hash: string };

const SELECT_SLICE_END = 'select id from items where id > $1 order by id limit 1 offset $2';
const selectGrown = (range: string) => `
  select subject, position, hash, covered from (
    select id as subject, stock_seq as position, ledger_hash as hash, coalesce((
      select max(position) from checkpoint_entries where book = '${MOVEMENTS}' and subject = items.id), 0) as covered
    from items where ${range}) grown
  where covered < position order by subject limit $2`;
const SELECT_GROWN_BETWEEN = selectGrown('id > $1 and id <= $3');
const SELECT_GROWN_AFTER = selectGrown('id > $1');

export const nextCheckpoints = statement<Checkpoint, [after: number, limit: number]>(
  'select * from checkpoints where number > $1 order by number limit $2',
);

const selectNewest = statement<Checkpoint, []>('select * from checkpoints order by number desc limit 1');

const insertCheckpoint = statement<
  { number: number },
  [
    number: number,
    at: number,
    complete: number,
    books: string,
    content: string,
    previous: string,
    hash: string,
    publicKey: string,
    signature: string,
  ]
>(
  `insert into checkpoints (number, at, complete, books, content, previous, hash, public_key, signature)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (number) do nothing returning number`,
);

const INSERT_ENTRIES = {
  sqlite: `insert into checkpoint_entries (book, subject, position, checkpoint, hash)
    select value ->> 'book', value ->> 'subject', value ->> 'position', $1, value ->> 'hash' from json_each($2)`,
  postgres: `insert into checkpoint_entries (book, subject, position, checkpoint, hash)
    select book, subject, position, $1::bigint, hash
    from json_to_recordset($2::json) as entries (book text, subject text, position bigint, hash text)`,
};
