import { ConfigError } from '../config.ts';
import { OperatorError } from '../db/core/errors.ts';

/** Runs a program to its end. What was to be expected ends with a sentence, anything else is a bug and shown whole. */
export async function asProgram(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    clearLine();
    console.error(error instanceof ConfigError || error instanceof OperatorError ? error.message : error);
    process.exitCode = 1;
  }
}

/** One line that counts along while somebody is looking. */
export function showing(what: string): (done: number, all?: number) => void {
  return (done, all) => {
    if (!process.stdout.isTTY) return;
    clearLine();
    process.stdout.write(
      all === undefined ? `${number(done)} ${what} …` : `${number(done)} of ${number(all)} ${what} …`,
    );
  };
}

/** A line that stays. */
export function say(text: string): void {
  clearLine();
  console.log(text);
}

export function number(value: number): string {
  return value.toLocaleString('en');
}

export function seconds(since: number): string {
  return `${((Date.now() - since) / 1_000).toFixed(1)} s`;
}

export function megabytes(bytes: number): string {
  return `${number(Math.ceil(bytes / 1e6))} MB`;
}

function clearLine(): void {
  if (process.stdout.isTTY) process.stdout.write('\r\x1b[K');
}
