import type { Db } from './database.ts';
import { queryRows } from './statement.ts';

const SAMPLE = 500;
/** Of each text. Most names, suppliers and ids fit in. */
const SAMPLED_CHARACTERS = 400;
const REFRESH_MS = 10 * 60 * 1_000;

export function trigramsOf(text: string): string[] {
  const trigrams = new Set<string>();
  let [one, two] = ['', ''];
  for (const three of text) {
    if (one !== '') trigrams.add(one + two + three);
    [one, two] = [two, three];
  }
  return [...trigrams];
}

type Counts = Map<string, number>;
const samples = new WeakMap<Db, { takenAt: number; counts: Promise<Counts> }>();

/**
 * Puts the trigrams that are in the fewest texts first, as far as a sample tells. The index reads all places of a trigram that it
 * looks for, and " no" may be in every name.
 */
export async function rarestFirst(db: Db, trigrams: readonly string[]): Promise<string[]> {
  const known = samples.get(db);
  const isFresh = known !== undefined && Date.now() - known.takenAt < REFRESH_MS;
  const sample = isFresh ? known : { takenAt: Date.now(), counts: takeSample(db) };
  samples.set(db, sample);
  // The next search tries again.
  sample.counts.catch(() => samples.delete(db));
  const counts = await sample.counts;
  const counted = trigrams.map((trigram) => ({ trigram, count: counts.get(trigram) ?? 0 }));
  return counted.sort((one, other) => one.count - other.count).map(({ trigram }) => trigram);
}

/** Counts in how many texts of a sample each trigram is. The texts are from all over the table, because those of one supplier are alike. */
async function takeSample(db: Db): Promise<Counts> {
  const texts = await queryRows<{ text: string }>(
    db.query,
    `with recursive place (num) as (select 1 union all select num + 1 from place where num < ${SAMPLE})
     select substr(text, 1, ${SAMPLED_CHARACTERS}) as text from place cross join item_search
     where item_search.rowid = place.num * (select max(rowid) from item_search) / ${SAMPLE}`,
    [],
  );
  const counts: Counts = new Map();
  for (const { text } of texts)
    for (const trigram of trigramsOf(text)) counts.set(trigram, (counts.get(trigram) ?? 0) + 1);
  return counts;
}
