import { countCharacters, foldForSearch } from '@perfume/domain/text';
import type { Db } from './database.ts';
import { statement } from './statement.ts';

const TRIGRAM = 3;

type Matches = {
  from: string;
  condition: string;
  /** The number of an item, read where rows come in its order by themselves: the first few need not wait for all. */
  num: string;
};

/**
 * Where to look for items whose folded text contains `wanted`, in name, supplier, description or id. One or two letters
 * make no trigram; they are looked for in name and supplier alone, which an index holds.
 */
export async function matches(db: Db, wanted: string, params: unknown[]): Promise<Matches> {
  if (countCharacters(wanted) < TRIGRAM) {
    const pattern = `$${params.push(`%${escapeLike(wanted)}%`)}`;
    const like = (column: string) => `items.${column} like ${pattern} escape '\\'`;
    return { from: 'items', condition: `(${like('name_key')} or ${like('supplier_key')})`, num: 'items.num' };
  }
  // On a full disk new texts cannot enter the index. They are still there to be read.
  if ((await db.prepareSearch()) && db.dialect === 'sqlite') {
    return {
      from: 'item_search_index join items on items.num = item_search_index.rowid',
      condition: `item_search_index match $${params.push(phrase(wanted))}`,
      num: 'item_search_index.rowid',
    };
  }
  return {
    from: 'item_search join items on items.num = item_search.rowid',
    condition: `item_search.text like $${params.push(`%${escapeLike(wanted)}%`)} escape '\\'`,
    num: 'items.num',
  };
}

/** Everything an item can be found by, as search compares it. */
export function searchText(id: string, item: { name: string; supplierName: string; description: string }): string {
  return foldForSearch([item.name, item.supplierName, item.description, id].join('\n'));
}

export const addToSearch = statement<never, [num: number, text: string]>(
  'insert into item_search (rowid, text) values ($1, $2)',
);
export const selectSearch = statement<{ rowid: number }, [num: number]>(
  'select rowid from item_search where rowid = $1',
);
export const removeFromSearch = statement<never, [num: number]>('delete from item_search where rowid = $1');

/** Full-text syntax has operators; inside quotes everything is only text. */
function phrase(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
