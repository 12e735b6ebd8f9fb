// Runs as a separate process, started by postgres.ts, and reads the process id of the running server from its input. The
// input ends when the process that started the server ends for any reason. Then this stops the server.
import fs from 'node:fs/promises';
import { createInterface } from 'node:readline';

const home = process.argv[2];
let serverPid = 0;

for await (const line of createInterface({ input: process.stdin })) serverPid = Number(line);

if (serverPid > 0) {
  try {
    process.kill(serverPid, 'SIGQUIT');
  } catch {
    // It has already ended.
  }
}
if (home) await fs.rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
