import type { Db } from './database.ts';
import { isDuplicate } from './errors.ts';
import { type Queries, statement } from './statement.ts';

/** One request that may arrive twice: the key its client made, and what exactly it asked, by whom. */
export type Once = { key: string; fingerprint: string; at: number; requestId: string };

/** A refusal that is said again says again which request it was, as every byte of it. */
export type Repeated = { requestId?: string };
export type KeyReused = { ok: false; reason: 'key_reused' } & Repeated;
const keyReused: KeyReused = { ok: false, reason: 'key_reused' };

/**
 * Runs `work` at most once for a key. Outcome and change are written together; asked again, the first outcome
 * comes back, refusals included: a click refused on Monday must not come true when its echo arrives on Tuesday.
 * Outcomes are plain JSON, and the answer is always made from that, so both times it is the same to the byte.
 */
export async function once<Outcome extends { ok: boolean }>(
  db: Db,
  request: Once | null,
  work: (db: Queries) => Promise<Outcome>,
): Promise<Outcome | KeyReused> {
  if (!request) return db.change(work);
  const { dialect } = db;
  const run = () =>
    db.change(
      async (db) => {
        const known = await findAnswer<Outcome>(db, request);
        if (known && dialect === 'postgres') await waitLikeAChange(db);
        if (known) return known;
        const decided = await work(db);
        const outcome = decided.ok ? decided : { ...decided, requestId: request.requestId };
        await insertAnswer(db, request.key, request.fingerprint, JSON.stringify(outcome), request.at);
        return outcome;
      },
      { repeatable: true },
    );
  try {
    return await run();
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    // Two servers took the same key at once; the one that lost finds the other's answer now.
    return run().catch((again) => {
      if (isDuplicate(again)) return keyReused;
      throw again;
    });
  }
}

/** What was said under this key before; null when it is new. */
export async function findAnswer<Outcome>(db: Queries, request: Once): Promise<Outcome | KeyReused | null> {
  const [answer] = await selectAnswer(db, request.key);
  if (!answer) return null;
  return answer.fingerprint === request.fingerprint ? (JSON.parse(answer.outcome) as Outcome) : keyReused;
}

const selectAnswer = statement<{ fingerprint: string; outcome: string }, [key: string]>(
  'select fingerprint, outcome from answers where key = $1',
);
const insertAnswer = statement<never, [key: string, fingerprint: string, outcome: string, at: number]>(
  'insert into answers (key, fingerprint, outcome, at) values ($1, $2, $3, $4)',
);

/**
 * After a crash a primary finds changes in its log that no standby has confirmed, and that nobody was told of. Their
 * answer may only be given once a standby has them too. An entry in the log makes this commit wait for all before it.
 */
const waitLikeAChange = statement<unknown, []>("select pg_logical_emit_message(true, 'answer', '')");

const ANSWERS_KEPT_MS = 30 * 24 * 60 * 60 * 1_000;
const MOST_PRUNED = 50_000;

/** A key older than this is still safe: the movement it names exists, and its id is taken. */
export async function pruneAnswers(db: Db, now: number): Promise<void> {
  const oldest = now - ANSWERS_KEPT_MS;
  await db.change(async (db) => {
    // Answers are numbered as they come, so the old ones are the first; a few thousand a round keep up with anyone.
    const firsts = db.selectFrom('answers').select(['num', 'at']).orderBy('num').limit(MOST_PRUNED).as('firsts');
    const old = db.selectFrom(firsts).select('firsts.num').where('firsts.at', '<', oldest);
    await db.deleteFrom('answers').where('num', 'in', old).execute();
  });
}
