import { paths } from '../../paths.ts';
import { readSession, writeSession } from '../../ui/session-memory.ts';

const LAST_SEARCH = 'manage-inventory';

/** A link to Manage Inventory with the search, sorting and filters that were last used in this tab. */
export function manageInventoryLink(): string {
  const search = readSession(LAST_SEARCH) ?? '';
  return paths.manageInventory + (search.startsWith('?') ? search : '');
}

export function saveLastSearch(params: URLSearchParams): void {
  writeSession(LAST_SEARCH, params.size === 0 ? '' : `?${params}`);
}
