import { hash, randomUUID } from 'node:crypto';
import { access, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDiskError, StoreUnavailable } from '../db/core/errors.ts';

const NAME = /^[0-9a-f]{40}\.webp$/;
export const NAME_LENGTH = 45;

/** The name of a picture is a hash of its content, so the same picture is stored once. */
export function pictureName(bytes: Buffer): string {
  return `${hash('sha256', bytes, 'hex').slice(0, 40)}.webp`;
}

/** Stores a picture. The file is synced to disk before this returns. */
export async function savePicture(folder: string, name: string, bytes: Buffer): Promise<void> {
  const path = join(folder, name);
  if (await exists(path)) return;
  const temporary = join(folder, `.${randomUUID()}`);
  try {
    if (await mkdir(folder, { recursive: true, mode: 0o700 })) await syncFolder(dirname(folder));
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    await syncFolder(folder);
  } catch (error) {
    await rm(temporary, { force: true });
    throw isDiskError(error) ? new StoreUnavailable('the picture could not be stored', error) : error;
  }
}

export function hasPicture(folder: string, name: string): Promise<boolean> {
  return exists(join(folder, name));
}

/**
 * Reads a picture; null if there is none. Only names in our own format are looked up, so no path leads out of the
 * folder.
 */
export async function findPicture(folder: string, name: string): Promise<Buffer | null> {
  if (!NAME.test(name)) return null;
  return readFile(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/**
 * Syncs a folder to disk: a new file name survives a crash only after that. Windows cannot open folders and does not
 * need this.
 */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  await handle?.sync().finally(() => handle.close());
}
