import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from 'kysely';
import pg from 'pg';
import { SNAPSHOT } from '../core/changes.ts';
import type { Db } from '../core/database.ts';
import { ConnectionLost, OutcomeUnknown, StoreUnavailable } from '../core/errors.ts';
import { asFastestStatement, type KeptQuery } from '../core/kept-query.ts';
import { LONG_QUERY_LIMITS } from '../core/long-query.ts';
import { queryRows, withRawSql } from '../core/statement.ts';
import { queryProcess } from '../kept/query-process.ts';
import { migratePostgres } from '../migrations/migrate.ts';
import { createBatcher } from './batcher.ts';
import { isConnectionLoss, isOutOfResources, isReadOnly, QUERY_CANCELED } from './failures.ts';
import { listenForCommits } from './notify.ts';
import { int8AsNumber, kyselyWith, LONG_QUERY_SETTINGS } from './postgres-client.ts';

const MAX_CONNECTIONS = 16;
const MAX_WAITING = 512;
/**
 * Long queries have their own connections, so stock changes never wait until a long query releases one. There is one more
 * than a person may use at a time.
 */
const MAX_LONG_CONNECTIONS = 3;
const MAX_ATTEMPTS = 4;
/** Everybody's reads wait for a snapshot, so a connection that has fallen silent must not hold it up for long. */
const SNAPSHOT_TIMEOUT_MS = 3_000;

/** The rows of a house with more items are kept. Computing those of fewer takes some tenths of a second. */
const KEEP_FROM = 20_000;
/** The rows of so many items are computed at once, which takes some tenths of a second. */
const ITEMS_AT_ONCE = 20_000;

export async function openPostgres(
  url: string,
  { keepFrom = KEEP_FROM, itemsAtOnce = ITEMS_AT_ONCE } = {},
): Promise<Db> {
  const pool = openPool(url, MAX_CONNECTIONS);
  const longPool = openPool(url, MAX_LONG_CONNECTIONS);
  await withClient(pool, migratePostgres);

  const driver = new PoolDriver(pool, MAX_WAITING);
  const query = withRawSql(kyselyWith(driver), (text, params) => driver.query(text, params));
  const longQueries = kyselyWith(new PoolDriver(longPool, LONG_QUERY_LIMITS.waiting));
  const commits = await listenForCommits(url, pool);
  const longQuery = <Row>(text: string, params: readonly unknown[]) =>
    longQueries.transaction().execute(async (db) => {
      await db.executeQuery(CompiledQuery.raw(LONG_QUERY_SETTINGS));
      return queryRows<Row>(db, text, params);
    });
  // Requests that arrive together share one snapshot, taken after all of them arrived.
  const readSnapshot = createBatcher<null, string>(
    async (asked) => {
      const [row] = (await driver.query(SNAPSHOT, [], SNAPSHOT_TIMEOUT_MS)) as { snapshot: string }[];
      return asked.map(() => row?.snapshot ?? '');
    },
    { maxSize: 1_000, readsOnly: true },
  );
  // They have the environment of the server, in which the way to the database may be configured (PGSSLMODE, NODE_EXTRA_CA_CERTS…).
  const [program, options] = [new URL('./analytics-child.ts', import.meta.url), { database: url, itemsAtOnce }];
  const [analytics, searches] = [queryProcess(program, options), queryProcess(program, options)];
  const countLive = (house: number) =>
    queryRows<{ live: number }>(query, 'select coalesce(sum(live), 0) as live from item_tallies where house = $1', [
      house,
    ]);
  const keptBy =
    (process: typeof analytics) =>
    async <Row>(query: KeptQuery) => {
      const [house] = await countLive(query.house);
      if (Number(house?.live) > keepFrom) return process.query({ kept: query }) as Promise<Row[]>;
      return longQuery<Row>(asFastestStatement(query), query.params);
    };

  return {
    dialect: 'postgres',
    query,
    longQuery,
    keptQuery: keptBy(analytics),
    keptSearch: keptBy(searches),
    longSearch: longQuery,
    // Nothing to do: queries of one connection do not make those of another wait.
    searchQuery: <Row>(text: string, params: readonly unknown[]) => queryRows<Row>(query, text, params),
    async change(work, options) {
      const result = await withRetries(options?.repeatable ?? false, () => query.transaction().execute(work));
      commits.announce();
      return result;
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
    peopleVersion: null,
    // As long as the snapshot is the same, every query returns the same rows.
    dataVersion: () => readSnapshot(null),
    onCommit: commits.onCommit,
    // Nothing to do: PostgreSQL updates the trigram index whenever an item is written.
    prepareSearch: async () => true,
    async analyze(tables) {
      // Vacuum also sets the visibility map, which allows index-only scans. If it fails, queries are only slower.
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
      analytics.close();
      searches.close();
      await commits.close();
      await Promise.all([pool.end(), longPool.end()]);
    },
  };
}

function openPool(url: string, max: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 60_000,
    application_name: 'perfume-warehouse',
    statement_timeout: LONG_QUERY_LIMITS.timeoutMs,
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
    types: int8AsNumber,
  });
  // Without these listeners, losing the database server would end this process.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    generationOf.set(client, generation);
    client.on('error', () => {});
    client.on('notice', (notice) => {
      if (/synchronous replication/.test(notice.message ?? '')) unreplicated.add(client);
    });
  });
  return pool;
}

async function withRetries<T>(repeatable: boolean, attempt: () => Promise<T>): Promise<T> {
  // Set once an attempt may have been committed: a later attempt that fails does not make the outcome known.
  let unknown: OutcomeUnknown | null = null;
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof OutcomeUnknown) unknown = error;
      const shouldRetry = error instanceof OutcomeUnknown ? repeatable : isRetryable(error);
      if (!shouldRetry) throw error instanceof StoreUnavailable ? (unknown ?? error) : error;
      if (attempts >= MAX_ATTEMPTS) throw unknown ?? unavailable(error);
      await new Promise((resolve) => setTimeout(resolve, 40 * 3 ** (attempts - 1)));
    }
  }
}

async function withClient<T>(pool: pg.Pool, use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error) => {
    throw unavailable(error);
  });
  let broken = true;
  try {
    const result = await use(client);
    broken = false;
    return result;
  } finally {
    client.release(broken);
  }
}

/** Increases when the primary changes. Connections of an older generation lead to the old primary and are discarded. */
let generation = 0;
const generationOf = new WeakMap<object, number>();

/** Connections whose last commit no standby has confirmed. */
const unreplicated = new WeakSet<object>();

class PoolDriver implements Driver {
  readonly #pool: pg.Pool;
  readonly #maxWaiting: number;

  constructor(pool: pg.Pool, maxWaiting: number) {
    this.#pool = pool;
    this.#maxWaiting = maxWaiting;
  }

  async init() {}
  async destroy() {}

  async acquireConnection(): Promise<PgConnection> {
    if (this.#pool.waitingCount >= this.#maxWaiting)
      throw new StoreUnavailable('too many queries are waiting for a connection');
    try {
      let client = await this.#pool.connect();
      while ((generationOf.get(client) ?? 0) < generation) {
        client.release(true);
        client = await this.#pool.connect();
      }
      return new PgConnection(client);
    } catch (error) {
      throw unavailable(error);
    }
  }

  async query(text: string, params: readonly unknown[], timeoutMs?: number): Promise<unknown[]> {
    const connection = await this.acquireConnection();
    try {
      return await connection.query(text, params, timeoutMs);
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
    connection.requireReplicated();
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

  async query(text: string, params: readonly unknown[], timeoutMs?: number): Promise<unknown[]> {
    const config = { name: preparedName(text), text, values: params as unknown[], query_timeout: timeoutMs };
    const { rows } = await this.#guard(this.client.query(config));
    this.requireReplicated();
    return rows;
  }

  async command(text: string): Promise<void> {
    await this.#guard(this.client.query(text));
  }

  requireReplicated(): void {
    if (!unreplicated.delete(this.client)) return;
    throw new OutcomeUnknown(new Error('no standby confirmed the commit'));
  }

  // biome-ignore lint/correctness/useYield: the interface requires a generator, but nothing streams.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming is not supported: read lists page by page');
  }

  async #guard<T>(result: Promise<T>): Promise<T> {
    try {
      return await result;
    } catch (error) {
      if (isReadOnly(error)) {
        // The PostgreSQL server is no longer the primary, and every connection of this generation leads to it.
        this.broken = true;
        generation++;
        throw unavailable(error);
      }
      if (isOutOfResources(error)) throw new StoreUnavailable('the database is out of resources', error);
      if (!isConnectionLoss(error)) throw error;
      this.broken = true;
      throw new ConnectionLost(error);
    }
  }
}

const MAX_PREPARED = 500;
const preparedNames = new Map<string, string>();

/**
 * Returns the name under which a statement is prepared. PostgreSQL parses a named statement only once per connection.
 */
function preparedName(text: string): string | undefined {
  const known = preparedNames.get(text);
  if (known || preparedNames.size >= MAX_PREPARED) return known;
  const name = `s${preparedNames.size}`;
  preparedNames.set(text, name);
  return name;
}

/**
 * Whether nothing was committed, so that another attempt is safe. A statement that timed out is not retried, because it
 * would time out again.
 */
function isRetryable(error: unknown): boolean {
  const code = (error as { code?: string } | null)?.code;
  if (error instanceof StoreUnavailable) return (error.cause as { code?: string } | undefined)?.code !== QUERY_CANCELED;
  return code === '40001' || code === '40P01';
}

function unavailable(error: unknown): StoreUnavailable {
  return error instanceof StoreUnavailable ? error : new StoreUnavailable('the database cannot be reached', error);
}
