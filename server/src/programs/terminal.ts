import { ConfigError } from '../config.ts';
import { OperatorError } from '../db/core/errors.ts';
import { type Checkpoint, formatCheckpoint } from '../ledger/checkpoint.ts';

/** Runs a program. An expected error prints its message; any other error is a bug and prints its stack trace. */
export async function runProgram(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    clearLine();
    console.error(error instanceof ConfigError || error instanceof OperatorError ? error.message : error);
    process.exitCode = 1;
  }
}

/** Updates one progress line. Prints nothing when the output is not a terminal. */
export function showProgress(what: string): (done: number, total?: number) => void {
  return (done, total) => {
    if (!process.stdout.isTTY) return;
    clearLine();
    process.stdout.write(
      total === undefined
        ? `${formatNumber(done)} ${what} …`
        : `${formatNumber(done)} of ${formatNumber(total)} ${what} …`,
    );
  };
}

/** Replaces the progress line with a line that stays. */
export function print(text: string): void {
  clearLine();
  console.log(text);
}

export function printCheckpoint(checkpoint: Checkpoint): void {
  print(
    `Newest checkpoint, of ${new Date(checkpoint.at).toISOString()} (keep it on another machine): ${formatCheckpoint(checkpoint)}`,
  );
}

export function formatNumber(value: number): string {
  return value.toLocaleString('en');
}

export function secondsSince(startedAt: number): string {
  return `${((Date.now() - startedAt) / 1_000).toFixed(1)} s`;
}

export function formatMegabytes(bytes: number): string {
  return `${formatNumber(Math.ceil(bytes / 1e6))} MB`;
}

function clearLine(): void {
  if (process.stdout.isTTY) process.stdout.write('\r\x1b[K');
}
