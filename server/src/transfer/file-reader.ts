import { fork } from 'node:child_process';
import { type Chunk, type ReadFile, readChunks } from './read-chunks.ts';
import { isZip } from './read-table.ts';

/** Starting a process takes longer than reading so much text. */
const SHORT_TEXT = 30_000;
const TIMEOUT_MS = 25_000;
const MEMORY_MB = 384;

type Message = Chunk | Extract<ReadFile, { ok: false }> | (Omit<Read, 'chunks'> & { chunkCount: number });
type Read = Extract<ReadFile, { ok: true }>;

/**
 * Reads a file, in a process of its own so that a large or hostile one makes nobody wait and cannot end the server: a
 * thread that runs out of memory may take the whole process with it.
 */
export async function readFile(bytes: Buffer, signal: AbortSignal, memoryMb = MEMORY_MB): Promise<ReadFile> {
  if (bytes.length <= SHORT_TEXT && !isZip(bytes)) return readChunks(bytes);
  const child = fork(new URL('./file-reader-child.ts', import.meta.url), {
    stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${memoryMb}`],
    env: {},
    // Or nobody waits for it any more.
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    killSignal: 'SIGKILL',
  });
  // It would go on without the server.
  const stop = () => void child.kill('SIGKILL');
  process.once('exit', stop);
  // The process may end before it has read everything.
  child.stdin?.on('error', () => {});
  child.stdin?.end(bytes);
  return new Promise((resolve) => {
    const chunks: Chunk[] = [];
    let [result, left]: [ReadFile, number] = [{ ok: false, error: { code: 'table_too_large' } }, 0];
    child.on('message', (message: Message) => {
      if ('rows' in message) {
        chunks.push(message);
        left--;
      } else if (message.ok) {
        const { chunkCount, ...facts } = message;
        [result, left] = [{ ...facts, chunks }, chunkCount];
      } else result = message;
    });
    const end = () => {
      process.off('exit', stop);
      resolve(left === 0 ? result : { ok: false, error: { code: 'table_too_large' } });
    };
    // It was stopped, or could not start.
    child.on('error', () => child.pid === undefined && end());
    // It has sent everything, or it was stopped or has run out of memory before.
    child.once('disconnect', end);
  });
}
