import { createHash } from 'node:crypto';
import type { Item } from '@perfume/domain/items';

/** Writes items as a JSON array while they are read, so that they are in memory only once. */
export async function jsonInSteps(
  steps: AsyncIterable<Item[]>,
  toWire: (items: Item[]) => unknown[] | Promise<unknown[]>,
): Promise<{ body: Buffer; etag: string; rows: number }> {
  const parts: Buffer[] = [];
  const digest = createHash('sha1');
  let rows = 0;
  const add = (text: string) => {
    const part = Buffer.from(text);
    parts.push(part);
    digest.update(part);
  };
  for await (const items of steps) {
    // Items of a house that is no longer published are left out.
    const shown = await toWire(items);
    if (shown.length === 0) continue;
    add((rows === 0 ? '[' : ',') + JSON.stringify(shown).slice(1, -1));
    rows += shown.length;
  }
  add(rows === 0 ? '[]' : ']');
  return { body: Buffer.concat(parts), etag: `"${digest.digest('base64url')}"`, rows };
}
