import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Postgres, startPostgres } from '../../server/testing/postgres.ts';
import { type Line, openLine } from './line.ts';
import type { MutantName } from './mutants.ts';
import { familyOf, signalAll } from './processes.ts';
import { openServer, type Server } from './server-process.ts';
import { serverFaults, type World } from './world.ts';

const DATABASE = 'faults';

export type PostgresWorld = World & {
  /** Between the servers and PostgreSQL. */
  line: Line;
  postgres: Postgres;
};

/** Two servers, or as many as asked for, on one PostgreSQL, and a line of ours between them and it. */
export async function postgresWorld({
  mutant,
  servers: names = ['one', 'two'],
}: {
  mutant?: MutantName | undefined;
  servers?: string[];
} = {}): Promise<PostgresWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'perfume-faults-'));
  const postgres = await startPostgres({ durable: true });
  await postgres.createDatabase(DATABASE);
  const line = await openLine(Number(new URL(postgres.url()).port));
  const env = { DATABASE_URL: through(line, postgres.url(DATABASE)) };
  const servers: Server[] = [];
  for (const name of names) servers.push(await openServer({ folder, name, env, mutant }));
  return {
    doors: servers.map(({ door }) => door),
    about: `${servers.length} servers on one PostgreSQL`,
    line,
    postgres,
    faults: { ...serverFaults(servers), ...databaseFaults(postgres, line, DATABASE) },
    async close() {
      await Promise.all(servers.map((server) => server.close()));
      await line.close();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The same database, reached over the line. */
export function through(line: Line, address: string): string {
  const url = new URL(address);
  url.port = String(line.port);
  return url.href;
}

function databaseFaults(postgres: Postgres, line: Line, database: string): World['faults'] {
  return {
    async 'postgres-kill'() {
      signalAll(familyOf(postgres.pid), 'SIGKILL');
      return () => postgres.restart();
    },
    async 'postgres-freeze'() {
      const family = familyOf(postgres.pid);
      signalAll(family, 'SIGSTOP');
      return async () => signalAll(family, 'SIGCONT');
    },
    /** Somebody holds a table: every connection of the pool waits for it, and then everybody for a connection. */
    async 'pool-exhausted'({ size }) {
      const client = new pg.Client({ connectionString: postgres.url(database) });
      await client.connect();
      await client.query('begin');
      await client.query(`lock table ${size < 0.5 ? 'items' : 'answers'} in access exclusive mode`);
      return () => client.end();
    },
    /** Every open connection ends in the middle of a question or of an answer. */
    async 'database-cut'({ which, size }) {
      line.cutAfter(which < 0.5 ? 'request' : 'answer', Math.floor(size * LONGEST_MESSAGE));
      return async () => line.cut();
    },
    async 'database-delay'({ size }) {
      line.delay(Math.round(20 + size * 200));
      return async () => line.delay(0);
    },
  };
}

const LONGEST_MESSAGE = 2_000;
