import { type Checked, invalid, valid } from './field-errors.ts';
import { checkLine } from './items.ts';

/** The pages whose filters can be saved under a name. */
export const viewPages = ['manageInventory', 'myItems', 'history', 'analysetic'] as const;
export type ViewPage = (typeof viewPages)[number];

/** Which list of items a page shows; null for a page that shows none, whose views have no count. */
export function listScope(page: ViewPage): 'all' | 'mine' | null {
  return page === 'manageInventory' ? 'all' : page === 'myItems' ? 'mine' : null;
}

export const VIEW_NAME_MAX = 80;
export const VIEW_QUERY_MAX = 2_000;
/** How many views a person can have. `too_many_views` says the same number. */
export const MAX_VIEWS = 100;

/** About how many views a person can get emails. `too_many_view_emails` says the same number. */
export const MAX_VIEW_EMAILS = 20;

export function checkViewName(input: unknown): Checked<string> {
  return checkLine(input, VIEW_NAME_MAX);
}

const PAIR = '[\\w.~*%+:,-]+=[\\w.~*%+:,-]*';
const QUERY = new RegExp(`^(?:${PAIR}(?:&${PAIR})*)?$`);

/**
 * Checks the query string of a view, without the question mark. Only its form is checked: each page ignores what it does
 * not know, as it does for an address that somebody typed.
 */
export function checkViewQuery(input: unknown): Checked<string> {
  if (typeof input !== 'string') return invalid({ code: 'not_a_query' });
  if (input.length > VIEW_QUERY_MAX) return invalid({ code: 'too_long', max: VIEW_QUERY_MAX });
  return QUERY.test(input) ? valid(input) : invalid({ code: 'not_a_query' });
}
