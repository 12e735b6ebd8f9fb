// Stops the PostgreSQL server of the tests when they end for any reason. This is a separate process, started by
// postgres.ts. It reads the process id of the server from its input, which ends when the process that started the
// server ends.
import fs from 'node:fs/promises';
import { createInterface } from 'node:readline';

const home = process.argv[2];
let serverPid = 0;

for await (const line of createInterface({ input: process.stdin })) serverPid = Number(line);

if (serverPid > 0) {
  try {
    process.kill(serverPid, 'SIGQUIT');
  } catch {
    // The server has already ended.
  }
}
if (home) await fs.rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
