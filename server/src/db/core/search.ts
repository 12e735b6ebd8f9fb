import { type Codes, codeKeys } from '@perfume/domain/codes';
import { countCharacters, firstCharacters, foldForSearch } from '@perfume/domain/text';
import type { Db } from './database.ts';
import { fewTogether, rarestFirst, type Shared, trigramsOf } from './rare-trigrams.ts';
import { SHARED_HOUSE } from './shared-house.ts';
import { queryRows, statement } from './statement.ts';

const TRIGRAM_LENGTH = 3;
/** Texts are found by so many of their trigrams in any order, and then compared. */
const FEW_TRIGRAMS = 3;
const MAX_TRIGRAMS = 10;
/** A word is rare if fewer texts have it. Those are then compared. */
const RARE = 0.02;
/**
 * Folding makes one character up to eighteen, and comparing takes as many steps as the text has characters, times those
 * of what is searched for. The longest description has 5,000 characters; a Korean syllable becomes three.
 */
const MAX_WANTED = 200;
const MAX_DESCRIPTION = 15_000;
/** So many texts of 5,000 characters are compared in less than a tenth of a second. */
const MANY_TEXTS = 300;
/** The texts of a house with at most so many items are compared one by one. */
const SMALL_HOUSE = 10_000;
/** So many places in the index are read in about four milliseconds. */
const MANY_PLACES = 100_000;
/** Reading a few bytes of so many items takes 20 to 40 ms. */
export const MANY_ITEMS = 200_000;

type Matches = {
  from: string;
  condition: string;
  /** The column with the item number. Rows are read in its order, so sorting by it costs nothing. */
  num: string;
  /** Whether it reads so many texts that other requests must not wait for it: a query for `db.searchQuery`. */
  isLong: boolean;
  /** The index already says that nothing matches. */
  isNothing?: boolean;
};

/**
 * Returns the tables and the condition that find items whose name, supplier, description, code or id contains `wanted`, a
 * folded text. The caller adds the condition that they are of `house`. One or two characters make no trigram, so they are
 * searched in name and supplier only, which have their own index. `isPublic` leaves the codes out: visitors do not see
 * them, and must not guess them letter by letter. `inLongQuery`: the caller runs a long query anyway.
 */
export async function matches(
  db: Db,
  house: number | 'published',
  wanted: string,
  params: unknown[],
  { isPublic = false, inLongQuery = false } = {},
): Promise<Matches> {
  const size = async () => {
    const [counted] = await (house === 'published' ? selectSizePublished(db.query) : selectSize(db.query, house));
    return counted?.items ?? 0;
  };
  if (countCharacters(wanted) < TRIGRAM_LENGTH) {
    const pattern = `$${params.push(`%${escapeLike(wanted)}%`)}`;
    const like = (column: string) => `items.${column} like ${pattern} escape '\\'`;
    const condition = `(${like('name_key')} or ${like('supplier_key')})`;
    // PostgreSQL reads the index of all houses, which for a house with a few items takes longer than comparing.
    const isIndexed = db.dialect === 'sqlite' || house === SHARED_HOUSE || (await size()) > SMALL_HOUSE;
    if (isIndexed && !inLongQuery && (await db.prepareSearch())) {
      const candidates = await (db.dialect === 'sqlite'
        ? queryRows<Candidate>(db.query, BEGINNING_WITH, termsFrom(wanted))
        : queryRows<Candidate>(db.query, NAMES_WITH, [wanted]));
      if (candidates.length < MANY_TEXTS)
        return amongCandidates(candidates, (nums) => itemsNumbered(nums)[db.dialect], condition, params);
    }
    const isLong = !inLongQuery && db.dialect === 'sqlite' && (await size()) > MANY_ITEMS;
    return { from: 'items', condition, num: 'items.num', isLong };
  }
  const text = isPublic ? PUBLIC_TEXT[db.dialect] : TEXT;
  const contains = () => `${POSITION[db.dialect]}(${text}, $${params.push(wanted)}) > 0`;
  const comparing = (isLong: boolean): Matches => {
    const condition = `(select ${contains()} from item_search where item_search.rowid = items.num)`;
    return { from: 'items', condition, num: 'items.num', isLong };
  };
  // The index contains the texts of all houses: for a house with a few of them, comparing is faster. With `ACCESS=open`
  // the shared house has them all.
  if (house !== SHARED_HOUSE) {
    const items = await size();
    if (items <= SMALL_HOUSE) return comparing(items > MANY_TEXTS);
  }
  // On a full disk new texts cannot be indexed, and `prepareSearch` returns false. The scan below still finds them.
  const isIndexed = await db.prepareSearch();
  if (db.dialect === 'postgres') {
    const part = (inLongQuery ? null : await rareWord(db, wanted)) ?? wanted;
    const like = `${TEXT} like $${params.push(`%${escapeLike(part)}%`)} escape '\\'`;
    const compared = isPublic || part !== wanted ? ` and ${contains()}` : '';
    const from = 'item_search join items on items.num = item_search.rowid';
    return { from, condition: like + compared, num: 'items.num', isLong: false };
  }
  if (!isIndexed) return comparing(true);
  // SQLite compares a phrase with a text in as many steps as the phrase has trigrams, times the places of each in the
  // text: 'aaaa…' in a text of the same letter would take seconds. So the index finds texts that have some of the
  // trigrams anywhere, and those are compared.
  const trigrams = trigramsOf(wanted);
  const compared = contains();
  if (!inLongQuery) {
    // A few rare trigrams are read much faster, and usually find no more texts.
    const rarest = await rarestFirst(db, trigrams);
    for (const some of [fewTogether(rarest.slice(0, MAX_TRIGRAMS), FEW_TRIGRAMS), someOf(rarest)]) {
      const candidates = await withTrigrams(db, some);
      if (candidates.length < MANY_TEXTS) return amongCandidates(candidates, itemsWithTexts, compared, params);
    }
  }
  return {
    // A cross join keeps this order. The planner would otherwise look up every item of the house in the search index. Of many
    // texts, only those of items that the other conditions leave are compared.
    from: 'item_search_index cross join items on items.num = item_search_index.rowid',
    condition: `item_search_index match $${params.push(allOf(someOf(trigrams)))}
      and (select ${compared} from item_search where item_search.rowid = items.num)`,
    num: 'item_search_index.rowid',
    isLong: true,
  };
}

function amongCandidates(
  candidates: Candidate[],
  itemsNumbered: (nums: string) => string,
  condition: string,
  params: unknown[],
): Matches {
  const nums = [...new Set(candidates.map(({ rowid }) => rowid))];
  return {
    from: itemsNumbered(`$${params.push(JSON.stringify(nums))}`),
    condition,
    num: 'items.num',
    isLong: false,
    isNothing: candidates.length === 0,
  };
}

/** SQL for the items with these numbers and their texts, for SQLite. An item is read only if its text matches. */
const itemsWithTexts = (nums: string) =>
  `json_each(${nums}) as candidate cross join item_search on item_search.rowid = candidate.value
   cross join items on items.num = item_search.rowid`;

/** SQL for the items with these numbers, a JSON list. */
export const itemsNumbered = (nums: string) => ({
  sqlite: `json_each(${nums}) as candidate cross join items on items.num = candidate.value`,
  postgres: `json_array_elements_text(${nums}::json) as candidate join items on items.num = candidate.value::bigint`,
});

type Candidate = { rowid: number };

const WITH_TRIGRAMS = `select rowid from item_search_index where item_search_index match $1 limit ${MANY_TEXTS}`;
/**
 * Every trigram that begins with one or two characters. After a name or a supplier come other texts, so each of their
 * characters begins a trigram. A text is found at each of its places.
 */
const BEGINNING_WITH = `select doc as rowid from item_search_terms where term >= $1 and term <= $2 limit ${MANY_TEXTS}`;
/** One or two characters inside a word are no trigram for PostgreSQL, so names have an index of their own. */
const NAMES_WITH = `select num as rowid from item_names where short_terms(names) @> array[$1] limit ${MANY_TEXTS}`;
const LAST_CHARACTER = '\u{10ffff}';

/** The first and the last trigram that may begin with these characters. The index has one sign for two that Unicode does not assign. */
function termsFrom(wanted: string): [string, string] {
  const indexed = wanted.replace(/[\ufffe\uffff]/g, '\ufffd');
  return [indexed, indexed + LAST_CHARACTER + LAST_CHARACTER];
}

/** Finds texts in the index, or as many of them as are too many to compare. */
async function withTrigrams(db: Db, trigrams: Shared[]): Promise<Candidate[]> {
  // The index has the texts of all houses, also of deleted items.
  const [last] = await selectLastItem(db.query);
  const places = trigrams.reduce((sum, { share }) => sum + share * (last?.num ?? 0), 0);
  const params = [allOf(trigrams.map(({ trigram }) => trigram))];
  return places > MANY_PLACES ? db.searchQuery(WITH_TRIGRAMS, params) : queryRows(db.query, WITH_TRIGRAMS, params);
}

const selectLastItem = statement<{ num: number }, []>('select num from items order by num desc limit 1');

type Size = { items: number };
const sizeOf = (houses: string) =>
  `select cast(coalesce(sum(live), 0) as bigint) as items from item_tallies where house ${houses}`;
const selectSize = statement<Size, [house: number]>(sizeOf('= $1'));
const selectSizePublished = statement<Size, []>(sizeOf('in (select num from houses where published = 1)'));

const WORDS = new RegExp(`[\\p{L}\\p{N}]{${TRIGRAM_LENGTH},}`, 'gu');

/**
 * Returns a word that few texts have. PostgreSQL also reads the places of trigrams at the ends of words: of "no. 79190" those
 * of "no " and " 7", which are nearly everywhere. Only the number is found ten times as fast.
 */
async function rareWord(db: Db, wanted: string): Promise<string | null> {
  const words = wanted.match(WORDS) ?? [];
  if (words.length === 0 || words[0] === wanted) return null;
  const shares = words.map(async (word) => ({ word, share: (await rarestFirst(db, trigramsOf(word)))[0]?.share ?? 1 }));
  const [rarest] = (await Promise.all(shares)).toSorted((one, other) => one.share - other.share);
  return rarest && rarest.share < RARE ? rarest.word : null;
}

/** Returns a limited number of trigrams from the whole list. */
function someOf<T>(trigrams: T[]): T[] {
  const step = Math.ceil(trigrams.length / MAX_TRIGRAMS);
  return trigrams.filter((_, index) => index % step === 0);
}

/** Returns a full-text query for the texts that have all of these trigrams, quoted so that nothing in them acts as an operator. */
function allOf(trigrams: string[]): string {
  return trigrams.map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ');
}

/** Separates the codes from the text that everyone may search. No text that people enter contains it. */
const BEFORE_CODES = '\x1f';

const POSITION = { sqlite: 'instr', postgres: 'strpos' };
const TEXT = 'item_search.text';
/** SQL for the part of a text that visitors may search. */
const PUBLIC_TEXT = {
  sqlite: `substr(${TEXT}, 1, instr(${TEXT} || '${BEFORE_CODES}', '${BEFORE_CODES}'))`,
  postgres: `split_part(${TEXT}, '${BEFORE_CODES}', 1)`,
};

/** Returns what a person searches for, folded for comparison; an empty text for nothing. */
export function wantedText(q: string | null): string {
  return q === null ? '' : firstCharacters(foldForSearch(q), MAX_WANTED).trim();
}

/** Returns all searchable text of an item, folded for comparison. */
export function searchText(
  id: string,
  item: Codes & { name: string; supplierName: string; description: string },
): string {
  const { name, supplierName, description, sku, barcodes } = item;
  const searched = firstCharacters(foldForSearch(description), MAX_DESCRIPTION);
  const text = foldForSearch([name, supplierName, searched, id].join('\n'));
  // Codes as they were entered, and as they are compared: an EAN-13 also finds the same number entered as a UPC.
  const codes = new Set([sku ?? '', ...barcodes, ...codeKeys(item)]);
  return codes.size === 1 ? text : text + BEFORE_CODES + foldForSearch([...codes].join('\n'));
}

export const addToSearch = statement<never, [num: number, text: string]>(
  'insert into item_search (rowid, text) values ($1, $2)',
);
export const selectSearch = statement<{ rowid: number }, [num: number]>(
  'select rowid from item_search where rowid = $1',
);
export const removeFromSearch = statement<never, [num: number]>('delete from item_search where rowid = $1');

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
