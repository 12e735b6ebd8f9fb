import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOurs } from '../servers.ts';

/**
 * The product as it runs, with every limit in force. It trusts this machine as its proxy, so that requests come from
 * many addresses: limits by address then let through what a hundred thousand different people would ask.
 */
export async function fuzzedServer(databaseUrl: string | null) {
  const dataDir = mkdtempSync(join(tmpdir(), 'perfume-fuzz-'));
  const server = await startOurs({
    DATA_DIR: dataDir,
    TRUST_PROXY: '127.0.0.1',
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
  });
  return {
    url: server.url,
    store: { dataDir, databaseUrl },
    rssMb: server.rssMb,
    async stop() {
      server.kill();
      await server.ended;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
