import { type Codes, codeKeys } from '@perfume/domain/codes';
import { countCharacters, foldForSearch } from '@perfume/domain/text';
import type { Db } from './database.ts';
import { statement } from './statement.ts';

const TRIGRAM_LENGTH = 3;

type Matches = {
  from: string;
  condition: string;
  /** The column with the item number. Rows are read in its order, so sorting by it costs nothing. */
  num: string;
};

/**
 * Returns the tables and the condition that find items whose name, supplier, description, code or id contains `wanted`, a
 * folded text. One or two characters make no trigram, so they are searched in name and supplier only, which have their
 * own index. `isPublic` leaves the codes out: visitors do not see them, and must not guess them letter by letter.
 */
export async function matches(db: Db, wanted: string, params: unknown[], isPublic = false): Promise<Matches> {
  if (countCharacters(wanted) < TRIGRAM_LENGTH) {
    const pattern = `$${params.push(`%${escapeLike(wanted)}%`)}`;
    const like = (column: string) => `items.${column} like ${pattern} escape '\\'`;
    return { from: 'items', condition: `(${like('name_key')} or ${like('supplier_key')})`, num: 'items.num' };
  }
  const alsoPublic = isPublic ? ` and ${positionInPublicText(db, `$${params.push(wanted)}`)} > 0` : '';
  // On a full disk new texts cannot be indexed, and `prepareSearch` returns false. The scan below still finds them.
  if ((await db.prepareSearch()) && db.dialect === 'sqlite') {
    return {
      from: 'item_search_index join items on items.num = item_search_index.rowid',
      condition: `item_search_index match $${params.push(phrase(wanted))}${alsoPublic}`,
      num: 'item_search_index.rowid',
    };
  }
  return {
    from: 'item_search join items on items.num = item_search.rowid',
    condition: `item_search.text like $${params.push(`%${escapeLike(wanted)}%`)} escape '\\'${alsoPublic}`,
    num: 'items.num',
  };
}

/** SQL for the position of a text in what visitors may search; 0 if it is not there. */
function positionInPublicText(db: Db, wanted: string): string {
  const [position, text] =
    db.dialect === 'sqlite'
      ? ['instr', `substr(text, 1, instr(text || '${BEFORE_CODES}', '${BEFORE_CODES}'))`]
      : ['strpos', `split_part(text, '${BEFORE_CODES}', 1)`];
  return `(select ${position}(${text}, ${wanted}) from item_search public where public.rowid = items.num)`;
}

/** Separates the codes from the text that everyone may search. No text that people enter contains it. */
const BEFORE_CODES = '\x1f';

/** Returns all searchable text of an item, folded for comparison. */
export function searchText(
  id: string,
  item: Codes & { name: string; supplierName: string; description: string },
): string {
  const { name, supplierName, description, sku, barcodes } = item;
  const text = foldForSearch([name, supplierName, description, id].join('\n'));
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

/** Quotes a text, so that nothing in it acts as an operator of the full-text query syntax. */
function phrase(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
