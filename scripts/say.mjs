import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** An expected end with a sentence for the person at the keyboard; anything else thrown is a bug. */
export class Stop extends Error {}

export function say(text) {
  process.stderr.write(`${text}\n`);
}

/** One calm line before, and the time it took after when it was worth noticing. */
export async function step(announcement, work) {
  const startedAt = performance.now();
  say(`${announcement}…`);
  const result = await work();
  const seconds = (performance.now() - startedAt) / 1000;
  if (seconds > 1) say(`  done in ${seconds.toFixed(1)} s`);
  return result;
}
