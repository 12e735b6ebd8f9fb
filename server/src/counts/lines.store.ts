import type { LineFilter } from '@perfume/contract/counts';
import type { Item } from '@perfume/domain/items';
import type { MovementKind } from '@perfume/domain/ledger';
import type { Selectable } from 'kysely';
import type { Db } from '../db/core/database.ts';
import { placeholders } from '../db/core/insert-row.ts';
import { type Queries, queryRows } from '../db/core/statement.ts';
import type { CountLineRow, ItemRow } from '../db/core/tables.ts';
import { toItem } from '../items/item-row.ts';
import { cursorText, longRead, readCursor } from '../items/items.list.ts';
import { type SessionRow, scopeOf } from './counts.store.ts';
import { CORRECTED, MOVED } from './doubt.ts';

const MAX_MOVEMENTS = 20;
const MAX_PEOPLE = 20;

export type Person = { actorId: string; actorName: string | null };
export type LineMovement = Person & { id: string; itemId: string; kind: MovementKind; delta: number; at: number };
export type Line = {
  item: Item;
  isDeleted: boolean;
  /** Null if nobody has counted the item. */
  count: Selectable<CountLineRow> | null;
  doubt: 'moved' | 'corrected' | null;
  by: Person[];
  reviewer: Person | null;
  movements: LineMovement[];
};

type Row = Selectable<CountLineRow> & { doubt: Line['doubt']; reviewer: string | null };

export type LinesRequest = { show: LineFilter; itemId: string | null; cursor: string | null; limit: number };

/** A page of a session's items; null if the cursor is not one of this list. */
export async function listLines(
  db: Db,
  session: SessionRow,
  { show, itemId, cursor, limit }: LinesRequest,
): Promise<{ lines: Line[]; next: string | null } | null> {
  if (itemId !== null) return { lines: await oneLine(db, session, itemId), next: null };
  if (show === 'uncounted') return listUncounted(db, session, cursor, limit);
  if (cursor !== null && !/^[1-9][0-9]{0,14}$/.test(cursor)) return null;
  const params: unknown[] = [session.id, limit + 1];
  const where = ['l.session_id = $1', ...conditions[show]];
  if (cursor !== null) where.push(`l.last_num < $${params.push(Number(cursor))}`);
  const rows = await db.longQuery<Row>(
    `${LINE} where ${where.join(' and ')} order by l.last_num desc limit $2`,
    params,
  );
  const shown = rows.slice(0, limit);
  const next = rows.length > limit ? String(shown.at(-1)?.last_num) : null;
  return { lines: await withItems(db.query, shown), next };
}

const DOUBT = `case when l.outcome is not null then null when ${MOVED} then 'moved' when ${CORRECTED} then 'corrected' end`;
const LINE = `select l.*, ${DOUBT} as doubt, (select users.name from users where users.id = l.reviewed_by) as reviewer
  from count_lines l join items on items.id = l.item_id`;

const conditions: Record<Exclude<LineFilter, 'uncounted'>, string[]> = {
  counted: [],
  differences: ['l.difference <> 0'],
  check: [`(${DOUBT}) is not null`],
  refused: ["l.outcome is not null and l.outcome <> 'posted'"],
};

async function listUncounted(db: Db, session: SessionRow, cursor: string | null, limit: number) {
  const after = cursor === null ? null : readCursor(cursor, 'name');
  if (cursor !== null && !after) return null;
  const scope = await scopeOf(db, session);
  const { from, where, params } = scope;
  where.push(
    `not exists (select 1 from count_lines where session_id = $${params.push(session.id)} and item_id = items.id)`,
  );
  if (after) where.push(`(items.name_key, items.num) > ($${params.push(after.value)}, $${params.push(after.num)})`);
  const rows = await longRead(db, scope)<Selectable<ItemRow>>(
    `select items.* from ${from} where ${where.join(' and ')}
     order by items.name_key, items.num limit $${params.push(limit + 1)}`,
    params,
  );
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const next = last && rows.length > limit ? cursorText({ value: last.name_key, num: last.num }) : null;
  return { lines: shown.map(uncountedLine), next };
}

function uncountedLine(row: Selectable<ItemRow>): Line {
  return {
    item: toItem(row),
    isDeleted: row.deleted_at !== null,
    count: null,
    doubt: null,
    by: [],
    reviewer: null,
    movements: [],
  };
}

async function oneLine(db: Db, session: SessionRow, itemId: string): Promise<Line[]> {
  const rows = await db.longQuery<Row>(`${LINE} where l.session_id = $1 and l.item_id = $2`, [session.id, itemId]);
  if (rows.length > 0) return withItems(db.query, rows);
  const items = await db.query
    .selectFrom('items')
    .selectAll()
    .where('id', '=', itemId)
    .where('house', '=', session.house)
    .execute();
  return items.map(uncountedLine);
}

async function withItems(db: Queries, rows: Row[]): Promise<Line[]> {
  const [first] = rows;
  if (!first) return [];
  const ids = rows.map((row) => row.item_id);
  const items = await db.selectFrom('items').selectAll().where('id', 'in', ids).execute();
  const itemOf = new Map(items.map((item) => [item.id, item]));
  const people = Map.groupBy(await peopleOf(db, first.session_id, ids), ({ itemId }) => itemId);
  const movements = Map.groupBy(await movementsOf(db, rows), ({ itemId }) => itemId);
  return rows.flatMap((row) => {
    const item = itemOf.get(row.item_id);
    if (!item) return [];
    const { doubt, reviewer: actorName, ...count } = row;
    const by = people.get(row.item_id) ?? [];
    const reviewer = count.reviewed_by === null ? null : { actorId: count.reviewed_by, actorName };
    return { ...uncountedLine(item), count, doubt, by, reviewer, movements: movements.get(row.item_id) ?? [] };
  });
}

/** Finds each person by one step in the index, so the time does not grow with the number of entries. */
function peopleOf(db: Queries, sessionId: string, ids: string[]): Promise<(Person & { itemId: string })[]> {
  const next = (after: string) => `select min(e.actor_id) from count_entries e
    where e.session_id = $1 and e.item_id = l.item_id and e.undoes is null and e.actor_id > ${after}`;
  return queryRows(
    db,
    `with recursive people (item_id, actor_id, num) as (
       select l.item_id, (${next("''")}), 1 from count_lines l
       where l.session_id = $1 and l.item_id in (${placeholders(ids, 2)})
       union all
       select l.item_id, (${next('l.actor_id')}), l.num + 1 from people l
       where l.actor_id is not null and l.num < ${MAX_PEOPLE}
     )
     select item_id as "itemId", actor_id as "actorId",
       (select users.name from users where users.id = actor_id) as "actorName"
     from people where actor_id is not null`,
    [sessionId, ...ids],
  );
}

/** What moved since the first entry of the lines that need a person's decision, or had one. */
async function movementsOf(db: Queries, rows: Row[]): Promise<LineMovement[]> {
  const inDoubt = rows.filter(({ doubt, decision }) => doubt !== null || decision !== null);
  const found = await Promise.all(
    inDoubt.map(({ item_id, first_seq }) =>
      queryRows<LineMovement>(
        db,
        `select m.id, m.item_id as "itemId", m.kind, m.delta, m.at, m.actor_id as "actorId",
           (select m.actor_name from users where users.id = m.actor_id) as "actorName"
         from stock_movements m where m.item_id = $1 and m.seq > $2 order by m.seq limit ${MAX_MOVEMENTS}`,
        [item_id, first_seq],
      ),
    ),
  );
  return found.flat();
}
