import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import pg from 'pg';
import type { Db } from '../core/database.ts';
import { ConnectionLost, OutcomeUnknown, StoreUnavailable } from '../core/errors.ts';
import { queryRows, statement, withRawSql } from '../core/statement.ts';
import type { Tables } from '../core/tables.ts';
import { migratePostgres } from '../migrations/migrate.ts';
import { listenForCommits } from './notify.ts';
import { int8AsNumber } from './postgres-client.ts';

const MOST_CONNECTIONS = 16;
const MOST_WAITING = 512;
const TRIES = 4;

export async function openPostgres(url: string): Promise<Db> {
  const pool = new pg.Pool({
    connectionString: url,
    max: MOST_CONNECTIONS,
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 60_000,
    application_name: 'perfume-warehouse',
    statement_timeout: 10_000,
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
    types: int8AsNumber,
  });
  // Without these, a server that dies takes this process with it.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    born.set(client, generation);
    client.on('error', () => {});
    client.on('notice', (notice) => {
      if (/synchronous replication/.test(notice.message ?? '')) halfCommitted.add(client);
    });
  });

  await withClient(pool, migratePostgres);

  const driver = new PoolDriver(pool);
  const query = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  withRawSql(query, (text, params) => driver.query(text, params));
  const commits = await listenForCommits(url, pool);

  return {
    dialect: 'postgres',
    query,
    // Sums by item are kept in memory while they grow; with the usual 4 MB they would be sorted on disk. A plan made
    // for any instant and any period suits none: planning anew costs a millisecond of a long question. What such a
    // question reads lies in memory, or on a disk without a needle.
    longQuery: <Row>(text: string, params: readonly unknown[]) =>
      query.transaction().execute(async (db) => {
        await db.executeQuery(ROOM_TO_THINK);
        return queryRows<Row>(db, text, params);
      }),
    async change(work, options) {
      const answer = await withRetries(options?.repeatable ?? false, () => query.transaction().execute(work));
      commits.announce();
      return answer;
    },
    async changeInOneStatement<Row>(text: string, params: unknown[]) {
      const rows = await withRetries(true, async () => {
        try {
          return await queryRows<Row>(query, text, params);
        } catch (error) {
          throw error instanceof ConnectionLost ? new OutcomeUnknown(error) : error;
        }
      });
      commits.announce();
      return rows;
    },
    itemsVersion: null,
    dataVersion: async () => (await snapshot(query))[0]?.snapshot ?? '',
    onCommit: commits.onCommit,
    // The trigram index is kept with each item.
    prepareSearch: async () => true,
    async analyze(tables) {
      // Also marks what everybody may see, so that an index alone can answer. Without it all is true, only slower.
      await withClient(pool, (client) => client.query(`vacuum (analyze) ${tables.join(', ')}`)).catch(() => {});
    },
    async checkWritable() {
      await withClient(pool, async (client) => {
        const answer = await client.query<{ standby: boolean }>(
          "select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as standby",
        );
        if (answer.rows[0]?.standby !== false) throw new StoreUnavailable('the database is read-only');
      });
    },
    async close() {
      await commits.close();
      await pool.end();
    },
  };
}

const ROOM_TO_THINK = CompiledQuery.raw(
  `select set_config('work_mem', '64MB', true), set_config('jit', 'off', true),
     set_config('plan_cache_mode', 'force_custom_plan', true), set_config('random_page_cost', '1.1', true)`,
);

/** A snapshot is the exact set of transactions one can see: while it is the same, so is every answer. */
const snapshot = statement<{ snapshot: string }, []>('select pg_current_snapshot()::text as snapshot');

async function withRetries<T>(repeatable: boolean, attempt: () => Promise<T>): Promise<T> {
  // Once nobody knows whether it was kept, a later try that does not get through does not make it undone.
  let unknown: OutcomeUnknown | null = null;
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof OutcomeUnknown) unknown = error;
      const again = error instanceof OutcomeUnknown ? repeatable : isPassing(error);
      if (!again) throw error instanceof StoreUnavailable ? (unknown ?? error) : error;
      if (tries >= TRIES) throw unknown ?? unavailable(error);
      await new Promise((resolve) => setTimeout(resolve, 40 * 3 ** (tries - 1)));
    }
  }
}

async function withClient<T>(pool: pg.Pool, use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error) => {
    throw unavailable(error);
  });
  let broken = true;
  try {
    const answer = await use(client);
    broken = false;
    return answer;
  } finally {
    client.release(broken);
  }
}

/** Connections made before the primary changed are of an older generation, and not used again. */
let generation = 0;
const born = new WeakMap<object, number>();

/** Committed on this machine alone: the standby that was to hold it did not answer. */
const halfCommitted = new WeakSet<object>();

class PoolDriver implements Driver {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async init() {}
  async destroy() {}

  async acquireConnection(): Promise<PgConnection> {
    if (this.#pool.waitingCount > MOST_WAITING) throw new StoreUnavailable('too many changes are waiting');
    try {
      let client = await this.#pool.connect();
      while ((born.get(client) ?? 0) < generation) {
        client.release(true);
        client = await this.#pool.connect();
      }
      return new PgConnection(client);
    } catch (error) {
      throw unavailable(error);
    }
  }

  async query(text: string, params: readonly unknown[]): Promise<unknown[]> {
    const connection = await this.acquireConnection();
    try {
      return await connection.query(text, params);
    } finally {
      connection.client.release(connection.broken);
    }
  }

  async releaseConnection(connection: PgConnection): Promise<void> {
    connection.client.release(connection.broken);
  }

  async beginTransaction(connection: PgConnection): Promise<void> {
    await connection.command('begin');
  }

  async commitTransaction(connection: PgConnection): Promise<void> {
    try {
      await connection.command('commit');
    } catch (error) {
      throw error instanceof ConnectionLost ? new OutcomeUnknown(error) : error;
    }
    connection.refuseHalfCommit();
  }

  async rollbackTransaction(connection: PgConnection): Promise<void> {
    if (!connection.broken) await connection.command('rollback');
  }
}

class PgConnection implements DatabaseConnection {
  readonly client: pg.PoolClient;
  broken = false;

  constructor(client: pg.PoolClient) {
    this.client = client;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return { rows: (await this.query(query.sql, query.parameters)) as R[] };
  }

  async query(text: string, params: readonly unknown[]): Promise<unknown[]> {
    const asked = { name: preparedName(text), text, values: params as unknown[] };
    const { rows } = await this.#guard(this.client.query(asked));
    this.refuseHalfCommit();
    return rows;
  }

  async command(text: string): Promise<void> {
    await this.#guard(this.client.query(text));
  }

  refuseHalfCommit(): void {
    if (!halfCommitted.delete(this.client)) return;
    throw new OutcomeUnknown(new Error('no standby confirmed the commit'));
  }

  // biome-ignore lint/correctness/useYield: the interface asks for a generator; nothing here streams.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('lists are read by pages, not streamed');
  }

  async #guard<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      if (isReadOnly(error)) {
        // This was the primary and is no longer; every connection of that time leads to the same place.
        this.broken = true;
        generation++;
        throw unavailable(error);
      }
      if (isExhausted(error)) throw new StoreUnavailable('the database has run out of something', error);
      if (!isConnectionLoss(error)) throw error;
      this.broken = true;
      throw new ConnectionLost(error);
    }
  }
}

const MOST_PREPARED = 500;
const preparedNames = new Map<string, string>();

/** Each SQL text is parsed and planned once per connection. */
function preparedName(text: string): string | undefined {
  const known = preparedNames.get(text);
  if (known || preparedNames.size >= MOST_PREPARED) return known;
  const name = `s${preparedNames.size}`;
  preparedNames.set(text, name);
  return name;
}

function isReadOnly(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === '25006';
}

/** Connection failures and an administrator's shutdown. */
function isConnectionLoss(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  if (code && /^(08|57P0)|^E[A-Z]+$/.test(code)) return true;
  return /Connection terminated|timeout exceeded when trying to connect|not queryable|Client has encountered/.test(
    message ?? '',
  );
}

const OUT_OF_TIME = '57014';

/** No disk, memory or connections left (class 53), a disk that fails, or no time: the statement was taken back whole. */
function isExhausted(error: unknown): boolean {
  const code = (error as { code?: string } | null)?.code;
  return code !== undefined && (code.startsWith('53') || code === '58030' || code === OUT_OF_TIME);
}

/** Worth another try: nothing of it was kept. What took too long once is not asked to take as long again. */
function isPassing(error: unknown): boolean {
  const code = (error as { code?: string } | null)?.code;
  if (error instanceof StoreUnavailable) return (error.cause as { code?: string } | undefined)?.code !== OUT_OF_TIME;
  return code === '40001' || code === '40P01';
}

function unavailable(error: unknown): StoreUnavailable {
  return error instanceof StoreUnavailable ? error : new StoreUnavailable('the database cannot be reached', error);
}
