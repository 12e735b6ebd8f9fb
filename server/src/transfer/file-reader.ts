import { Worker } from 'node:worker_threads';
import { type ReadFile, readChunks } from './read-chunks.ts';
import { isZip } from './read-table.ts';

/** Starting a thread takes longer than reading so much text. */
const SHORT_TEXT = 100_000;
const TIMEOUT_MS = 25_000;
const MEMORY_MB = 768;

/** Reads a file, in a thread of its own so that a large or hostile one makes nobody wait and cannot end the server. */
export async function readFile(bytes: Buffer, signal: AbortSignal): Promise<ReadFile> {
  if (bytes.length <= SHORT_TEXT && !isZip(bytes)) return readChunks(bytes);
  const worker = new Worker(new URL('./file-reader-worker.ts', import.meta.url), {
    workerData: bytes,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    env: {},
  });
  return new Promise((resolve) => {
    const end = (result: ReadFile) => {
      clearTimeout(timer);
      void worker.terminate();
      resolve(result);
    };
    const tooLarge = () => end({ ok: false, error: { code: 'table_too_large' } });
    const timer = setTimeout(tooLarge, TIMEOUT_MS);
    // Nobody waits for it any more.
    signal.addEventListener('abort', tooLarge);
    worker.once('message', end);
    // It has run out of memory.
    worker.once('error', tooLarge);
  });
}
