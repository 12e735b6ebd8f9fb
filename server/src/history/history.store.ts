import type { HistoryKind } from '@perfume/contract/history';
import type { CountReason } from '@perfume/domain/ledger';
import type { Selectable } from 'kysely';
import type { Db } from '../db/core/database.ts';
import { placeholders } from '../db/core/insert-row.ts';
import { type Queries, queryRows, statement } from '../db/core/statement.ts';
import type { ItemEventRow, MovementRow, SettingsEventRow } from '../db/core/tables.ts';
import { SHOWN_NAME, type WithShownName } from '../identity/former-members.ts';
import { type FieldChange, toItemEvent } from '../items/item-events.ts';

/** An entry of the history: a stock movement, an item event, or a settings event, which has no item. */
export type Entry = {
  id: string;
  house: number;
  itemId: string | null;
  itemName: string | null;
  kind: HistoryKind;
  delta: number | null;
  quantityAfter: number | null;
  undoneKind: MovementRow['kind'] | null;
  changes: FieldChange[];
  actorId: string;
  /** Null if the account was removed. */
  actorName: string | null;
  at: number;
  note: string | null;
  reason: CountReason | null;
  batch: string | null;
  undoes: string | null;
  undoneBy: string | null;
};

export type HistoryQuery = {
  house: number;
  itemId: string | null;
  kind: HistoryKind | null;
  /** Only corrections have a reason. */
  reason: CountReason | null;
  actorId: string | null;
  from: number | null;
  to: number | null;
  limit: number;
  after: HistoryCursor | null;
};

/**
 * Where the next page of the history starts: after the last row read of each of the three tables; null if none was
 * read yet.
 */
export type HistoryCursor = Record<'movements' | 'events' | 'settings', RowPosition | null>;
/** The time and id of a row. In the history of one item, a movement has its number in place of its time. */
type RowPosition = [number, string];
/** A row that may be on the page. `toEntry` parses its changes, which takes long for long texts. */
type ReadRow = { at: number; position: RowPosition; textLength: number; toEntry: () => Entry };

/**
 * A page ends after so many characters of changes, because an edit may contain several texts of 5,000. A page with the
 * usual edits never gets that long.
 */
const MAX_PAGE_TEXT = 1_000_000;
const EVENTS_PER_READ = 100;

type SettingsRow = Omit<Selectable<SettingsEventRow>, 'kind'> & WithShownName & { undone_by: string | null };
type Row<T> = Selectable<T> & WithShownName & { item_name: string; undone_by: string | null };

type Read = <T>(text: string, params: readonly unknown[]) => Promise<T[]>;

/**
 * A page of the history, newest first; shorter than the limit if its texts are long. Reads a page of each table in the
 * order of its index, and merges them.
 */
export async function listHistory(
  db: Pick<Db, 'query' | 'longQuery'>,
  query: HistoryQuery,
): Promise<{ entries: Entry[]; next: HistoryCursor | null }> {
  const read: Read = hasIndex(query) ? (text, params) => queryRows(db.query, text, params) : db.longQuery;
  const [movements, events, settings] = await Promise.all([
    readMovements(read, query),
    readEvents(read, query),
    readSettingsEvents(read, query),
  ]);
  // The sort is stable: entries with the same time keep the order of their table.
  const merged = [...movements, ...events, ...settings].sort((a, b) => b.at - a.at).slice(0, query.limit);
  const page = startUpTo(MAX_PAGE_TEXT, merged);
  const lastOf = (table: ReadRow[], previous: RowPosition | null | undefined) =>
    page.findLast((row) => table.includes(row))?.position ?? previous ?? null;
  const hasMore = movements.length + events.length + settings.length > page.length;
  return {
    entries: page.map(({ toEntry }) => toEntry()),
    next: hasMore
      ? {
          movements: lastOf(movements, query.after?.movements),
          events: lastOf(events, query.after?.events),
          settings: lastOf(settings, query.after?.settings),
        }
      : null,
  };
}

const EXPORT_PAGE = 500;

/** All entries that match, page by page, newest first: what a file of them is made of. */
export async function* eachEntryPage(
  db: Pick<Db, 'query' | 'longQuery'>,
  query: Omit<HistoryQuery, 'limit' | 'after'>,
): AsyncGenerator<Entry[]> {
  let after: HistoryCursor | null = null;
  do {
    const page: Awaited<ReturnType<typeof listHistory>> = await listHistory(db, {
      ...query,
      limit: EXPORT_PAGE,
      after,
    });
    yield page.entries;
    after = page.next;
    // SQLite queries are synchronous; this lets other requests run between two pages.
    await new Promise(setImmediate);
  } while (after);
}

/** The first rows, at least one, whose texts are not longer than `maxText` together. */
function startUpTo(maxText: number, rows: ReadRow[]): ReadRow[] {
  let length = 0;
  const end = rows.findIndex(({ textLength }, index) => {
    length += textLength;
    return index > 0 && length > maxText;
  });
  return end === -1 ? rows : rows.slice(0, end);
}

/**
 * Whether an index holds just the rows that match, in their order, so that a page takes as long as its length. Otherwise
 * the database may read the whole ledger to find a few rows, or none.
 */
function hasIndex({ itemId, kind, reason, actorId, from, to }: HistoryQuery): boolean {
  const filters = [itemId, kind, reason, actorId].filter((filter) => filter !== null).length;
  const isCommonKind = kind === 'deliver' || (kind !== null && EVENT_KINDS.has(kind));
  const isOfItemByTime = itemId !== null && (from !== null || to !== null);
  return filters <= 1 && !isCommonKind && !isOfItemByTime;
}

export async function findEntry(db: Queries, id: string): Promise<Entry | null> {
  const [movement] = await movementById(db, id);
  if (movement) return fromMovement(movement);
  const [event] = await eventById(db, id);
  if (event) return fromEvent(event);
  const [settings] = await settingsEventById(db, id);
  return settings ? fromSettingsEvent(settings) : null;
}

const MOVEMENT = `select m.*, ${SHOWN_NAME}, items.name as item_name, coalesce(
    (select u.id from stock_movements u where u.undoes = m.id), (select e.id from item_events e where e.undoes = m.id)
  ) as undone_by
  from stock_movements m join items on items.id = m.item_id`;
const EVENT = `select m.*, ${SHOWN_NAME}, items.name as item_name, (select u.id from item_events u where u.undoes = m.id) as undone_by
  from item_events m join items on items.id = m.item_id`;
const SETTINGS_EVENT = `select m.*, ${SHOWN_NAME}, (select u.id from settings_events u where u.undoes = m.id) as undone_by
  from settings_events m`;

const movementById = statement<Row<MovementRow>, [id: string]>(`${MOVEMENT} where m.id = $1`);
const eventById = statement<Row<ItemEventRow>, [id: string]>(`${EVENT} where m.id = $1`);
// Events about the people of a house are in the same table and have their own list.
const settingsEventById = statement<SettingsRow, [id: string]>(
  `${SETTINGS_EVENT} where m.id = $1 and m.kind = 'settings'`,
);

/**
 * Everybody who ever changed anything in a house, with the present name; null if the account was removed. A loose index
 * scan: one lookup per person, however many changes they made.
 */
export const listPeople = statement<{ id: string; name: string | null }, [house: number]>(
  `with recursive person (id) as (
     select min(actor_id) from stock_movements where house = $1
     union all
     select (select min(actor_id) from stock_movements where house = $1 and actor_id > person.id)
     from person where person.id is not null
   ), other (id) as (
     select min(actor_id) from item_events where house = $1
     union all
     select (select min(actor_id) from item_events where house = $1 and actor_id > other.id)
     from other where other.id is not null
   ), keeper (id) as (
     select min(actor_id) from settings_events where house = $1
     union all
     select (select min(actor_id) from settings_events where house = $1 and actor_id > keeper.id)
     from keeper where keeper.id is not null
   ), known (id) as (select id from person union select id from other union select id from keeper)
   select known.id, users.name from known left join users on users.id = known.id
   where known.id is not null order by users.name is null, users.name, known.id limit 500`,
);

/** The names that these people gave up: of each person the newest twenty. */
export async function listRenames(
  db: Db,
  people: { id: string }[],
): Promise<{ user_id: string; from_name: string; at: number }[]> {
  if (people.length === 0) return [];
  const ids = people.map(({ id }) => id);
  return db.longQuery(
    `select user_id, from_name, at from (
       select *, row_number() over (partition by user_id order by at desc, id desc) as place from renames
       where user_id in (${placeholders(ids)})
     ) numbered where place <= 20 order by at desc, id desc`,
    ids,
  );
}

const EVENT_KINDS: ReadonlySet<HistoryKind> = new Set(['edited', 'deleted', 'restored']);

async function readMovements(read: Read, query: HistoryQuery): Promise<ReadRow[]> {
  if (query.kind === 'settings' || (query.kind && EVENT_KINDS.has(query.kind))) return [];
  // One item's movements are adjacent in the index by number, which is also their order in time.
  const by = query.itemId === null ? 'at' : 'seq';
  const rows = await readPage<Row<MovementRow>>(read, MOVEMENT, query, query.after?.movements ?? null, by);
  return rows.map((row) => ({
    at: row.at,
    position: [row[by], row.id],
    textLength: 0,
    toEntry: () => fromMovement(row),
  }));
}

async function readEvents(read: Read, query: HistoryQuery): Promise<ReadRow[]> {
  if (query.reason !== null || (query.kind && !EVENT_KINDS.has(query.kind))) return [];
  const rows: Row<ItemEventRow>[] = [];
  let after = query.after?.events ?? null;
  let textLength = 0;
  // Reads no more long texts than the page can show.
  for (let isEnd = false; !isEnd && rows.length <= query.limit && textLength <= MAX_PAGE_TEXT; ) {
    const limit = Math.min(query.limit - rows.length, EVENTS_PER_READ);
    const found = await readPage<Row<ItemEventRow>>(read, EVENT, { ...query, limit }, after, 'at');
    for (const row of found) {
      textLength += row.changes.length;
      after = [row.at, row.id];
    }
    rows.push(...found);
    isEnd = found.length <= limit;
  }
  return rows.map((row) => ({
    at: row.at,
    position: [row.at, row.id],
    textLength: row.changes.length,
    toEntry: () => fromEvent(row),
  }));
}

async function readSettingsEvents(read: Read, query: HistoryQuery): Promise<ReadRow[]> {
  if (query.itemId !== null || query.reason !== null || (query.kind && query.kind !== 'settings')) return [];
  const settings: HistoryQuery = { ...query, kind: 'settings' };
  const rows = await readPage<SettingsRow>(read, SETTINGS_EVENT, settings, query.after?.settings ?? null, 'at');
  return rows.map((row) => ({
    at: row.at,
    position: [row.at, row.id],
    textLength: row.changes.length,
    toEntry: () => fromSettingsEvent(row),
  }));
}

// Free text is always a parameter, never part of the SQL. `kind` is one of a fixed list.
function readPage<T>(
  read: Read,
  select: string,
  query: HistoryQuery,
  after: RowPosition | null,
  by: 'at' | 'seq',
): Promise<T[]> {
  const params: unknown[] = [];
  const given = (value: unknown) => `$${params.push(value)}`;
  // An item's entries are few. Without `+ 0` SQLite reads those of the house by time, until it has found them.
  const where = [`m.house${query.itemId === null ? '' : ' + 0'} = ${given(query.house)}`];
  if (query.itemId !== null) where.push(`m.item_id = ${given(query.itemId)}`);
  if (query.actorId !== null) where.push(`m.actor_id = ${given(query.actorId)}`);
  if (query.reason !== null) where.push(`m.reason = ${given(query.reason)}`);
  if (query.kind !== null) where.push(`m.kind = '${query.kind}'`);
  // The planner uses the partial index of rare kinds only when the statement repeats the index's condition.
  if (query.kind !== null && query.kind !== 'deliver') where.push("m.kind <> 'deliver'");
  if (query.from !== null) where.push(`m.at >= ${given(query.from)}`);
  if (query.to !== null) where.push(`m.at < ${given(query.to)}`);
  if (after) {
    where.push(by === 'seq' ? `m.seq < ${given(after[0])}` : `(m.at, m.id) < (${given(after[0])}, ${given(after[1])})`);
  }
  const order = by === 'seq' ? 'm.seq desc' : 'm.at desc, m.id desc';
  return read<T>(`${select} where ${where.join(' and ')} order by ${order} limit ${given(query.limit + 1)}`, params);
}

function fromMovement(row: Row<MovementRow>): Entry {
  return {
    id: row.id,
    house: row.house,
    itemId: row.item_id,
    itemName: row.item_name,
    kind: row.kind,
    delta: row.delta,
    quantityAfter: row.quantity_after,
    undoneKind: row.undone_kind,
    changes: [],
    actorId: row.actor_id,
    actorName: row.shown_name,
    at: row.at,
    note: row.note,
    reason: row.reason,
    batch: row.batch,
    undoes: row.undoes,
    undoneBy: row.undone_by,
  };
}

function fromEvent(row: Row<ItemEventRow>): Entry {
  return {
    ...toItemEvent(row),
    house: row.house,
    actorName: row.shown_name,
    itemName: row.item_name,
    delta: null,
    quantityAfter: null,
    undoneKind: null,
    note: null,
    reason: null,
    undoneBy: row.undone_by,
  };
}

function fromSettingsEvent(row: SettingsRow): Entry {
  return {
    id: row.id,
    house: row.house,
    itemId: null,
    itemName: null,
    kind: 'settings',
    delta: null,
    quantityAfter: null,
    undoneKind: null,
    changes: JSON.parse(row.changes) as FieldChange[],
    actorId: row.actor_id,
    actorName: row.shown_name,
    at: row.at,
    note: null,
    reason: null,
    batch: null,
    undoes: row.undoes,
    undoneBy: row.undone_by,
  };
}
