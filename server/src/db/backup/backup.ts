import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { isDiskError, isStorageFailure, OperatorError } from '../core/errors.ts';
import { type Queries, queryRows } from '../core/statement.ts';
import {
  CHECKPOINT_KEY,
  copyPrivate,
  DATABASE,
  describeFile,
  fsyncFolder,
  type Manifest,
  makePrivateAndSync,
  picturesIn,
  requireFreeSpace,
  SECRET,
  sizeOf,
  writeManifest,
} from './backup-folder.ts';
import { openSnapshot, sqliteSnapshot } from './snapshot.ts';

const PAGES_PER_STEP = 2_560;

export type Backup = {
  /** The data folder. A server may be running and writing to it. */
  from: string;
  /** The folder in which a dated folder is created. */
  into: string;
  version: string;
  now: number;
  /** Verifies the ledger of the copy. Throws when it is broken. */
  verify(db: Queries): Promise<Manifest['ledger']>;
  onPages?: (done: number, all: number) => void;
  onCheck?: () => void;
};

/**
 * Copies a snapshot of the database, then the pictures, the secret and the key of the checkpoints. The server stores a
 * picture before the item that shows it, so the copy has every picture that the snapshot needs. The folder is called
 * "unfinished" and has no manifest until everything is on disk and checked.
 */
export async function backUp({ from, into, version, now, verify, onPages, onCheck }: Backup): Promise<Made> {
  const folder = join(into, `warehouse-${timestamp(now)}`);
  const draft = `${folder}.unfinished`;
  if (existsSync(folder) || existsSync(draft)) throw new OperatorError(`${folder} already exists.`);
  await mkdir(into, { recursive: true, mode: 0o700 });
  await requireFreeSpace(into, await sizeOfData(from));
  const source = await sqliteSnapshot(join(from, DATABASE));
  const files: Manifest['files'] = [];
  try {
    await mkdir(draft, { mode: 0o700 });
    await backup(source.connection, join(draft, DATABASE), {
      rate: PAGES_PER_STEP,
      progress: ({ totalPages, remainingPages }) => onPages?.(totalPages - remainingPages, totalPages),
    });
    const otherFiles = [SECRET, CHECKPOINT_KEY].filter((name) => existsSync(join(from, name)));
    for (const name of otherFiles) await copyPrivate(join(from, name), join(draft, name));
    for (const name of await picturesIn(from)) {
      // The server removes pictures that no item has ever used, perhaps since the names were read.
      if (await copyIfThere(join(from, name), join(draft, name))) otherFiles.push(name);
    }
    await leaveWalMode(join(draft, DATABASE));
    for (const name of [DATABASE, ...otherFiles]) files.push(await describeFile(draft, name));
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw isDiskError(error) || isStorageFailure(error)
      ? new OperatorError(`The backup could not be written: ${(error as Error).message}.`)
      : error;
  } finally {
    await source.close();
  }
  onCheck?.();
  const { rows, ledger } = await checkDatabase(join(draft, DATABASE), verify).catch((error) => {
    throw error instanceof OperatorError
      ? new OperatorError(`${error.message}\nThe unfinished copy is in ${draft}.`)
      : error;
  });
  const madeAt = new Date(now).toISOString();
  const { migrations } = source;
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
  await writeManifest(draft, manifest);
  for (const changed of [join(draft, 'uploads'), draft]) await fsyncFolder(changed);
  await rename(draft, folder);
  await fsyncFolder(dirname(folder));
  return { folder, manifest };
}
export type Made = { folder: string; manifest: Manifest };

async function copyIfThere(from: string, to: string): Promise<boolean> {
  try {
    await copyPrivate(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Switches the copy from WAL mode to a single file. A server that opens it switches back. */
async function leaveWalMode(copy: string): Promise<void> {
  const connection = new DatabaseSync(copy);
  connection.exec('pragma journal_mode = delete');
  connection.close();
  await makePrivateAndSync(copy);
}

/** Checks every page, index and foreign key of a copied database, and its ledger. */
export async function checkDatabase(file: string, verify: Backup['verify']) {
  const copy = new DatabaseSync(file, { readOnly: true });
  try {
    copy.exec('pragma cache_size = -65536');
    const found = copy.prepare('pragma integrity_check(1)').get() as { integrity_check: string };
    if (found.integrity_check !== 'ok') throw new OperatorError(`The copy is damaged: ${found.integrity_check}`);
    const [orphan] = copy.prepare('pragma foreign_key_check').all();
    if (orphan) throw new OperatorError(`The copy is damaged: ${JSON.stringify(orphan)} refers to a missing row.`);
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

// The internal tables of the full-text index are left out.
const TABLES = `select name from sqlite_schema
  where type = 'table' and name not like 'sqlite%' and name not like 'item_search_index%' order by name`;

async function sizeOfData(from: string): Promise<number> {
  const sizes = [DATABASE, `${DATABASE}-wal`, ...(await picturesIn(from))].map((name) => sizeOf(join(from, name)));
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Formats a time for file names: they sort by time and are valid on every file system. */
export function timestamp(now: number): string {
  return new Date(now)
    .toISOString()
    .replaceAll(':', '-')
    .replace(/\.\d+Z$/, 'Z');
}
