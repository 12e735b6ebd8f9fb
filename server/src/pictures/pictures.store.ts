import { hash, randomUUID } from 'node:crypto';
import { access, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDiskError, StoreUnavailable } from '../db/core/errors.ts';

const NAME = /^[0-9a-f]{40}\.webp$/;

/** Kept once, however often it is sent: its name is what is in it. On disk, and not half of it, before this returns. */
export async function keepPicture(folder: string, bytes: Buffer): Promise<string> {
  const name = `${hash('sha256', bytes, 'hex').slice(0, 40)}.webp`;
  const place = join(folder, name);
  if (await exists(place)) return name;
  const draft = join(folder, `.${randomUUID()}`);
  try {
    if (await mkdir(folder, { recursive: true, mode: 0o700 })) await syncFolder(dirname(folder));
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, place);
    await syncFolder(folder);
  } catch (error) {
    await rm(draft, { force: true });
    throw isDiskError(error) ? new StoreUnavailable('the picture could not be kept', error) : error;
  }
  return name;
}

/** Only a name of ours is ever looked for, so no path leads anywhere else. */
export async function findPicture(folder: string, name: string): Promise<Buffer | null> {
  if (!NAME.test(name)) return null;
  return readFile(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

async function exists(place: string): Promise<boolean> {
  return access(place).then(
    () => true,
    () => false,
  );
}

/** A new name lasts only once its folder is on disk too. Windows has no such call and needs none. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  await handle?.sync().finally(() => handle.close());
}
