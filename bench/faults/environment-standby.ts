import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Postgres, startPostgres } from '../../server/testing/postgres.ts';
import type { Environment } from './environment.ts';
import { throughProxy } from './environment-postgres.ts';
import { processTree, signalAll } from './processes.ts';
import { openServer } from './server-process.ts';
import { openProxy } from './tcp-proxy.ts';

const DATABASE = 'faults';

/** Starts one server on a primary that has a synchronous standby: every acknowledged change must be on both. */
export async function standbyEnvironment({
  synchronousCommit,
}: {
  synchronousCommit: 'on' | 'local';
}): Promise<Environment> {
  const folder = mkdtempSync(join(tmpdir(), 'perfume-faults-'));
  const primary = await startPostgres();
  await primary.createDatabase(DATABASE);
  const replication = await openProxy(portOf(primary));
  const standby = await startPostgres({ follows: { primary, port: replication.port } });
  await query(primary, `alter database ${DATABASE} set synchronous_commit = '${synchronousCommit}'`);
  await query(primary, "alter system set synchronous_standby_names = 'standby'");
  await query(primary, 'select pg_reload_conf()');
  const proxy = await openProxy(portOf(primary));
  const server = await openServer({
    folder,
    name: 'server',
    env: {
      DATABASE_URL: throughProxy(proxy, primary.url(DATABASE)),
      AUTH_SECRET: 'the same secret before and after the takeover',
    },
  });
  function killPrimary(): void {
    signalAll(processTree(primary.pid), 'SIGKILL');
    proxy.cut();
  }

  return {
    proxies: [server.proxy],
    description: `one server, a primary and its synchronous standby, synchronous_commit = ${synchronousCommit}`,
    faults: {
      /**
       * Stops replication, then crashes the primary, which recovers commits from its WAL that no standby has confirmed.
       * While clients retry, the primary is lost for good, and the standby takes over with what it has.
       */
      async 'primary-lost'({ durationMs }) {
        replication.hold();
        return async () => {
          killPrimary();
          await primary.restart();
          await new Promise((resolve) => setTimeout(resolve, durationMs));
          killPrimary();
          // Bytes that the proxy still holds are lost with the primary.
          replication.cut();
          await query(standby, 'select pg_promote()');
          proxy.routeTo(portOf(standby));
          proxy.cut();
        };
      },
    },
    async close() {
      await server.close();
      await Promise.all([proxy.close(), replication.close()]);
      await Promise.all([standby.stop(), primary.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function query(postgres: Postgres, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url() });
  await client.connect();
  await client.query(text).finally(() => client.end());
}

function portOf(postgres: Postgres): number {
  return Number(new URL(postgres.url()).port);
}
