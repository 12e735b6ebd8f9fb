import { mkdirSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Db } from '../core/database.ts';
import { isLocked, isStorageFailure, StoreUnavailable } from '../core/errors.ts';
import type { KeptQuery } from '../core/kept-query.ts';
import { type Hashed, ledgerHash } from '../core/ledger-hash.ts';
import { preparedStatements } from '../core/prepared.ts';
import { type Queries, withRawSql } from '../core/statement.ts';
import type { Tables } from '../core/tables.ts';
import { queryProcess } from '../kept/query-process.ts';
import { migrateSqlite } from '../migrations/migrate.ts';
import { commitCounter } from './commit-counter.ts';
import { groupCommit } from './group-commit.ts';
import { readTerms, searchIndex, whenIdle } from './search-index.ts';

const POLL_MS = 250;
const LOCK_TIMEOUT_MS = 5_000;

/**
 * Opens one connection for reading and one for writing. They are separate, so that readers never see a change before it
 * is on disk.
 */
export function openSqlite(file: string): Db {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const writer = connect(file);
  enableWal(writer);
  migrateSqlite(writer);
  const reader = connect(file);
  readTerms(reader);
  reader.exec('pragma query_only = on');

  const query = kyselyOn(reader);
  // These processes need none of the secrets of the server.
  const [program, options] = [new URL('./analytics-child.ts', import.meta.url), { database: file, env: {} }];
  const analytics = queryProcess(program, options);
  const searches = queryProcess(program, options);
  const search = searchIndex(writer);
  const listeners = new Set<() => void>();
  const tellListeners = () => {
    for (const listener of listeners) listener();
  };
  const counter = commitCounter(writer, tellListeners);
  const commits = groupCommit(writer, kyselyOn(writer), {
    beforeCommit: () => search.indexIfMany(),
    afterBatch: counter.noteBatch,
  });
  const dataVersion = () => unlessStorageFails(counter.data);
  const merging = whenIdle(async () => commits.isBusy() || commits.change(async () => search.mergeSome(), UPKEEP));
  const isPending = reader.prepare('select 1 from item_search_pending limit 1');
  /** The version of the data all of whose texts are in the search index. */
  let indexedVersion = -1;
  const searchQuery = <Row>(text: string, params: readonly unknown[]) =>
    searches.query({ text, params }) as Promise<Row[]>;

  // No other server opens this file (see file-lock.ts), but a program may. Polling detects its changes.
  const poll = setInterval(() => {
    try {
      counter.look();
    } catch {
      // The file cannot be read. The next request reports it.
    }
  }, POLL_MS);
  poll.unref();

  return {
    dialect: 'sqlite',
    query,
    longQuery: <Row>(text: string, params: readonly unknown[]) => analytics.query({ text, params }) as Promise<Row[]>,
    keptQuery: <Row>(kept: KeptQuery) => analytics.query({ kept }) as Promise<Row[]>,
    searchQuery,
    keptSearch: <Row>(kept: KeptQuery) => searches.query({ kept }) as Promise<Row[]>,
    longSearch: searchQuery,
    async change(work) {
      const result = await commits.change(work);
      merging.noteChange();
      tellListeners();
      return result;
    },
    changeInOneStatement: null,
    dataVersion,
    peopleVersion: () => unlessStorageFails(counter.people),
    onCommit(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    // Nothing to do: the query plans do not depend on statistics, and migration 0025 removed those there were.
    async analyze() {},
    async prepareSearch() {
      const version = dataVersion();
      if (version === indexedVersion) return true;
      try {
        if (isPending.get()) await commits.change(async () => search.indexAll(), UPKEEP);
        indexedVersion = version;
        return true;
      } catch (error) {
        if (isStorageFailure(error)) return false;
        throw error;
      }
    },
    async checkWritable() {
      await requireFreeSpace(dirname(file));
      // An update that changes nothing takes the write lock and proves that the file can be written.
      await commits.change(async (db) => {
        await db.executeQuery(CompiledQuery.raw('update item_tallies set live = live where slot = 0'));
      });
    },
    async close() {
      clearInterval(poll);
      merging.stop();
      await commits.idle();
      analytics.close();
      searches.close();
      reader.close();
      writer.close();
    },
  };
}

/** Changes the search index, but no data. */
const UPKEEP = { changesData: false };

const MIN_FREE_BYTES = 1024 * 1024;

/**
 * Throws when the disk is almost full: a small write may still succeed and the next one fail, so the server is not
 * ready.
 */
async function requireFreeSpace(folder: string): Promise<void> {
  const { bavail, bfree, bsize } = await statfs(folder);
  const free = bsize * (process.getuid?.() === 0 ? bfree : bavail);
  if (free < MIN_FREE_BYTES) throw new StoreUnavailable(`the disk is full: ${free} bytes are left`);
}

function connect(file: string): DatabaseSync {
  const connection = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: LOCK_TIMEOUT_MS });
  connection.exec(`
    pragma synchronous = full;
    pragma temp_store = memory;
    pragma cache_size = -65536;
    pragma mmap_size = 268435456;
  `);
  connection.function('ledger_hash', { deterministic: true, varargs: true }, (...movement) =>
    ledgerHash(...(movement as Hashed)),
  );
  return connection;
}

/**
 * Turns on WAL mode. Two processes switching a new database file to WAL at the same time can fail with SQLITE_BUSY at
 * once: the busy timeout does not apply here, so this retries.
 */
function enableWal(connection: DatabaseSync): void {
  const until = Date.now() + LOCK_TIMEOUT_MS;
  for (;;) {
    try {
      // A checkpoint is the most expensive part of a commit, so it runs only every 32 MB.
      connection.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 8192');
      return;
    } catch (error) {
      if (!isLocked(error) || Date.now() > until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

/** Returns a query builder that runs on one connection, inside its current transaction. */
export function kyselyOn(database: DatabaseSync): Queries {
  const connection = new SqliteConnection(database);
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new OneConnectionDriver(connection),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
  return withRawSql(db, (text, params) => connection.run(text, params));
}

/** node:sqlite is synchronous, so all queries can share one connection without a queue. */
class OneConnectionDriver implements Driver {
  readonly #connection: SqliteConnection;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  async init() {}
  async destroy() {}
  async acquireConnection() {
    return this.#connection;
  }
  async releaseConnection() {}

  // Only the group commit begins and commits transactions.
  async beginTransaction(): Promise<void> {
    throw new Error('use db.change');
  }
  async commitTransaction() {}
  async rollbackTransaction() {}
}

function unlessStorageFails<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw isStorageFailure(error) ? new StoreUnavailable('the database file cannot be used', error) : error;
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #prepare: (text: string) => StatementSync;

  constructor(connection: DatabaseSync) {
    this.#prepare = preparedStatements(connection);
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return { rows: this.run(query.sql, query.parameters) as R[] };
  }

  run(text: string, params: readonly unknown[]): unknown[] {
    return unlessStorageFails(() => this.#prepare(text).all(...(params as never[])));
  }

  // biome-ignore lint/correctness/useYield: the interface requires a generator, but nothing streams.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming is not supported: read lists page by page');
  }
}
