import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { isDiskError, isStorageFailure, OperatorError } from '../core/errors.ts';
import { type Queries, queryRows } from '../core/statement.ts';
import {
  copyPrivately,
  DATABASE,
  describeFile,
  type Manifest,
  makePrivate,
  picturesIn,
  requireRoom,
  SECRET,
  sizeOf,
  sync,
  writeManifest,
} from './backup-folder.ts';
import { openSnapshot, sqliteSnapshot } from './snapshot.ts';

const PAGES_AT_ONCE = 2_560;

export type Backup = {
  /** The data folder, whose server may be running and writing. */
  from: string;
  /** The folder in which a dated one is made. */
  into: string;
  version: string;
  now: number;
  /** Walks the ledger of the copy; throws when it is broken. */
  verify(db: Queries): Promise<Manifest['ledger']>;
  onPages?: (done: number, all: number) => void;
  onCheck?: () => void;
};

/**
 * Copies the database as of one moment, then the pictures (whatever an item of that moment shows was there before it)
 * and the secret. The folder gets its name only when everything in it is on disk and has been checked: until then it is
 * called unfinished, and has no manifest.
 */
export async function backUp({ from, into, version, now, verify, onPages, onCheck }: Backup): Promise<Made> {
  const folder = join(into, `warehouse-${stamp(now)}`);
  const draft = `${folder}.unfinished`;
  if (existsSync(folder) || existsSync(draft)) throw new OperatorError(`${folder} exists already.`);
  await mkdir(into, { recursive: true, mode: 0o700 });
  await requireRoom(into, await bytesOf(from));
  const source = await sqliteSnapshot(join(from, DATABASE));
  const files: Manifest['files'] = [];
  try {
    await mkdir(draft, { mode: 0o700 });
    await backup(source.connection, join(draft, DATABASE), {
      rate: PAGES_AT_ONCE,
      progress: ({ totalPages, remainingPages }) => onPages?.(totalPages - remainingPages, totalPages),
    });
    const others = [...(existsSync(join(from, SECRET)) ? [SECRET] : []), ...(await picturesIn(from))];
    for (const name of others) await copyPrivately(join(from, name), join(draft, name));
    await oneFile(join(draft, DATABASE));
    for (const name of [DATABASE, ...others]) files.push(await describeFile(draft, name));
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw isDiskError(error) || isStorageFailure(error)
      ? new OperatorError(`The backup could not be written: ${(error as Error).message}.`)
      : error;
  } finally {
    await source.close();
  }
  onCheck?.();
  const { rows, ledger } = await check(join(draft, DATABASE), verify).catch((error) => {
    throw error instanceof OperatorError
      ? new OperatorError(`${error.message}\nWhat was copied is left in ${draft}.`)
      : error;
  });
  const { migrations } = source;
  const madeAt = new Date(now).toISOString();
  const manifest = {
    format: 1,
    product: 'perfume-warehouse',
    version,
    madeAt,
    migrations,
    ledger,
    rows,
    files,
  } as const;
  await writeManifest(draft, { ...manifest, migrations: migrations.map(({ name, checksum }) => ({ name, checksum })) });
  for (const place of [join(draft, 'uploads'), draft]) await sync(place);
  await rename(draft, folder);
  await sync(dirname(folder));
  return { folder, manifest };
}
export type Made = { folder: string; manifest: Manifest };

/** Without a log beside it, until a server opens it. */
async function oneFile(copy: string): Promise<void> {
  const connection = new DatabaseSync(copy);
  connection.exec('pragma journal_mode = delete');
  connection.close();
  await makePrivate(copy);
}

/** Whether a database that was copied is one: every page, index and reference, and the ledger. */
export async function check(file: string, verify: Backup['verify']) {
  const copy = new DatabaseSync(file, { readOnly: true });
  try {
    copy.exec('pragma cache_size = -65536');
    const found = copy.prepare('pragma integrity_check(1)').get() as { integrity_check: string };
    if (found.integrity_check !== 'ok') throw new OperatorError(`The copy is not sound: ${found.integrity_check}`);
    const [orphan] = copy.prepare('pragma foreign_key_check').all();
    if (orphan) throw new OperatorError(`The copy is not sound: ${JSON.stringify(orphan)} refers to nothing.`);
  } finally {
    copy.close();
  }
  const store = await openSnapshot(file);
  try {
    return { rows: await countRows(store.query), ledger: await verify(store.query) };
  } finally {
    await store.close();
  }
}

async function countRows(db: Queries): Promise<Manifest['rows']> {
  const tables = await queryRows<{ name: string }>(db, TABLES, []);
  const rows: Manifest['rows'] = {};
  for (const { name } of tables) {
    const [counted] = await queryRows<{ count: number }>(db, `select count(*) as count from "${name}"`, []);
    rows[name] = counted?.count ?? 0;
  }
  return rows;
}

// The tables that a full-text index keeps for itself are not ours to count.
const TABLES = `select name from sqlite_schema
  where type = 'table' and name not like 'sqlite%' and name not like 'item_search_index%' order by name`;

async function bytesOf(from: string): Promise<number> {
  const sizes = [DATABASE, `${DATABASE}-wal`, ...(await picturesIn(from))].map((name) => sizeOf(join(from, name)));
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** As a name: sorts by time, and every file system takes it. */
export function stamp(now: number): string {
  return new Date(now)
    .toISOString()
    .replaceAll(':', '-')
    .replace(/\.\d+Z$/, 'Z');
}
