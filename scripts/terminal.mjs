import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** An expected failure whose message is for the user; any other exception is a bug. */
export class ExpectedError extends Error {}

export function print(text) {
  process.stderr.write(`${text}\n`);
}

/** Announces some work and runs it. Prints how long it took if that is more than a second. */
export async function step(announcement, work) {
  const startedAt = performance.now();
  print(`${announcement}…`);
  const result = await work();
  const seconds = (performance.now() - startedAt) / 1000;
  if (seconds > 1) print(`  done in ${seconds.toFixed(1)} s`);
  return result;
}
