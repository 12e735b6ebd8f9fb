import { createHash, type Hash, hash } from 'node:crypto';
import type { Item } from '@perfume/domain/items';

/** Node sends a short text together with the headers of the response, which is faster than a buffer of its own. */
const SHORT_BYTES = 4_096;

const NOTHING = { body: '[]', etag: `"${hash('sha1', '[]', 'base64url')}"`, rows: 0 };

/** Writes items as a JSON array while they are read, so that they are in memory only once. */
export async function jsonInSteps(
  steps: AsyncIterable<Item[]>,
  toWire: (items: Item[]) => unknown[] | Promise<unknown[]>,
): Promise<{ body: string | Buffer; etag: string; rows: number }> {
  const parts: Buffer[] = [];
  // Only several steps need a digest that grows with them.
  let digest: Hash | null = null;
  let rows = 0;
  const add = (text: string) => {
    const part = Buffer.from(text);
    parts.push(part);
    digest?.update(part);
  };
  for await (const items of steps) {
    // Items of a house that is no longer published are left out.
    const shown = await toWire(items);
    if (shown.length === 0) continue;
    if (rows > 0) digest ??= createHash('sha1').update(parts[0] ?? '');
    add((rows === 0 ? '[' : ',') + JSON.stringify(shown).slice(1, -1));
    rows += shown.length;
  }
  if (rows === 0) return NOTHING;
  add(']');
  const body = Buffer.concat(parts);
  const etag = `"${digest ? digest.digest('base64url') : hash('sha1', body, 'base64url')}"`;
  return { body: body.length > SHORT_BYTES ? body : body.toString(), etag, rows };
}
