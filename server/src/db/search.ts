import { countCharacters, foldForSearch } from '@perfume/domain/text';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from './database.ts';
import { statement } from './statement.ts';

const TRIGRAM = 3;

/**
 * A condition on items.num: the folded text contains `q`, in name, supplier, description or id. One or two letters
 * make no trigram; they are looked for in name and supplier alone, which an index holds.
 */
export function matches(db: Db, q: string): RawBuilder<boolean> {
  const wanted = foldForSearch(q);
  if (countCharacters(wanted) < TRIGRAM) {
    const pattern = `%${escapeLike(wanted)}%`;
    return sql<boolean>`(items.name_key like ${pattern} escape '\\' or items.supplier_key like ${pattern} escape '\\')`;
  }
  return db.dialect === 'sqlite'
    ? sql<boolean>`items.num in (select rowid from item_search where item_search match ${phrase(wanted)})`
    : sql<boolean>`items.num in (select rowid from item_search where text like ${`%${escapeLike(wanted)}%`} escape '\\')`;
}

export const addToSearch = statement<never, [num: number, text: string]>(
  'insert into item_search (rowid, text) values ($1, $2)',
);
export const removeFromSearch = statement<never, [num: number]>('delete from item_search where rowid = $1');

/** Full-text syntax has operators; inside quotes everything is only text. */
function phrase(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
