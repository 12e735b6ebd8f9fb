import { hash, randomFillSync } from 'node:crypto';

const pool = Buffer.alloc(16 * 256);
let used = pool.length;
let lastTime = 0;
let sameTime = 0;

/**
 * Returns a UUID of version 7. It begins with the time, so newer ids sort later and inserts touch the same index pages. The
 * first 4,096 ids of a millisecond sort in the order in which they were made.
 */
export function newId(now: number): string {
  sameTime = now === lastTime ? Math.min(sameTime + 1, 0xfff) : 0;
  lastTime = now;
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const bytes = pool.subarray(used, used + 16);
  used += 16;
  bytes.writeUIntBE(now, 0, 6);
  bytes.writeUInt16BE(0x7000 | sameTime, 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/**
 * Returns a UUID derived from `text`: the same text gives the same id. Its version is 8, which only the server creates.
 */
export function derivedId(text: string): string {
  const hex = hash('sha256', text, 'hex');
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
