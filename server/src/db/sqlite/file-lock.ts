import { mkdirSync, readFileSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isCorrupt, isLocked, OperatorError } from '../core/errors.ts';

/**
 * Makes this process the only one that serves, replaces or moves the database file; reading it, and `npm run backup`,
 * need no leave. The lock is one that SQLite takes on a file of its own and never gives back: the system does that when
 * the process ends, however it ends, so there is nothing to clear away after `kill -9`.
 */
export function lockDatabaseFile(file: string): () => void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const place = `${file}.lock`;
  const lock = takeLock(file, place);
  try {
    // For the message that another one gets.
    lock.exec(`pragma user_version = ${process.pid}`);
  } catch {
    // The disk is full. The lock holds all the same.
  }
  return () => lock.close();
}

function takeLock(file: string, place: string): DatabaseSync {
  try {
    return lockOn(place);
  } catch (error) {
    if (isLocked(error)) throw inUse(file, holderOf(place));
    if (!isCorrupt(error)) throw error;
  }
  // Nothing of it is ever brought to the disk on purpose, so a power cut may leave anything in it. Nobody holds it, or it
  // would not have been read. It is emptied and not removed: of two that do this at once, both lock the same file.
  truncateSync(place);
  return takeLock(file, place);
}

function lockOn(place: string): DatabaseSync {
  const lock = new DatabaseSync(place, { timeout: 0 });
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
  const who = holder === null ? 'another process' : `process ${holder}`;
  return new OperatorError(`${file} is in use by ${who}. One server at a time works on a file: end that one first.`);
}

const USER_VERSION_AT = 60;

/**
 * Read past SQLite, which would wait for the lock; by a process that does not hold it, for closing the file would give it
 * back. It may be the number of a server before: then nobody has it.
 */
function holderOf(place: string): number | null {
  try {
    const holder = readFileSync(place).readUInt32BE(USER_VERSION_AT);
    process.kill(holder, 0);
    return holder > 0 ? holder : null;
  } catch {
    return null;
  }
}
