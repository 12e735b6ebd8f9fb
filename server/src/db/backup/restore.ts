import { existsSync } from 'node:fs';
import { link, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isLocked, OperatorError } from '../core/errors.ts';
import { SWITCH_OFF_WEBHOOKS } from '../core/restored-webhooks.ts';
import { lockDatabaseFile } from '../sqlite/file-lock.ts';
import { type Backup, checkDatabase, timestamp } from './backup.ts';
import {
  CHECKPOINT_KEY,
  copyPrivate,
  DATABASE,
  describeFile,
  fsyncFolder,
  LAST_CHECKPOINT,
  type Manifest,
  readManifest,
  requireFreeSpace,
  SECRET,
  UPLOADS,
} from './backup-folder.ts';

export type Restore = {
  /** The backup folder. */
  from: string;
  /** The data folder. */
  into: string;
  /** Whether to rename an existing database and restore in its place. If not, the restore is refused. */
  replace: boolean;
  /** Replaces the secret in the data folder, which may be newer, with the one from the backup. */
  replaceSecret?: boolean;
  now: number;
  verify: Backup['verify'];
  /** How long to wait for other processes to stop reading the database that is being replaced. */
  lockTimeoutMs?: number;
  onFile?: (done: number, all: number) => void;
};

export type Restored = { manifest: Manifest; keptAside: string[] };

/**
 * Checks every file of the backup, copies it and checks the copy. Only then does one rename replace the database. If
 * this is interrupted, the data folder holds either the old database or the new one, complete.
 */
export async function restore({
  from,
  into,
  replace,
  replaceSecret = false,
  now,
  verify,
  lockTimeoutMs = 5_000,
  onFile,
}: Restore): Promise<Restored> {
  const manifest = await readManifest(from);
  await checkFiles(from, manifest, onFile);
  const place = join(into, DATABASE);
  const unlock = lockDatabaseFile(place);
  try {
    if (existsSync(place) && !replace) {
      throw new OperatorError(
        `${place} already exists. Use --replace to rename it and restore the backup in its place.`,
      );
    }
    await requireFreeSpace(
      into,
      manifest.files.reduce((sum, { bytes }) => sum + bytes, 0),
    );
    const draft = join(into, `${DATABASE}.restoring`);
    await rm(draft, { force: true });
    try {
      await copyPrivate(join(from, DATABASE), draft);
      const { ledger } = await checkDatabase(draft, verify);
      if (ledger.fingerprint !== manifest.ledger.fingerprint) {
        throw new OperatorError('The ledger of the backup does not match its manifest.');
      }
      removeWaysIn(draft);
      switchOffWebhooks(draft);
      // A picture is named after the hash of its content, so an existing one is identical.
      for (const { name } of manifest.files) {
        if (!name.startsWith(`${UPLOADS}/`) || existsSync(join(into, name))) continue;
        await copyPrivate(join(from, name), `${join(into, name)}.restoring`);
        await rename(`${join(into, name)}.restoring`, join(into, name));
      }
      if (existsSync(place)) checkpointAndLeaveWal(place, lockTimeoutMs);
      const keptAside = [
        await restoreSecret(SECRET, from, into, manifest, { replace: replaceSecret, now }),
        await restoreSecret(CHECKPOINT_KEY, from, into, manifest, { replace: false, now }),
        await replaceDatabase(draft, place, now),
      ];
      // The backup may be older than the checkpoint that the server remembers, which would then sign nothing.
      await rm(join(into, LAST_CHECKPOINT), { force: true });
      for (const folder of [join(into, 'uploads'), into]) await fsyncFolder(folder);
      return { manifest, keptAside: keptAside.filter((name) => name !== null) };
    } finally {
      await rm(draft, { force: true });
    }
  } finally {
    unlock();
  }
}

async function checkFiles(folder: string, manifest: Manifest, onFile: Restore['onFile']): Promise<void> {
  if (!manifest.files.some(({ name }) => name === DATABASE)) throw new OperatorError(`${folder} contains no database.`);
  for (const [index, listed] of manifest.files.entries()) {
    onFile?.(index, manifest.files.length);
    const found = await describeFile(folder, listed.name).catch(() => null);
    if (found === null) throw new OperatorError(`${listed.name} is missing from ${folder}.`);
    if (found.sha256 !== listed.sha256)
      throw new OperatorError(`${listed.name} in ${folder} was changed after the backup.`);
  }
}

/**
 * Deletes all sessions, API keys, reset links, passkeys, recovery codes and invitations. Otherwise those that were ended, removed or
 * used after the backup would be valid again. Two-step login stays on: without it, a stolen password would be enough.
 */
const WAYS_IN = [
  'sign_ins',
  'verifications',
  'api_keys',
  'passkeys',
  'recovery_codes',
  'invitations',
  'house_invitations',
];
function removeWaysIn(file: string): void {
  const draft = new DatabaseSync(file);
  try {
    // A backup of an older version does not have all of these.
    const exists = draft.prepare('select 1 from sqlite_schema where name = ?');
    const tables = WAYS_IN.filter((name) => exists.get(name));
    draft.exec(`begin; ${tables.map((name) => `delete from ${name};`).join(' ')} commit`);
  } finally {
    draft.close();
  }
}

function switchOffWebhooks(file: string): void {
  const draft = new DatabaseSync(file);
  try {
    if (draft.prepare("select 1 from sqlite_schema where name = 'webhooks'").get()) draft.exec(SWITCH_OFF_WEBHOOKS);
  } finally {
    draft.close();
  }
}

/**
 * Restores the secret or the key of the checkpoints. One that is already in the data folder stays unless `replace` is
 * set: it may be new because the old one became known. Returns the name under which a replaced secret is kept.
 */
async function restoreSecret(
  name: typeof SECRET | typeof CHECKPOINT_KEY,
  from: string,
  into: string,
  { files }: Manifest,
  { replace, now }: { replace: boolean; now: number },
): Promise<string | null> {
  const place = join(into, name);
  if (!files.some((file) => file.name === name)) return null;
  const [restored, present] = await Promise.all([readFile(join(from, name)), readFile(place).catch(() => null)]);
  if (present && (!replace || present.equals(restored))) return null;
  await copyPrivate(join(from, name), `${place}.restoring`);
  const aside = `${place}.replaced-${timestamp(now)}`;
  // The file must never be missing: a server that starts without it would create a new secret.
  if (present) await link(place, aside);
  await rename(`${place}.restoring`, place);
  return present ? aside : null;
}

async function replaceDatabase(draft: string, place: string, now: number): Promise<string | null> {
  const aside = place.replace(/\.sqlite$/, `.replaced-${timestamp(now)}.sqlite`);
  const isThere = existsSync(place);
  // SQLite would apply a leftover WAL of the old database to the new one.
  for (const end of ['-wal', '-shm']) if (existsSync(place + end)) await rename(place + end, aside + end);
  if (isThere) await link(place, aside);
  await rename(draft, place);
  return isThere ? aside : null;
}

/** Moves the content of the WAL into the file, so that the file can be renamed on its own. */
function checkpointAndLeaveWal(file: string, lockTimeoutMs: number): void {
  try {
    const old = new DatabaseSync(file, { timeout: lockTimeoutMs });
    try {
      old.exec('pragma journal_mode = delete');
    } finally {
      old.close();
    }
  } catch (error) {
    if (isLocked(error))
      throw new OperatorError(
        `${file} is being read by "npm run backup" or "npm run verify". Wait until that has finished.`,
      );
    // The old database is damaged. It is renamed as it is.
  }
}
