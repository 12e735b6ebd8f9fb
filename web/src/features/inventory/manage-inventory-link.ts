import { paths } from '../../paths.ts';

/** Manage Inventory with the search, order and filter it was left with; that screen keeps them under this name. */
export function manageInventoryLink(): string {
  return paths.manageInventory + rememberedSearch();
}

function rememberedSearch(): string {
  try {
    const search = sessionStorage.getItem('manage-inventory') ?? '';
    return search.startsWith('?') ? search : '';
  } catch {
    // Browsers may refuse storage.
    return '';
  }
}
