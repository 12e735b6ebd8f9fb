import { type Queries, queryRows, statement } from '../db/core/statement.ts';
import {
  addEntry,
  type Checkpoint,
  checkpointHash,
  type Entry,
  hasValidSignature,
  type KeptCheckpoint,
  MOVEMENTS,
  NUMBERED_BOOKS,
  type NumberedBook,
  rowHash,
} from './checkpoint.ts';
import { coverageOf, nextCheckpoints } from './checkpoints.store.ts';

export type VerifiedCheckpoints = {
  newest: Checkpoint | null;
  /** How many rows of all books the newest checkpoint and those before it cover. */
  rows: number;
  /** The different public keys that the checkpoints name, the oldest first. */
  publicKeys: string[];
  /** What does not fit, each with its checkpoint, book and subject. Empty if everything fits. */
  faults: string[];
};

export type Expected = {
  /** The public keys that may have signed. Empty if none is known: signatures are then checked with the stored keys. */
  publicKeys: readonly string[];
  /** A checkpoint that was kept elsewhere. */
  since: KeptCheckpoint | null;
  /** The last checkpoint that the server on this machine has seen. */
  remembered?: KeptCheckpoint | null;
};

const PAGE_SIZE = 2_000;
const MAX_FAULTS = 20;
/** Clocks of servers may differ by this much, as for the sums of past figures. */
const MAX_CLOCK_DIFFERENCE_MS = 60 * 60 * 1_000;

/**
 * Checks the chain and the signatures of all checkpoints, compares what they cover with the rows that exist now, and
 * looks for rows that were added with a date before a checkpoint that does not cover them. `verifyLedger` has to check the ledger itself: a checkpoint
 * covers a movement through its hash.
 */
export async function verifyCheckpoints(
  db: Queries,
  { publicKeys, since, remembered = null }: Expected,
): Promise<VerifiedCheckpoints> {
  const faults: string[] = [];
  const report = (fault: string) => {
    if (faults.length < MAX_FAULTS) faults.push(fault);
    else if (faults.length === MAX_FAULTS) faults.push('There is more that does not fit.');
  };
  const { contents, newest, complete, used } = await checkChain(db, publicKeys, since, report);
  if (since) checkKept(since, 'you kept', contents, newest, report);
  if (remembered) checkKept(remembered, 'this server remembers', contents, newest, report);

  const hashes = new Map<number, string>();
  const add: Add = (checkpoint, entry, earliest) => {
    hashes.set(checkpoint, addEntry(hashes.get(checkpoint) ?? '', entry));
    if (earliest !== null && earliest < (contents.get(checkpoint)?.notBefore ?? 0))
      report(`${nameOf(checkpoint, entry)} was added with a date before the previous checkpoint.`);
  };
  // In the order of their names, as the entries of a checkpoint are hashed.
  for (const book of NUMBERED_BOOKS) await checkRows(db, book, add, report);
  await checkMovements(db, add, report);
  for (const [number, { content }] of contents) {
    if ((hashes.get(number) ?? '') !== content) report(`Checkpoint ${number}: the list of what it covers was changed.`);
    hashes.delete(number);
  }
  for (const number of hashes.keys())
    report(`Checkpoint ${number} is missing, but the list of what it covers is there.`);
  const unknown = await unknownBooks(db);
  for (const { book, checkpoint } of unknown) report(`Checkpoint ${checkpoint} covers ${book}, an unknown book.`);

  if (complete) await checkDates(db, complete, report);
  const rows = Object.values(coverageOf(newest)).reduce((sum, covered) => sum + covered.rows, 0);
  return { newest, rows, publicKeys: [...used], faults };
}

type Report = (fault: string) => void;
/** `earliest` is the earliest date of the rows that the entry covers, or null if they are missing. */
type Add = (checkpoint: number, entry: Entry, earliest: number | null) => void;

function nameOf(checkpoint: number, { book, subject, position }: Pick<Entry, 'book' | 'subject' | 'position'>): string {
  return `Checkpoint ${checkpoint}, ${book}: number ${position}, about ${subject},`;
}
/** `notBefore` is the earliest date that a row may have which the checkpoint covers. */
type Contents = Map<number, Pick<Checkpoint, 'content' | 'hash'> & { notBefore: number }>;

async function checkChain(db: Queries, publicKeys: readonly string[], since: KeptCheckpoint | null, report: Report) {
  const contents: Contents = new Map();
  const used = new Set<string>();
  let newest: Checkpoint | null = null;
  /** The last checkpoint, not after the kept one, that covers everything committed by its time. */
  let complete: Checkpoint | null = null;
  /** The time of the last complete checkpoint, kept or not. All rows that are older belong into it or an earlier one. */
  let completeAt = 0;
  let page: Checkpoint[];
  do {
    page = await nextCheckpoints(db, newest?.number ?? 0, PAGE_SIZE);
    for (const checkpoint of page) {
      const { number, hash, previous, public_key } = checkpoint;
      const expected = (newest?.number ?? 0) + 1;
      if (number !== expected) report(`Checkpoint ${expected} is missing.`);
      else if (previous !== (newest?.hash ?? '')) report(`Checkpoint ${number} does not continue the one before it.`);
      if (hash !== checkpointHash(checkpoint)) report(`Checkpoint ${number} was changed: its hash does not match it.`);
      else if (!hasValidSignature(checkpoint)) report(`Checkpoint ${number} was forged: its signature is not valid.`);
      else if (publicKeys.length > 0 && !publicKeys.includes(public_key))
        report(`Checkpoint ${number} was signed with another key: ${public_key}.`);
      used.add(public_key);
      contents.set(number, { content: checkpoint.content, hash, notBefore: completeAt - MAX_CLOCK_DIFFERENCE_MS });
      newest = checkpoint;
      if (checkpoint.complete) completeAt = checkpoint.at;
      if (checkpoint.complete && (!since || number <= since.number)) complete = checkpoint;
    }
  } while (page.length === PAGE_SIZE);
  return { contents, newest, complete, used };
}

function checkKept(
  kept: KeptCheckpoint,
  where: 'you kept' | 'this server remembers',
  contents: Contents,
  newest: Checkpoint | null,
  report: Report,
): void {
  const found = contents.get(kept.number);
  if (found?.hash === kept.hash) return;
  if (found)
    report(
      `Checkpoint ${kept.number} is not the one ${where}: what it covers was rewritten, or an older backup was restored ` +
        'and checkpoints were made since.',
    );
  else if (kept.number > (newest?.number ?? 0))
    report(
      `The database is older than the checkpoint ${kept.number} that ${where}: it ends with ` +
        `${newest ? `checkpoint ${newest.number} of ${new Date(newest.at).toISOString()}` : 'no checkpoint'}. ` +
        'An older backup was restored, or checkpoints were removed.',
    );
}

async function checkMovements(db: Queries, add: Add, report: Report) {
  let position = { subject: '', position: 0 };
  let page: MovementEntry[];
  do {
    page = await movementEntries(db, position.subject, position.position, PAGE_SIZE);
    for (const { checkpoint, found, earliest, ...entry } of page) {
      add(checkpoint, { book: MOVEMENTS, ...entry }, earliest);
      if (found === entry.hash) continue;
      const what = found === null ? 'are missing' : 'were changed';
      report(
        `Checkpoint ${checkpoint}, ${MOVEMENTS}: movements of item ${entry.subject} up to number ${entry.position} ${what}.`,
      );
    }
    position = page.at(-1) ?? position;
  } while (page.length === PAGE_SIZE);
}

async function checkRows(db: Queries, book: NumberedBook, add: Add, report: Report): Promise<void> {
  const columns = book.columns.map((column) => `gained.${column} as ${column}`).join(', ');
  let last = { entry_subject: '', entry_position: 0 };
  let page: RowEntry[];
  do {
    page = await queryRows<RowEntry>(
      db,
      `select subject as entry_subject, position as entry_position, checkpoint as entry_checkpoint, hash as entry_hash, ${columns}
       from checkpoint_entries left join ${book.name} gained on gained.num = position
       where book = $1 and (subject, position) > ($2, $3) order by subject, position limit $4`,
      [book.name, last.entry_subject, last.entry_position, PAGE_SIZE],
    );
    for (const row of page) {
      const { entry_subject: subject, entry_position: position, entry_checkpoint: checkpoint, entry_hash: hash } = row;
      const entry = { book: book.name, subject, position, hash };
      add(checkpoint, entry, row.at);
      if (row.num !== null && rowHash(book, row) === hash) continue;
      const what = row.num === null ? 'is missing' : 'was changed';
      report(`${nameOf(checkpoint, entry)} ${what}.`);
    }
    last = page.at(-1) ?? last;
  } while (page.length === PAGE_SIZE);
}

/** Finds rows that a complete checkpoint does not cover although they claim to be older than it. */
async function checkDates(db: Queries, { number, at }: Checkpoint, report: Report): Promise<void> {
  const before = at - MAX_CLOCK_DIFFERENCE_MS;
  const added = (book: string, subject: string, position: number) =>
    `${nameOf(number, { book, subject, position })} was added later with an earlier date.`;
  for (const { item_id, seq } of await earlyMovements(db, before, number)) report(added(MOVEMENTS, item_id, seq));
  for (const { name, subject } of NUMBERED_BOOKS) {
    const rows = await queryRows<{ num: number; subject: string }>(
      db,
      `select num, ${subject} as subject from ${name} early where at < $1 and not exists (
         select 1 from checkpoint_entries where book = '${name}' and subject = early.${subject} and position = early.num
           and checkpoint <= $2) order by num limit ${MAX_FAULTS}`,
      [before, number],
    );
    for (const row of rows) report(added(name, row.subject, row.num));
  }
}

type MovementEntry = Omit<Entry, 'book'> & { checkpoint: number; found: string | null; earliest: number | null };
type RowEntry = Record<string, unknown> & {
  num: number | null;
  at: number | null;
  entry_subject: string;
  entry_position: number;
  entry_checkpoint: number;
  entry_hash: string;
};

const movementEntries = statement<MovementEntry, [subject: string, position: number, limit: number]>(
  `select subject, position, checkpoint, entry.hash, movement.hash as found, (
     select min(covered.at) from stock_movements covered
     where covered.item_id = entry.subject and covered.seq <= entry.position and covered.seq > coalesce((
       select max(before.position) from checkpoint_entries before
       where before.book = '${MOVEMENTS}' and before.subject = entry.subject and before.position < entry.position), 0)
   ) as earliest
   from checkpoint_entries entry left join stock_movements movement on item_id = subject and seq = position
   where book = '${MOVEMENTS}' and (subject, position) > ($1, $2) order by subject, position limit $3`,
);
const earlyMovements = statement<{ item_id: string; seq: number }, [before: number, checkpoint: number]>(
  `select item_id, seq from stock_movements where at < $1 and not exists (
     select 1 from checkpoint_entries where book = '${MOVEMENTS}' and subject = item_id and position >= seq
       and checkpoint <= $2) order by at, id limit ${MAX_FAULTS}`,
);
const unknownBooks = statement<{ book: string; checkpoint: number }, []>(
  `select book, min(checkpoint) as checkpoint from checkpoint_entries
   where book not in (${[MOVEMENTS, ...NUMBERED_BOOKS.map(({ name }) => name)].map((name) => `'${name}'`).join(', ')})
   group by book order by book limit ${MAX_FAULTS}`,
);
