import { fromWire } from '@perfume/contract/wire-item';
import type { Item } from '@perfume/domain/items';
import { ApiProblem, call } from '../../api/client.ts';
import { cachedItemByCode, keepItem } from '../../live/item-cache.ts';
import { isLost } from '../../live/live-items.ts';
import { findOffline } from '../../live/seen-data.ts';

/** Finds the item that has a code; null when no item has it. Items on this device are found without a request. */
export async function findByCode(code: string): Promise<Item | null> {
  const known = cachedItemByCode(code);
  if (known) return known;
  // Without a connection, a request might only fail after a while, and the next bottle waits.
  const near = isLost() ? await findOffline(code) : null;
  if (near) return keepItem(near);
  try {
    const { data } = await call('GET /codes/:code', { params: { code } });
    return keepItem(fromWire(data));
  } catch (problem) {
    if (problem instanceof ApiProblem && problem.code === 'code_not_found') return null;
    const isOffline = problem instanceof ApiProblem && problem.code === 'offline';
    const seen = isOffline ? await findOffline(code) : null;
    if (seen === null) throw problem;
    return keepItem(seen);
  }
}
