import { fromWire } from '@perfume/contract/wire-item';
import type { Item } from '@perfume/domain/items';
import { normalText } from '@perfume/domain/text';
import { call } from '../../api/client.ts';
import type { ItemTexts } from './item-fields.ts';

const MAX_CANDIDATES = '100';
const TIMEOUT_MS = 4_000;

/**
 * Finds an item with this name and supplier, ignoring case. Returns null if there is none, and also when the server
 * fails or takes too long: a missing warning must not block adding an item.
 */
export async function findDuplicate({ name, supplierName }: ItemTexts): Promise<Item | null> {
  try {
    const { data } = await call('GET /all-inventory-items', {
      query: { q: normalText(name), limit: MAX_CANDIDATES },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const isDuplicate = (item: Item) => isSame(item.name, name) && isSame(item.supplierName, supplierName);
    return data.map(fromWire).find(isDuplicate) ?? null;
  } catch {
    return null;
  }
}

function isSame(one: string, other: string): boolean {
  return normalText(one).toLowerCase() === normalText(other).toLowerCase();
}
