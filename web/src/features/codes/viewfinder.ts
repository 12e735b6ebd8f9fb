import { codeKey } from '@perfume/domain/codes';
import type { SeenCode } from './frame-messages.ts';

/** A code that was scanned counts again once it has been out of view for this long. */
const REST_MS = 1_000;
/** The same, if another code was scanned meanwhile. */
const SHORT_REST_MS = 400;
/** A code counts as in view for this long after it was last found: the decoder misses single pictures. */
const IN_VIEW_MS = 200;
/** Short codes are easily misread inside longer ones, so two pictures in a row have to agree on them. */
const needsSecondLook = new Set(['ean_8', 'upc_e']);

/**
 * Returns a function that is given the codes in each picture of the camera and returns the code to scan, if any. One
 * bottle held into view is one scan, however long it stays there. Of several codes in view, only one is scanned.
 */
export function createViewfinder(): (codes: readonly SeenCode[], now: number) => string | null {
  // By key: one picture may read a UPC as 12 digits and the next as the 13 of its EAN.
  const scanned = new Map<string, { seenAt: number; scannedAt: number }>();
  let firstLook: string | null = null;

  return (codes, now) => {
    const lastScanAt = Math.max(...[...scanned.values()].map(({ scannedAt }) => scannedAt));
    for (const [code, { seenAt, scannedAt }] of scanned)
      if (now - seenAt > (scannedAt < lastScanAt ? SHORT_REST_MS : REST_MS)) scanned.delete(code);
    for (const { code } of codes) {
      const known = scanned.get(codeKey(code));
      if (known) known.seenAt = now;
    }

    const isStillInView = [...scanned.values()].some(({ seenAt }) => now - seenAt < IN_VIEW_MS);
    const [next] = codes
      .filter(({ code }) => !scanned.has(codeKey(code)))
      .toSorted((a, b) => a.offCentre - b.offCentre);
    if (isStillInView || !next) return null;
    if (needsSecondLook.has(next.format) && firstLook !== next.code) {
      firstLook = next.code;
      return null;
    }
    firstLook = null;
    scanned.set(codeKey(next.code), { seenAt: now, scannedAt: now });
    return next.code;
  };
}
