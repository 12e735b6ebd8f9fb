import type { Db } from './database.ts';
import { isUniqueViolation } from './errors.ts';
import { type Queries, statement } from './statement.ts';

/**
 * The key that a client sent to make a retry safe. The fingerprint of user and request shows whether the key was reused
 * for something else.
 */
export type Idempotency = {
  key: string;
  fingerprint: string;
  at: number;
  requestId: string;
  /** A response shows only whether this succeeded and the id of what it made, so nothing else is stored. */
  isBrief?: boolean;
};

/** The request id of a replayed refusal: the replay is byte-for-byte the first response, including that id. */
export type Replayed = { requestId?: string };
export type KeyReused = { ok: false; reason: 'key_reused' } & Replayed;
const keyReused: KeyReused = { ok: false, reason: 'key_reused' };

/**
 * Runs `work` at most once per idempotency key. The outcome is stored in the transaction of the change, and a retry
 * gets the stored outcome. Refusals are stored too: a click refused on Monday must not succeed when its retry arrives
 * on Tuesday. Outcomes are plain JSON and every response is built from them, so a replay is identical to the byte.
 */
export async function runIdempotent<Outcome extends { ok: boolean }>(
  db: Db,
  idempotency: Idempotency | null,
  work: (db: Queries) => Promise<Outcome>,
): Promise<Outcome | KeyReused> {
  if (!idempotency) {
    return db.change(work).catch((error) => {
      if (!isUniqueViolation(error)) throw error;
      // Another transaction has just taken a code of this item. The second run sees that and refuses.
      return db.change(work);
    });
  }
  const { dialect } = db;
  const run = () =>
    db.change(
      async (db) => {
        const known = await findOutcome<Outcome>(db, idempotency);
        if (known && dialect === 'postgres') await waitForReplication(db);
        if (known) return known;
        const decided = await work(db);
        const outcome = decided.ok ? decided : { ...decided, requestId: idempotency.requestId };
        const stored = JSON.stringify(idempotency.isBrief ? briefly(outcome) : outcome);
        await insertOutcome(db, idempotency.key, idempotency.fingerprint, stored, idempotency.at);
        return outcome;
      },
      { repeatable: true },
    );
  try {
    return await run();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    // Two servers used the same key at the same time, or gave the same code to two items. The second run now finds what
    // the first one left.
    return run().catch((again) => {
      if (isUniqueViolation(again)) return keyReused;
      throw again;
    });
  }
}

function briefly(outcome: { ok: boolean; event?: { id: string } | null }): object {
  if (!outcome.ok) return outcome;
  return { ok: true, ...(outcome.event && { event: { id: outcome.event.id } }) };
}

/** Returns the outcome stored under this key, or null when the key is new. */
export async function findOutcome<Outcome>(
  db: Queries,
  { key, fingerprint }: Idempotency,
): Promise<Outcome | KeyReused | null> {
  const [stored] = await selectOutcome(db, key);
  if (!stored) return null;
  return stored.fingerprint === fingerprint ? (JSON.parse(stored.outcome) as Outcome) : keyReused;
}

const selectOutcome = statement<{ fingerprint: string; outcome: string }, [key: string]>(
  'select fingerprint, outcome from answers where key = $1',
);
const insertOutcome = statement<never, [key: string, fingerprint: string, outcome: string, at: number]>(
  'insert into answers (key, fingerprint, outcome, at) values ($1, $2, $3, $4)',
);

/**
 * Makes the commit wait until everything before it is replicated, by writing a WAL record. After a crash, a primary
 * recovers commits that no standby has confirmed yet, and their outcomes may be returned only when a standby has them
 * too.
 */
const waitForReplication = statement<unknown, []>("select pg_logical_emit_message(true, 'answer', '')");

const OUTCOMES_KEPT_MS = 30 * 24 * 60 * 60 * 1_000;
const MAX_PRUNED = 50_000;

/**
 * Deletes outcomes that are older than 30 days. A key that is reused after that cannot repeat a movement, an edit, an
 * undo or a new item, because the key is also the id of what it made: the request gets `key_reused`.
 */
export async function pruneOutcomes(db: Db, now: number): Promise<void> {
  const oldest = now - OUTCOMES_KEPT_MS;
  await db.change(async (db) => {
    // Rows are numbered in the order they were written, so the oldest have the lowest numbers. The limit keeps the
    // transaction short; regular rounds catch up.
    const firsts = db.selectFrom('answers').select(['num', 'at']).orderBy('num').limit(MAX_PRUNED).as('firsts');
    const old = db.selectFrom(firsts).select('firsts.num').where('firsts.at', '<', oldest);
    await db.deleteFrom('answers').where('num', 'in', old).execute();
  });
}
