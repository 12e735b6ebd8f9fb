import type { Db } from './database.ts';
import { queryRows } from './statement.ts';

const SAMPLE = 500;
/** Of each text, from anywhere in it. Most names, suppliers and ids fit in. */
const SAMPLED_CHARACTERS = 400;
/** A prime number, so that the parts of the texts begin at places of all sorts. */
const STRIDE = 7_919;
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

/** A trigram, its place among the different trigrams of what is searched for, and the share of texts that have it. */
export type Shared = { trigram: string; at: number; share: number };
type Sample = { texts: number; counts: Map<string, number> };
const samples = new WeakMap<Db, { takenAt: number; sample: Promise<Sample> }>();

/**
 * Puts the trigrams that are in the fewest texts first, as far as a sample tells.
 * The index reads all places of a trigram that it looks for, and " no" may be in every name.
 */
export async function rarestFirst(db: Db, trigrams: readonly string[]): Promise<Shared[]> {
  const known = samples.get(db);
  const isFresh = known !== undefined && Date.now() - known.takenAt < REFRESH_MS;
  const latest = isFresh ? known : { takenAt: Date.now(), sample: takeSample(db) };
  samples.set(db, latest);
  // The next search tries again.
  latest.sample.catch(() => samples.delete(db));
  const { texts, counts } = await latest.sample;
  // One that is in no text of the sample may be in the next.
  const shared = trigrams.map((trigram, at) => ({
    trigram,
    at,
    share: ((counts.get(trigram) ?? 0) + 1) / (texts + 1),
  }));
  return shared.sort((one, other) => one.share - other.share);
}

/** A rough weight: so many times as often as by chance is a trigram in a text with another, for each character that they share. */
const TIMES_MORE = 4;

/**
 * Returns `count` trigrams that few texts have together: the rarest, and others that are rare besides. Of a million names with
 * numbers, 4,000 have "791"; a tenth of these have "919", and a thousandth "900".
 */
export function fewTogether([rarest, ...others]: Shared[], count: number): Shared[] {
  if (!rarest) return [];
  const besides = others.map((other) => {
    const overlap = Math.max(0, 3 - Math.abs(other.at - rarest.at));
    return { other, share: other.share * TIMES_MORE ** overlap };
  });
  const fewest = besides.sort((one, another) => one.share - another.share).slice(0, count - 1);
  return [rarest, ...fewest.map(({ other }) => other)];
}

/** Counts in how many texts of a sample each trigram is. The texts are from all over the table, because those of one supplier are alike. */
async function takeSample(db: Db): Promise<Sample> {
  const texts = await queryRows<{ text: string }>(
    db.query,
    `with recursive place (num) as (select 1 union all select num + 1 from place where num < ${SAMPLE})
     select case when length(text) <= ${SAMPLED_CHARACTERS} then text
       else substr(text, 1 + place.num * ${STRIDE} % (length(text) - ${SAMPLED_CHARACTERS}), ${SAMPLED_CHARACTERS}) end as text
     from place cross join item_search
     where item_search.rowid = place.num * (select max(rowid) from item_search) / ${SAMPLE}`,
    [],
  );
  const counts = new Map<string, number>();
  for (const { text } of texts)
    for (const trigram of trigramsOf(text)) counts.set(trigram, (counts.get(trigram) ?? 0) + 1);
  return { texts: texts.length, counts };
}
