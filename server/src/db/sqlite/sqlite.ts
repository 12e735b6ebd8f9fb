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
import { type Hashed, ledgerHash } from '../core/ledger-hash.ts';
import { type Queries, withRawSql } from '../core/statement.ts';
import type { Tables } from '../core/tables.ts';
import { migrateSqlite } from '../migrations/migrate.ts';
import { analyticsWorker } from './analytics-worker.ts';
import { groupCommit } from './group-commit.ts';

const NOTICE_EVERY_MS = 250;
const LOCK_MS = 5_000;

/**
 * One file, two connections: one writes in batches, one reads and so never sees a change before it is on disk.
 */
export function openSqlite(file: string): Db {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const writer = connect(file);
  enableWal(writer);
  migrateSqlite(writer);
  const reader = connect(file);
  reader.exec('pragma query_only = on');

  const query = kyselyOn(reader);
  const longQuestions = analyticsWorker(file);
  const search = searchIndex(writer);
  const commits = groupCommit(writer, kyselyOn(writer), () => search.indexIf(MOST_PENDING));
  const isPending = reader.prepare('select 1 from item_search_pending limit 1');
  const selectDataVersion = reader.prepare('pragma data_version');
  const selectItemsVersion = reader.prepare(
    `select (select sum(live) from item_tallies) || ' ' || (select coalesce(max(num), 0) from item_events) as state`,
  );
  const listeners = new Set<() => void>();
  const dataVersion = () => unlessStorageFails(() => selectDataVersion.get() as { data_version: number }).data_version;

  // Another server does not open this file (see file-lock.ts), but a program may; its changes are noticed a moment later.
  let noticed = dataVersion();
  const notice = setInterval(() => {
    try {
      const state = dataVersion();
      if (state !== noticed) for (const listener of listeners) listener();
      noticed = state;
    } catch {
      // The file cannot be read; whoever asks for something is told.
    }
  }, NOTICE_EVERY_MS);
  notice.unref();

  return {
    dialect: 'sqlite',
    query,
    longQuery: <Row>(text: string, params: readonly unknown[]) => longQuestions.ask(text, params) as Promise<Row[]>,
    async change(work) {
      const answer = await commits.change(work);
      for (const listener of listeners) listener();
      return answer;
    },
    changeInOneStatement: null,
    // Moves whenever any other connection, our writer among them, has committed.
    dataVersion,
    // One writer numbers the events, so the last number tells of all of them. Only an item that is new has none yet.
    itemsVersion: () => unlessStorageFails(() => selectItemsVersion.get() as { state: string }).state,
    onCommit(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    // Plans here do not depend on it.
    async analyze() {},
    async prepareSearch() {
      try {
        if (isPending.get()) await commits.change(async () => search.indexIf(0));
        return true;
      } catch (error) {
        if (isStorageFailure(error)) return false;
        throw error;
      }
    },
    async checkWritable() {
      await requireRoom(dirname(file));
      // An empty transaction takes the write lock and proves the file can be written.
      await commits.change(async (db) => {
        await db.executeQuery(CompiledQuery.raw('update item_tallies set live = live where slot = 0'));
      });
    },
    async close() {
      clearInterval(notice);
      await commits.idle();
      longQuestions.close();
      reader.close();
      try {
        writer.exec('pragma optimize');
      } catch {
        // Without room for it the next start does without.
      }
      writer.close();
    },
  };
}

const LEAST_ROOM = 1024 * 1024;

/** The last few pages of a disk may take a small change where the next one fails: that is not ready. */
async function requireRoom(folder: string): Promise<void> {
  const { bavail, bfree, bsize } = await statfs(folder);
  const free = bsize * (process.getuid?.() === 0 ? bfree : bavail);
  if (free < LEAST_ROOM) throw new StoreUnavailable(`the disk is full: ${free} bytes are left`);
}

const MOST_PENDING = 256;

/**
 * New texts enter the full-text index many at a time: when enough are waiting, or when somebody searches.
 * In between, a new item costs no indexing at all.
 */
function searchIndex(writer: DatabaseSync) {
  const pending = writer.prepare('select count(*) as count from item_search_pending');
  const index = writer.prepare(`insert into item_search_index (rowid, text)
    select rowid, text from item_search where rowid in (select rowid from item_search_pending)`);
  const done = writer.prepare('delete from item_search_pending');
  return {
    indexIf(most: number): void {
      if ((pending.get() as { count: number }).count <= most) return;
      index.run();
      done.run();
    },
  };
}

function connect(file: string): DatabaseSync {
  const connection = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: LOCK_MS });
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
 * Two that turn the same new file to a log at once stand in each other's way, and SQLite then refuses one at once
 * instead of letting it wait as for any other lock.
 */
function enableWal(connection: DatabaseSync): void {
  const until = Date.now() + LOCK_MS;
  for (;;) {
    try {
      // Moving the log into the file is the dearest part of a commit, so it is done seldom: every 32 MB.
      connection.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 8192');
      return;
    } catch (error) {
      if (!isLocked(error) || Date.now() > until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

/** Asks and changes over one connection, without a transaction of its own. */
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

/** node:sqlite answers at once, so one connection serves everybody without a queue. */
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

  // Changes go through the group commit, which alone begins and commits.
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

const MOST_STATEMENTS = 500;

class SqliteConnection implements DatabaseConnection {
  readonly #connection: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(connection: DatabaseSync) {
    this.#connection = connection;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return { rows: this.run(query.sql, query.parameters) as R[] };
  }

  run(text: string, params: readonly unknown[]): unknown[] {
    return unlessStorageFails(() => this.#prepare(text).all(...(params as never[])));
  }

  // biome-ignore lint/correctness/useYield: the interface asks for a generator; nothing here streams.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('lists are read by pages, not streamed');
  }

  #prepare(text: string): StatementSync {
    const known = this.#prepared.get(text);
    if (known) return known;
    if (this.#prepared.size >= MOST_STATEMENTS) this.#prepared.clear();
    // Hand-written statements number their parameters as PostgreSQL does.
    const prepared = this.#connection.prepare(text.replace(/\$(\d+)/g, '?$1'));
    this.#prepared.set(text, prepared);
    return prepared;
  }
}
