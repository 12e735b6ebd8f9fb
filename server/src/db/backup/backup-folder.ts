import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, copyFile, mkdir, open, readdir, readFile, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod/mini';
import { OperatorError } from '../core/errors.ts';

/** File names inside a backup. They are the names in a data folder, plus the manifest. */
export const DATABASE = 'warehouse.sqlite';
export const SECRET = 'secret';
export const CHECKPOINT_KEY = 'checkpoint-key';
/** Only in a data folder: the newest checkpoint that a server has seen, which may be newer than a backup. */
export const LAST_CHECKPOINT = 'last-checkpoint';
export const UPLOADS = 'uploads';
const MANIFEST = 'manifest.json';

// The format allows only names of files inside the backup, because a manifest is untrusted input.
const manifestFormat = z.object({
  format: z.literal(1),
  product: z.literal('perfume-warehouse'),
  version: z.string(),
  madeAt: z.string(),
  /** The migrations that had run when the backup was made. Only a version that has all of them can restore it. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  ledger: z.object({ items: z.number(), movements: z.number(), fingerprint: z.string() }),
  /** The number of rows in each table. */
  rows: z.record(z.string(), z.number()),
  files: z.array(
    z.object({
      name: z.string().check(z.regex(/^(?:warehouse\.sqlite|secret|checkpoint-key|uploads\/[0-9a-f]{40}\.webp)$/)),
      bytes: z.number(),
      sha256: z.string(),
    }),
  ),
});
export type Manifest = z.infer<typeof manifestFormat>;

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const file = await open(join(folder, MANIFEST), 'wx', 0o600);
  await file.writeFile(`${JSON.stringify(manifest, null, 2)}\n`);
  await file.sync();
  await file.close();
}

export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => {
    throw new OperatorError(`${folder} is not a finished backup: it has no ${MANIFEST}.`);
  });
  const parsed = manifestFormat.safeParse(tryJson(text));
  if (!parsed.success)
    throw new OperatorError(`${join(folder, MANIFEST)} is damaged, or was written by a newer version.`);
  return parsed.data;
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Returns the name, size and hash of a file, as listed in the manifest. */
export async function describeFile(folder: string, name: string): Promise<Manifest['files'][number]> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(join(folder, name)), hash);
  return { name, bytes: (await stat(join(folder, name))).size, sha256: hash.digest('hex') };
}

/** Copies a file so that only its owner can read the copy. The copy is on disk when this returns. */
export async function copyPrivate(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await copyFile(from, to);
  await makePrivateAndSync(to);
}

export async function makePrivateAndSync(file: string): Promise<void> {
  await chmod(file, 0o600);
  // Some file systems report a full disk only when the file is synced.
  const handle = await open(file, 'r+');
  await handle.sync().finally(() => handle.close());
}

/** Syncs a folder. A new file in it survives a power cut only after that. Windows cannot sync folders and need not. */
export async function fsyncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  await handle
    ?.sync()
    .catch(() => {})
    .finally(() => handle.close());
}

export async function picturesIn(folder: string): Promise<string[]> {
  const names = await readdir(join(folder, UPLOADS)).catch(() => []);
  return names.filter((name) => /^[0-9a-f]{40}\.webp$/.test(name)).map((name) => `${UPLOADS}/${name}`);
}

export async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => null))?.size ?? 0;
}

/**
 * Throws if there is not enough free space. Called before anything is written, so that a backup cannot fill the disk of
 * a running server.
 */
export async function requireFreeSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const needed = Math.ceil(bytes * 1.05) + 16 * 1024 * 1024;
  if (free >= needed) return;
  const inMb = (size: number) => Math.ceil(size / 1e6).toLocaleString('en');
  throw new OperatorError(`Not enough free space in ${folder}: ${inMb(needed)} MB needed, ${inMb(free)} MB free.`);
}
