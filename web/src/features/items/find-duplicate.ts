import { fromWire } from '@perfume/contract/wire-item';
import type { Item } from '@perfume/domain/items';
import { normalText } from '@perfume/domain/text';
import { call } from '../../api/client.ts';
import type { ItemTexts } from './item-fields.ts';

const MOST_LOOKED_AT = '100';
const PATIENCE_MS = 4_000;

/**
 * An item that already has this name and supplier, whatever the case of the letters. Null as well when nobody answers in
 * time: this is a courtesy, and must not keep anybody from adding an item.
 */
export async function findDuplicate({ name, suplierName }: ItemTexts): Promise<Item | null> {
  try {
    const { data } = await call('GET /all-inventory-items', {
      query: { q: normalText(name), limit: MOST_LOOKED_AT },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const found = data.find((item) => isSame(item.name, name) && isSame(item.suplierName, suplierName));
    return found ? fromWire(found) : null;
  } catch {
    return null;
  }
}

function isSame(one: string, other: string): boolean {
  return normalText(one).toLowerCase() === normalText(other).toLowerCase();
}
