import { hash, randomUUID } from 'node:crypto';
import { access, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDiskError, StoreUnavailable } from '../db/core/errors.ts';

const NAME = /^[0-9a-f]{40}\.webp$/;
export const NAME_LENGTH = 45;
const MAX_KEPT_BYTES = 32 * 1024 * 1024;

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
 * Reads pictures, and keeps those that were read last: however many answers contain a picture, it is in memory once.
 * A name is a hash of the content, so what is kept never gets old.
 */
export function pictureReader(folder: string, maxBytes = MAX_KEPT_BYTES) {
  const kept = new Map<string, Buffer>();
  const reading = new Map<string, Promise<Buffer | null>>();
  let keptBytes = 0;

  function keep(name: string, picture: Buffer): void {
    kept.set(name, picture);
    keptBytes += picture.length;
    for (const [first, { length }] of kept) {
      if (keptBytes <= maxBytes) return;
      kept.delete(first);
      keptBytes -= length;
    }
  }

  async function load(name: string): Promise<Buffer | null> {
    try {
      const picture = await findPicture(folder, name);
      if (picture) keep(name, picture);
      return picture;
    } finally {
      reading.delete(name);
    }
  }

  /** Returns a picture that is kept or being read just now. */
  function known(name: string): Buffer | Promise<Buffer | null> | undefined {
    return kept.get(name) ?? reading.get(name);
  }

  /** Returns a picture; null if there is none. */
  async function read(name: string): Promise<Buffer | null> {
    const found = known(name) ?? load(name);
    if (found instanceof Promise) reading.set(name, found);
    return found;
  }

  return { known, read };
}

/** Only names in our own format are looked up, so no path leads out of the folder. */
async function findPicture(folder: string, name: string): Promise<Buffer | null> {
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
