import { existsSync } from 'node:fs';
import { link, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isLocked, OperatorError } from '../core/errors.ts';
import { lockDatabaseFile } from '../sqlite/file-lock.ts';
import { type Backup, check, stamp } from './backup.ts';
import {
  copyPrivately,
  DATABASE,
  describeFile,
  type Manifest,
  readManifest,
  requireRoom,
  SECRET,
  sync,
} from './backup-folder.ts';

export type Restore = {
  /** The backup. */
  from: string;
  /** The data folder. */
  into: string;
  /** Puts what is there aside instead of refusing. */
  replace: boolean;
  now: number;
  verify: Backup['verify'];
  /** How long to wait for somebody who reads what is to be replaced. */
  patienceMs?: number;
  onFile?: (done: number, all: number) => void;
};

export type Restored = { manifest: Manifest; keptAside: string[] };

/**
 * Checks every file of the backup, copies, checks the copy, and only then lets it take the place of what is there, in one
 * step: whenever this is cut off, the data folder holds the old database or the new one, whole.
 */
export async function restore({
  from,
  into,
  replace,
  now,
  verify,
  patienceMs = 5_000,
  onFile,
}: Restore): Promise<Restored> {
  const manifest = await readManifest(from);
  await checkFiles(from, manifest, onFile);
  const place = join(into, DATABASE);
  const unlock = lockDatabaseFile(place);
  try {
    if (existsSync(place) && !replace) {
      throw new OperatorError(
        `${place} exists. With --replace it is kept under another name, and the backup takes its place.`,
      );
    }
    await requireRoom(
      into,
      manifest.files.reduce((sum, { bytes }) => sum + bytes, 0),
    );
    const draft = join(into, `${DATABASE}.restoring`);
    await rm(draft, { force: true });
    try {
      await copyPrivately(join(from, DATABASE), draft);
      const { ledger } = await check(draft, verify);
      if (ledger.fingerprint !== manifest.ledger.fingerprint) {
        throw new OperatorError('The ledger of the backup is not the one its manifest tells of.');
      }
      // Pictures are named by what is in them: whatever is there already is the same.
      for (const { name } of manifest.files) {
        if (name === DATABASE || name === SECRET || existsSync(join(into, name))) continue;
        await copyPrivately(join(from, name), `${join(into, name)}.restoring`);
        await rename(`${join(into, name)}.restoring`, join(into, name));
      }
      if (existsSync(place)) finishLog(place, patienceMs);
      const keptAside = [await replaceSecret(from, into, manifest, now), await replaceDatabase(draft, place, now)];
      for (const folder of [join(into, 'uploads'), into]) await sync(folder);
      return { manifest, keptAside: keptAside.filter((name) => name !== null) };
    } finally {
      await rm(draft, { force: true });
    }
  } finally {
    unlock();
  }
}

async function checkFiles(folder: string, manifest: Manifest, onFile: Restore['onFile']): Promise<void> {
  if (!manifest.files.some(({ name }) => name === DATABASE)) throw new OperatorError(`${folder} holds no database.`);
  for (const [index, listed] of manifest.files.entries()) {
    onFile?.(index, manifest.files.length);
    const found = await describeFile(folder, listed.name).catch(() => null);
    if (found === null) throw new OperatorError(`${listed.name} is missing from ${folder}.`);
    if (found.sha256 !== listed.sha256)
      throw new OperatorError(`${listed.name} in ${folder} is not as it was backed up.`);
  }
}

/** Cookies and links of the restored people were signed with the secret of their time. */
async function replaceSecret(from: string, into: string, { files }: Manifest, now: number): Promise<string | null> {
  const place = join(into, SECRET);
  if (!files.some(({ name }) => name === SECRET)) return null;
  const [restored, present] = await Promise.all([readFile(join(from, SECRET)), readFile(place).catch(() => null)]);
  if (present?.equals(restored)) return null;
  await copyPrivately(join(from, SECRET), `${place}.restoring`);
  const aside = `${place}.replaced-${stamp(now)}`;
  // At no moment is there none: a server that starts then would make a new one.
  if (present) await link(place, aside);
  await rename(`${place}.restoring`, place);
  return present ? aside : null;
}

async function replaceDatabase(draft: string, place: string, now: number): Promise<string | null> {
  const aside = place.replace(/\.sqlite$/, `.replaced-${stamp(now)}.sqlite`);
  const isThere = existsSync(place);
  // Left by a database that is gone or cannot be opened, a log would be taken for the new one's.
  for (const end of ['-wal', '-shm']) if (existsSync(place + end)) await rename(place + end, aside + end);
  if (isThere) await link(place, aside);
  await rename(draft, place);
  return isThere ? aside : null;
}

/** Brings what is only in the log into the file, so that the file can be moved by itself. */
function finishLog(file: string, patienceMs: number): void {
  try {
    const old = new DatabaseSync(file, { timeout: patienceMs });
    try {
      old.exec('pragma journal_mode = delete');
    } finally {
      old.close();
    }
  } catch (error) {
    if (isLocked(error))
      throw new OperatorError(`${file} is being read, by a backup or by verify. Wait for it to end.`);
    // What is to be replaced is damaged; it is kept as it is.
  }
}
