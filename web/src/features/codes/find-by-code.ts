import { fromWire } from '@perfume/contract/wire-item';
import { checkBarcode } from '@perfume/domain/codes';
import type { Item } from '@perfume/domain/items';
import { ApiProblem, call } from '../../api/client.ts';
import { cachedItemByCode, keepItem } from '../../live/item-cache.ts';
import { isLost } from '../../live/live-items.ts';
import { findOffline } from '../../live/seen-data.ts';

/** A server that has not answered by then is not waited for, if this device knows the code. */
const PATIENCE_MS = 1_000;

/**
 * Finds the item that has a code; null when no item has it. Without a connection, or with a bad one, it is found among
 * the copies on this device; they may be hours old, so the server is asked first.
 */
export async function findByCode(code: string): Promise<Item | null> {
  const found = cachedItemByCode(code) ?? (isLost() ? await findOffline(code) : null) ?? (await ask(code));
  return found && keepItem(found);
}

/**
 * Finds the item that has a scanned code. `expected` is the right check digit of a code with a wrong one, which was
 * misread and is not looked up on the server.
 */
export async function findScanned(code: string): Promise<{ item: Item | null; expected: number | null }> {
  // The item's own code may look like an EAN with a wrong check digit.
  const known = cachedItemByCode(code);
  if (known) return { item: known, expected: null };
  const checked = checkBarcode(code);
  if (!checked.ok && checked.error.code === 'wrong_check_digit')
    return { item: null, expected: checked.error.expected };
  return { item: await findByCode(code), expected: null };
}

async function ask(code: string): Promise<Item | null> {
  const cancel = new AbortController();
  const answer = findOnServer(code, cancel.signal);
  const copy = new Promise<Item>((resolve) => {
    setTimeout(() => void findOffline(code).then((item) => item && resolve(item)), PATIENCE_MS);
  });
  try {
    return await Promise.race([answer, copy]);
  } catch (problem) {
    const kept = problem instanceof ApiProblem && problem.code === 'offline' ? await findOffline(code) : null;
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
