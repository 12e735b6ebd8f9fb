import type { WireHouseEvent } from '@perfume/contract/houses';
import { toWireActor } from '@perfume/contract/identity';
import type { HouseEventKind } from '@perfume/domain/houses';
import { type Queries, queryRows, statement } from '../db/core/statement.ts';
import { SHOWN_NAME } from '../identity/former-members.ts';
import type { Action } from '../items/item-events.ts';
import { nextSettingsTime } from '../items/settings-events.ts';

type Change = WireHouseEvent['changes'][number];

/** Records who changed the people or the name of a house. It is a row of `settings_events`, which nobody can change. */
export async function recordHouseEvent(
  db: Queries,
  house: number,
  { id, actor, at }: Action,
  { kind, person, changes }: { kind: HouseEventKind; person: string | null; changes: Change[] },
): Promise<void> {
  const about = person === null ? [] : [{ field: PERSON, from: null, to: person }];
  const time = await nextSettingsTime(db, house, at);
  await insertEvent(db, house, id, kind, JSON.stringify([...changes, ...about]), actor.id, actor.name, time);
}

/** In the stored changes, the id of the person whom the event is about. */
const PERSON = 'person';

export type EventsPage = { events: WireHouseEvent[]; next: string | null };

/** A page of the history of a house, newest first. `after` is the cursor of the page before; it must be well-formed. */
export async function listHouseEvents(
  db: Queries,
  house: number,
  { limit, after }: { limit: number; after: [at: number, id: string] | null },
): Promise<EventsPage> {
  const params: unknown[] = [house, limit + 1];
  const since = after ? `and (m.at, m.id) < ($${params.push(after[0])}, $${params.push(after[1])})` : '';
  const rows = await queryRows<EventRow>(
    db,
    `select m.id, m.kind, m.changes, m.actor_id, m.at, ${SHOWN_NAME} from settings_events m
     where m.house = $1 ${since} order by m.at desc, m.id desc limit $2`,
    params,
  );
  const shown = rows.slice(0, limit);
  const names = await namesOf(
    db,
    shown.flatMap((row) => personOf(row) ?? []),
  );
  const last = shown.at(-1);
  return {
    events: shown.map((row) => toWireEvent(row, names)),
    next: last && rows.length > limit ? `${last.at}-${last.id}` : null,
  };
}

type EventRow = {
  id: string;
  kind: HouseEventKind;
  changes: string;
  actor_id: string;
  at: number;
  shown_name: string | null;
};

function toWireEvent(row: EventRow, names: Map<string, string>): WireHouseEvent {
  const person = personOf(row);
  const changes = JSON.parse(row.changes) as Change[];
  return {
    id: row.id,
    kind: row.kind,
    person: person === null ? null : toWireActor(person, names.get(person) ?? null),
    changes: changes.filter(({ field }) => field !== PERSON).map(withoutSecrets),
    by: toWireActor(row.actor_id, row.shown_name),
    at: new Date(row.at).toISOString(),
  };
}

/** Whoever knows the whole address of a webhook can often send to it. Every member reads the history. */
function withoutSecrets(change: Change): Change {
  if (change.field !== 'url') return change;
  const hostOf = (url: Change['from']) => (typeof url === 'string' ? new URL(url).host : url);
  return { ...change, from: hostOf(change.from), to: hostOf(change.to) };
}

function personOf({ changes }: EventRow): string | null {
  const about = (JSON.parse(changes) as Change[]).find(({ field }) => field === PERSON);
  return typeof about?.to === 'string' ? about.to : null;
}

async function namesOf(db: Queries, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('users').select(['id', 'name']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

const insertEvent = statement<
  never,
  [house: number, id: string, kind: HouseEventKind, changes: string, actorId: string, actorName: string, at: number]
>(
  `insert into settings_events (house, id, kind, changes, actor_id, actor_name, at)
   values ($1, $2, $3, $4, $5, $6, $7)`,
);
