import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, copyFile, mkdir, open, readdir, readFile, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod/mini';
import { OperatorError } from '../core/errors.ts';

/** The names inside a backup; those of a data folder, but for the manifest. */
export const DATABASE = 'warehouse.sqlite';
export const SECRET = 'secret';
export const UPLOADS = 'uploads';
const MANIFEST = 'manifest.json';

// A manifest comes from outside: what it names can lie nowhere but in the backup.
const manifestFormat = z.object({
  format: z.literal(1),
  product: z.literal('perfume-warehouse'),
  version: z.string(),
  madeAt: z.string(),
  /** What had been run on the database; restoring needs a version that knows all of it. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  ledger: z.object({ items: z.number(), movements: z.number(), fingerprint: z.string() }),
  /** How many rows each table had. */
  rows: z.record(z.string(), z.number()),
  files: z.array(
    z.object({
      name: z.string().check(z.regex(/^(?:warehouse\.sqlite|secret|uploads\/[0-9a-f]{40}\.webp)$/)),
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
    throw new OperatorError(`${join(folder, MANIFEST)} is damaged, or of a version this one does not know.`);
  return parsed.data;
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Name, size and hash of a file, as the manifest has it. */
export async function describeFile(folder: string, name: string): Promise<Manifest['files'][number]> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(join(folder, name)), hash);
  return { name, bytes: (await stat(join(folder, name))).size, sha256: hash.digest('hex') };
}

/** A copy that only its owner may read, and that is on disk when this returns. */
export async function copyPrivately(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await copyFile(from, to);
  await makePrivate(to);
}

export async function makePrivate(file: string): Promise<void> {
  await chmod(file, 0o600);
  // A disk may find out only now that it has no room.
  const handle = await open(file, 'r+');
  await handle.sync().finally(() => handle.close());
}

/** A new name lasts only once its folder is on disk too. Windows has no such call for folders and needs none. */
export async function sync(place: string): Promise<void> {
  const handle = await open(place, 'r').catch(() => null);
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

/** Before anything is written: better a refusal than a full disk under a running server. */
export async function requireRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const needed = Math.ceil(bytes * 1.05) + 16 * 1024 * 1024;
  if (free >= needed) return;
  const inMb = (size: number) => Math.ceil(size / 1e6).toLocaleString('en');
  throw new OperatorError(
    `There is not enough room in ${folder}: ${inMb(needed)} MB are needed, ${inMb(free)} MB are free.`,
  );
}
