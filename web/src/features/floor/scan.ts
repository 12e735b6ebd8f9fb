import type { Item } from '@perfume/domain/items';
import { findScanned } from '../codes/find-by-code.ts';
import { giveFeedback } from './feedback.ts';
import type { FloorMode } from './floor-mode.ts';
import { addEntry, replaceEntry, type Scanned } from './journal.ts';

/** A scan waits at most this long for the scans before it, whose codes may still be looked up. */
const MAX_WAIT_MS = 1_000;
let earlierScans: Promise<unknown> = Promise.resolve();

/**
 * Looks a scanned code up and calls `onFound` with its item. Until then the journal says so, and afterwards `onFound`
 * replaces that entry. Codes are looked up at the same time, but handled in the order in which they were scanned.
 */
export function scanCode(code: string, mode: FloorMode, onFound: (item: Item, scanKey: number) => void): void {
  const scanKey = addEntry({ kind: 'scanned', mode, code, state: 'looking' });
  lookUp(scanKey, { code, mode }, onFound);
}

/** Looks a code of the journal up once more. */
export function scanAgain(scanKey: number, scanned: Scanned, onFound: (item: Item, scanKey: number) => void): void {
  replaceEntry(scanKey, { kind: 'scanned', mode: scanned.mode, code: scanned.code, state: 'looking' });
  lookUp(scanKey, scanned, onFound);
}

function lookUp(
  scanKey: number,
  { code, mode }: { code: string; mode: FloorMode },
  onFound: (item: Item, scanKey: number) => void,
): void {
  const fail = (entry: Scanned) => {
    replaceEntry(scanKey, entry);
    giveFeedback('refused');
  };
  const found = findScanned(code);
  const turn = Promise.race([earlierScans, new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS))]);
  earlierScans = Promise.allSettled([found, turn]).then(([result]) => {
    if (result.status === 'rejected') {
      fail({ kind: 'scanned', mode, code, state: 'failed', problem: result.reason });
    } else if (result.value.item) onFound(result.value.item, scanKey);
    else if (result.value.expected === null) fail({ kind: 'scanned', mode, code, state: 'unknown' });
    else fail({ kind: 'scanned', mode, code, state: 'wrongDigit', expected: result.value.expected });
  });
}
