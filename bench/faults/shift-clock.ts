// A module that is passed to a server with --import. It shifts the server's clock, as a bad time server would. A file
// contains the shift in milliseconds; SIGUSR2 announces a change. Timers and performance.now are not affected, as on a
// real machine.
import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const TrueDate = Date;
const file = process.env.CLOCK_SHIFT_FILE ?? '';
let shift = read();
if (isMainThread) {
  process.on('SIGUSR2', () => {
    shift = read();
  });
}

function read(): number {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return 0;
  }
}

globalThis.Date = class extends TrueDate {
  constructor(...given: [] | [string | number | Date]) {
    if (given.length === 0) super(TrueDate.now() + shift);
    else super(...(given as [number]));
  }

  static override now(): number {
    return TrueDate.now() + shift;
  }
} as DateConstructor;
