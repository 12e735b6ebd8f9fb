import type { Db } from '../core/database.ts';
import { OutcomeUnknown, StoreUnavailable } from '../core/errors.ts';

/**
 * Just below a screen's own patience. A commit that waits for a standby is bound by no timeout of the database, and when
 * no standby is left it waits until one is back.
 */
const ANSWER_WITHIN_MS = 7_000;

/** A gathering for each store there is. */
export function gatheringPerStore<Ask, Answer>(
  doTogether: (db: Db, asked: Ask[]) => Promise<Answer[]>,
  options: GatherOptions<Ask>,
): (db: Db, asked: Ask) => Promise<Answer> {
  const known = new WeakMap<Db, (asked: Ask) => Promise<Answer>>();
  return (db, asked) => {
    let ask = known.get(db);
    if (!ask) {
      ask = gathering((batch) => doTogether(db, batch), options);
      known.set(db, ask);
    }
    return ask(asked);
  };
}

/** `apart` names what may stand in a batch only once; without it anything may stand beside anything. */
type GatherOptions<Ask> = { most: number; readsOnly?: boolean; apart?: (asked: Ask) => string };

/**
 * Gathers what is asked while another batch is under way, and does it together: one round trip and one commit serve all.
 */
function gathering<Ask, Answer>(
  doTogether: (asked: Ask[]) => Promise<Answer[]>,
  { most, readsOnly, apart }: GatherOptions<Ask>,
): (asked: Ask) => Promise<Answer> {
  type Waiting = { asked: Ask; resolve: (answer: Answer) => void; reject: (error: unknown) => void };
  let waiting: Waiting[] = [];
  let underWay = 0;

  function ask(asked: Ask): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const one: Waiting = { asked, resolve, reject };
      const late = setTimeout(() => giveUp(one), ANSWER_WITHIN_MS);
      one.resolve = (answer) => {
        clearTimeout(late);
        resolve(answer);
      };
      one.reject = (error) => {
        clearTimeout(late);
        reject(error);
      };
      waiting.push(one);
      if (waiting.length === 1 && underWay < MOST_UNDER_WAY) setImmediate(next);
    });
  }

  /** What is under way stays so, and keeps its connection: a new one for each try would soon use up all of them. */
  function giveUp(one: Waiting): void {
    const place = waiting.indexOf(one);
    const isUnderWay = place === -1;
    if (!isUnderWay) waiting.splice(place, 1);
    const late = new Error(`no answer within ${ANSWER_WITHIN_MS} ms`);
    one.reject(isUnderWay && !readsOnly ? new OutcomeUnknown(late) : new StoreUnavailable('the store is slow', late));
  }

  async function next(): Promise<void> {
    if (waiting.length === 0 || underWay >= MOST_UNDER_WAY) return;
    const batch = takeBatch();
    underWay++;
    try {
      const answers = await doTogether(batch.map(({ asked }) => asked));
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      underWay--;
      if (waiting.length > 0) setImmediate(next);
    }
  }

  function takeBatch(): Waiting[] {
    const batch: Waiting[] = [];
    const later: Waiting[] = [];
    const taken = new Set<string>();
    for (const one of waiting) {
      const name = apart?.(one.asked);
      if (batch.length >= most || (name !== undefined && taken.has(name))) {
        later.push(one);
        continue;
      }
      if (name !== undefined) taken.add(name);
      batch.push(one);
    }
    waiting = later;
    return batch;
  }

  return ask;
}

/** While one batch waits for the disk, the next is already at work. */
const MOST_UNDER_WAY = 2;
