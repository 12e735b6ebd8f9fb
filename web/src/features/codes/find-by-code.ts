import { fromWire } from '@perfume/contract/wire-item';
import { checkBarcode } from '@perfume/domain/codes';
import type { Item } from '@perfume/domain/items';
import { ApiProblem, call } from '../../api/client.ts';
import { cachedItemByCode, keepItem, newestOf } from '../../live/item-cache.ts';
import { isLost } from '../../live/live-items.ts';
import { findOffline } from '../../live/seen-data.ts';

/**
 * A server that has not answered by then is not waited for, if this device knows the code. Much longer than a slow
 * answer takes: a copy on this device may be old, and a wrong item would be booked.
 */
const PATIENCE_MS = 5_000;

/**
 * Finds the item that has a code; null when no item has it. Only the server knows it for certain. Without a connection,
 * or when the server does not answer, it is found among what is on screen and the copies on this device.
 */
export async function findByCode(code: string): Promise<Item | null> {
  const known = isLost() ? await findHere(code) : cachedItemByCode(code, false);
  const found = known ?? (await ask(code));
  return found && keepItem(found);
}

async function findHere(code: string): Promise<Item | null> {
  return newestOf([cachedItemByCode(code, true), await findOffline(code)]);
}

/**
 * Finds the item that has a scanned code. `expected` is the right check digit of a code with a wrong one, which was
 * misread and is not looked up on the server.
 */
export async function findScanned(code: string): Promise<{ item: Item | null; expected: number | null }> {
  // The item's own code may look like an EAN with a wrong check digit.
  const isKnown = cachedItemByCode(code, isLost()) !== null;
  const checked = checkBarcode(code);
  if (!isKnown && !checked.ok && checked.error.code === 'wrong_check_digit')
    return { item: null, expected: checked.error.expected };
  return { item: await findByCode(code), expected: null };
}

async function ask(code: string): Promise<Item | null> {
  const cancel = new AbortController();
  const answer = findOnServer(code, cancel.signal);
  const copy = new Promise<Item>((resolve) => {
    setTimeout(() => void findHere(code).then((item) => item && resolve(item)), PATIENCE_MS);
  });
  try {
    return await Promise.race([answer, copy]);
  } catch (problem) {
    const kept = problem instanceof ApiProblem && problem.code === 'offline' ? await findHere(code) : null;
    if (!kept) throw problem;
    return kept;
  } finally {
    cancel.abort();
  }
}

async function findOnServer(code: string, signal: AbortSignal): Promise<Item | null> {
  try {
    const { data } = await call('GET /codes/:code', { params: { code }, signal });
    return fromWire(data);
  } catch (problem) {
    if (problem instanceof ApiProblem && problem.code === 'code_not_found') return null;
    throw problem;
  }
}
