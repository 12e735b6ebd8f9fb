import { writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { readChunks } from './read-chunks.ts';

// If the machine runs out of memory, Linux ends this process and not the server.
await writeFile('/proc/self/oom_score_adj', '1000').catch(() => {});
const read = readChunks(await buffer(process.stdin));
if (read.ok) {
  const { chunks, ...facts } = read;
  await send({ ...facts, chunkCount: chunks.length });
  for (const chunk of chunks) await send(chunk);
} else await send(read);
process.disconnect();

function send(message: object): Promise<void> {
  return new Promise((resolve) => process.send?.(message, undefined, undefined, () => resolve()));
}
