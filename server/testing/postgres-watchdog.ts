// Run by postgres.ts as a process of its own. Its input says which server is alive; the input ends when the
// process that started the server ends, in whatever way. Then the server must not outlive it.
import fs from 'node:fs/promises';
import { createInterface } from 'node:readline';

const home = process.argv[2];
let serverPid = 0;

for await (const line of createInterface({ input: process.stdin })) serverPid = Number(line);

if (serverPid > 0) {
  try {
    process.kill(serverPid, 'SIGQUIT');
  } catch {
    // It ended on its own.
  }
}
if (home) await fs.rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
