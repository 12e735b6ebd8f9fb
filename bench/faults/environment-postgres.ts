import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Postgres, startPostgres } from '../../server/testing/postgres.ts';
import { type Environment, serverFaults } from './environment.ts';
import type { MutantName } from './mutants.ts';
import { processTree, signalAll } from './processes.ts';
import { openServer, type Server } from './server-process.ts';
import { openProxy, type TcpProxy } from './tcp-proxy.ts';

const DATABASE = 'faults';

export type PostgresEnvironment = Environment & {
  /** The proxy between the servers and PostgreSQL. */
  proxy: TcpProxy;
  postgres: Postgres;
};

/** Starts two servers, or those with the given names, on one PostgreSQL, with our proxy in between. */
export async function postgresEnvironment({
  mutant,
  servers: names = ['one', 'two'],
}: {
  mutant?: MutantName | undefined;
  servers?: string[];
} = {}): Promise<PostgresEnvironment> {
  const folder = mkdtempSync(join(tmpdir(), 'perfume-faults-'));
  const postgres = await startPostgres({ durable: true });
  await postgres.createDatabase(DATABASE);
  const proxy = await openProxy(Number(new URL(postgres.url()).port));
  const env = { DATABASE_URL: throughProxy(proxy, postgres.url(DATABASE)) };
  const servers: Server[] = [];
  for (const name of names) servers.push(await openServer({ folder, name, env, mutant }));
  return {
    proxies: servers.map(({ proxy }) => proxy),
    description: `${servers.length} servers on one PostgreSQL`,
    proxy,
    postgres,
    faults: { ...serverFaults(servers), ...databaseFaults(postgres, proxy, DATABASE) },
    async close() {
      await Promise.all(servers.map((server) => server.close()));
      await proxy.close();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The address of the same database through the proxy. */
export function throughProxy(proxy: TcpProxy, address: string): string {
  const url = new URL(address);
  url.port = String(proxy.port);
  return url.href;
}

function databaseFaults(postgres: Postgres, proxy: TcpProxy, database: string): Environment['faults'] {
  return {
    async 'postgres-kill'() {
      signalAll(processTree(postgres.pid), 'SIGKILL');
      return () => postgres.restart();
    },
    async 'postgres-freeze'() {
      const tree = processTree(postgres.pid);
      signalAll(tree, 'SIGSTOP');
      return async () => signalAll(tree, 'SIGCONT');
    },
    /**
     * Locks a table: every connection of the pool waits for the lock, and then every request waits for a connection.
     */
    async 'pool-exhausted'({ size }) {
      const client = new pg.Client({ connectionString: postgres.url(database) });
      await client.connect();
      await client.query('begin');
      await client.query(`lock table ${size < 0.5 ? 'items' : 'answers'} in access exclusive mode`);
      return () => client.end();
    },
    /** Breaks every open connection in the middle of a query or a result. */
    async 'database-cut'({ selector, size }) {
      proxy.cutAfter(selector < 0.5 ? 'request' : 'answer', Math.floor(size * MAX_CUT_BYTES));
      return async () => proxy.cut();
    },
    async 'database-delay'({ size }) {
      proxy.delay(Math.round(20 + size * 200));
      return async () => proxy.delay(0);
    },
  };
}

const MAX_CUT_BYTES = 2_000;
