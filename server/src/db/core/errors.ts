/** An end that was to be expected, with a sentence for the person at the keyboard. */
export class OperatorError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'OperatorError';
  }
}

/** The store cannot be reached or written; nothing was changed. */
export class StoreUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StoreUnavailable';
  }
}

/** The connection broke under a question. If that was a whole change by itself, nobody knows whether it was kept. */
export class ConnectionLost extends StoreUnavailable {
  constructor(cause: unknown) {
    super('the connection to the database broke', cause);
    this.name = 'ConnectionLost';
  }
}

/** The connection broke while committing: the change may or may not be there. */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super('the outcome of the change is not known', { cause });
    this.name = 'OutcomeUnknown';
  }
}

// SQLITE_BUSY, LOCKED, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB.
const SQLITE_STORAGE = new Set([5, 6, 8, 10, 11, 13, 14, 26]);
const SQLITE_BUSY = 5;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

/** The file, not the request, is at fault: the disk is full or broken, or somebody holds the file. */
export function isStorageFailure(error: unknown): boolean {
  if (error instanceof StoreUnavailable) return true;
  const code = sqliteCode(error);
  return code !== null && SQLITE_STORAGE.has(code);
}

export function isLocked(error: unknown): boolean {
  return sqliteCode(error) === SQLITE_BUSY;
}

/** What stands in the file is not what SQLite wrote. */
export function isCorrupt(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === SQLITE_NOTADB || code === SQLITE_CORRUPT;
}

/** The disk failed under a write, which may have reached it all the same. */
export function isIoError(error: unknown): boolean {
  return sqliteCode(error) === SQLITE_IOERR;
}

/** The kind of error without its details. */
function sqliteCode(error: unknown): number | null {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === 'number' ? code & 0xff : null;
}

// No room, no quota, too large for the file system, a failing disk, a disk that has been made read-only.
const DISK_TROUBLE = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EROFS']);

/** A file could not be written, through no fault of what was sent. */
export function isDiskError(error: unknown): boolean {
  return DISK_TROUBLE.has(String((error as { code?: unknown } | null)?.code));
}

const SQLITE_CONSTRAINT = 19;

/** A unique key was taken already, in either database's words. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown };
  if (code === '23505') return true;
  const isUnique = typeof errcode === 'number' && (errcode === 1555 || errcode === 2067);
  return isUnique && sqliteCode(error) === SQLITE_CONSTRAINT;
}
