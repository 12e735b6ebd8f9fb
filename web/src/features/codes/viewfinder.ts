import { codeKey } from '@perfume/domain/codes';
import type { SeenCode } from './frame-messages.ts';

/** A code that was scanned counts again once it has been out of view for this long. */
const REST_MS = 1_000;
/** The same, if another code was scanned meanwhile. */
const SHORT_REST_MS = 400;
/** On a busy device pictures come seldom. This many must be without the code, however long they take. */
const MISSED_PICTURES = 3;
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
  const scanned = new Map<string, { seenAt: number; scannedAt: number; missed: number }>();
  let firstLook: string | null = null;

  return (codes, now) => {
    const lastScanAt = Math.max(...[...scanned.values()].map(({ scannedAt }) => scannedAt));
    const inPicture = new Set(codes.map(({ code }) => codeKey(code)));
    for (const [key, known] of scanned) {
      const restMs = known.scannedAt < lastScanAt ? SHORT_REST_MS : REST_MS;
      if (known.missed >= MISSED_PICTURES && now - known.seenAt > restMs) scanned.delete(key);
      else if (inPicture.has(key)) Object.assign(known, { seenAt: now, missed: 0 });
      else known.missed++;
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
    scanned.set(codeKey(next.code), { seenAt: now, scannedAt: now, missed: 0 });
    return next.code;
  };
}
