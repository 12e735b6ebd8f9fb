import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOurs } from '../servers.ts';

/**
 * Starts the real product with all its limits. It trusts this machine as its proxy, so requests can come from many
 * addresses, and the limits per address do not stop the run.
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
