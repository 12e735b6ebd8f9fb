import type { HistoryKind } from '@perfume/contract/history';
import type { Selectable } from 'kysely';
import { type Queries, queryRows, statement } from '../db/core/statement.ts';
import type { ItemEventRow, MovementRow } from '../db/core/tables.ts';
import { type FieldChange, toItemEvent } from '../items/item-events.ts';

/** One line of the history, whichever of the two books it stands in. */
export type Entry = {
  id: string;
  itemId: string;
  itemName: string;
  kind: HistoryKind;
  delta: number | null;
  quantityAfter: number | null;
  undoneKind: MovementRow['kind'] | null;
  changes: FieldChange[];
  actorId: string;
  actorName: string;
  at: number;
  note: string | null;
  batch: string | null;
  undoes: string | null;
  undoneBy: string | null;
};

export type HistoryQuestion = {
  itemId: string | null;
  kind: HistoryKind | null;
  actorId: string | null;
  from: number | null;
  to: number | null;
  limit: number;
  after: HistoryCursor | null;
};

/** How far each of the two books has been read; null is its beginning. */
export type HistoryCursor = { movements: Place | null; events: Place | null };
/** A row's time and id; of one item's movements, which are numbered, their number instead of the time. */
type Place = [number, string];
type Read = { entry: Entry; place: Place };

type Row<T> = Selectable<T> & { item_name: string; undone_by: string | null };

/** A page of the history, newest first. The two books are read side by side, each in the order of its own index. */
export async function listHistory(
  db: Queries,
  question: HistoryQuestion,
): Promise<{ entries: Entry[]; next: HistoryCursor | null }> {
  const [movements, events] = await Promise.all([readMovements(db, question), readEvents(db, question)]);
  // Sorting is stable: what happened in the same instant stays in the order of its own book.
  const merged = [...movements, ...events].sort((a, b) => b.entry.at - a.entry.at).slice(0, question.limit);
  const reached = (book: Read[], before: Place | null | undefined) =>
    merged.findLast((read) => book.includes(read))?.place ?? before ?? null;
  const isMore = movements.length + events.length > merged.length;
  return {
    entries: merged.map(({ entry }) => entry),
    next: isMore
      ? {
          movements: reached(movements, question.after?.movements),
          events: reached(events, question.after?.events),
        }
      : null,
  };
}

export async function findEntry(db: Queries, id: string): Promise<Entry | null> {
  const [movement] = await movementById(db, id);
  if (movement) return fromMovement(movement);
  const [event] = await eventById(db, id);
  return event ? fromEvent(event) : null;
}

/** Everybody who ever changed anything, under the name they last used. Found by hopping from person to person. */
export async function listPeople(db: Queries): Promise<{ id: string; name: string }[]> {
  return people(db);
}

const MOVEMENT = `select m.*, items.name as item_name, coalesce(
    (select u.id from stock_movements u where u.undoes = m.id), (select e.id from item_events e where e.undoes = m.id)
  ) as undone_by
  from stock_movements m join items on items.id = m.item_id`;
const EVENT = `select m.*, items.name as item_name, (select u.id from item_events u where u.undoes = m.id) as undone_by
  from item_events m join items on items.id = m.item_id`;

const movementById = statement<Row<MovementRow>, [id: string]>(`${MOVEMENT} where m.id = $1`);
const eventById = statement<Row<ItemEventRow>, [id: string]>(`${EVENT} where m.id = $1`);

// One step of an index for each person, however many movements they made.
const people = statement<{ id: string; name: string }, []>(
  `with recursive person (id) as (
     select min(actor_id) from stock_movements
     union all
     select (select min(actor_id) from stock_movements where actor_id > person.id) from person where person.id is not null
   ), other (id) as (
     select min(actor_id) from item_events
     union all
     select (select min(actor_id) from item_events where actor_id > other.id) from other where other.id is not null
   ), known (id) as (select id from person union select id from other)
   select known.id, coalesce(
     (select name from users where users.id = known.id),
     (select actor_name from stock_movements where actor_id = known.id order by at desc, id desc limit 1),
     (select actor_name from item_events where actor_id = known.id order by at desc, id desc limit 1)) as name
   from known where known.id is not null order by name, id limit 500`,
);

const EVENT_KINDS: ReadonlySet<HistoryKind> = new Set(['edited', 'deleted', 'restored']);

async function readMovements(db: Queries, question: HistoryQuestion): Promise<Read[]> {
  if (question.kind && EVENT_KINDS.has(question.kind)) return [];
  // By their number one item's movements lie side by side, in the order of their time.
  const by = question.itemId === null ? 'at' : 'seq';
  const rows = await read<Row<MovementRow>>(db, MOVEMENT, question, question.after?.movements ?? null, by);
  return rows.map((row) => ({ entry: fromMovement(row), place: [row[by], row.id] }));
}

async function readEvents(db: Queries, question: HistoryQuestion): Promise<Read[]> {
  if (question.kind && !EVENT_KINDS.has(question.kind)) return [];
  const rows = await read<Row<ItemEventRow>>(db, EVENT, question, question.after?.events ?? null, 'at');
  return rows.map((row) => ({ entry: fromEvent(row), place: [row.at, row.id] }));
}

// Few shapes of SQL come out of this, all made of our own words; what people asked for travels as parameters.
function read<T>(
  db: Queries,
  book: string,
  question: HistoryQuestion,
  after: Place | null,
  by: 'at' | 'seq',
): Promise<T[]> {
  const params: unknown[] = [];
  const where: string[] = [];
  const given = (value: unknown) => `$${params.push(value)}`;
  if (question.itemId !== null) where.push(`m.item_id = ${given(question.itemId)}`);
  if (question.actorId !== null) where.push(`m.actor_id = ${given(question.actorId)}`);
  if (question.kind !== null) where.push(`m.kind = '${question.kind}'`);
  // The index of rare kinds is only considered when the statement says in the index's own words that the kind is rare.
  if (question.kind !== null && question.kind !== 'deliver') where.push("m.kind <> 'deliver'");
  if (question.from !== null) where.push(`m.at >= ${given(question.from)}`);
  if (question.to !== null) where.push(`m.at < ${given(question.to)}`);
  if (after) {
    where.push(by === 'seq' ? `m.seq < ${given(after[0])}` : `(m.at, m.id) < (${given(after[0])}, ${given(after[1])})`);
  }
  const filter = where.length > 0 ? `where ${where.join(' and ')}` : '';
  const order = by === 'seq' ? 'm.seq desc' : 'm.at desc, m.id desc';
  return queryRows<T>(db, `${book} ${filter} order by ${order} limit ${given(question.limit + 1)}`, params);
}

function fromMovement(row: Row<MovementRow>): Entry {
  return {
    id: row.id,
    itemId: row.item_id,
    itemName: row.item_name,
    kind: row.kind,
    delta: row.delta,
    quantityAfter: row.quantity_after,
    undoneKind: row.undone_kind,
    changes: [],
    actorId: row.actor_id,
    actorName: row.actor_name,
    at: row.at,
    note: row.note,
    batch: row.batch,
    undoes: row.undoes,
    undoneBy: row.undone_by,
  };
}

function fromEvent(row: Row<ItemEventRow>): Entry {
  return {
    ...toItemEvent(row),
    itemName: row.item_name,
    delta: null,
    quantityAfter: null,
    undoneKind: null,
    note: null,
    undoneBy: row.undone_by,
  };
}
