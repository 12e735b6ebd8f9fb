import { mkdirSync, readFileSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isCorrupt, isLocked, OperatorError } from '../core/errors.ts';

/**
 * Locks the database file, because only one process at a time may serve, replace or move it. Readers and `npm run
 * backup` need no lock. The lock is an SQLite lock on a separate file. The operating system releases it when the
 * process ends, even after `kill -9`, so a stale lock cannot exist. Returns a function that releases the lock.
 */
export function lockDatabaseFile(file: string): () => void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const lockFile = `${file}.lock`;
  const lock = takeLock(file, lockFile);
  try {
    // A process that finds the file locked names this process in its error message.
    lock.exec(`pragma user_version = ${process.pid}`);
  } catch {
    // The disk is full. The lock is held anyway.
  }
  return () => lock.close();
}

function takeLock(file: string, lockFile: string): DatabaseSync {
  try {
    return openLocked(lockFile);
  } catch (error) {
    if (isLocked(error)) throw inUse(file, holderOf(lockFile));
    if (!isCorrupt(error)) throw error;
  }
  // The lock file is never synced, so a power cut can leave garbage in it. No process holds the lock, or reading the
  // file would have failed with "locked". The file is truncated, not deleted, so two processes that do this at once
  // still lock the same file.
  truncateSync(lockFile);
  return takeLock(file, lockFile);
}

function openLocked(lockFile: string): DatabaseSync {
  const lock = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    lock.exec('pragma journal_mode = memory; pragma synchronous = off; pragma locking_mode = exclusive');
    lock.exec('begin exclusive; commit');
    return lock;
  } catch (error) {
    lock.close();
    throw error;
  }
}

function inUse(file: string, holder: number | null): OperatorError {
  const name = holder === null ? 'another process' : `process ${holder}`;
  return new OperatorError(`${file} is in use by ${name}. Only one server can use the file: stop that process first.`);
}

const USER_VERSION_OFFSET = 60;

/**
 * Returns the id of the process that holds the lock, or null when that process no longer runs. Reads the file directly,
 * because SQLite would wait for the lock. A process that holds the lock must not call this: closing the file would
 * release the lock.
 */
function holderOf(lockFile: string): number | null {
  try {
    const holder = readFileSync(lockFile).readUInt32BE(USER_VERSION_OFFSET);
    process.kill(holder, 0);
    return holder > 0 ? holder : null;
  } catch {
    return null;
  }
}
