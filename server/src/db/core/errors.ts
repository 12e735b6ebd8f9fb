/** An expected failure of a program. Its message tells the operator what to do, so no stack trace is printed. */
export class OperatorError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'OperatorError';
  }
}

/** The database cannot be reached or written. Nothing was changed. */
export class StoreUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StoreUnavailable';
  }
}

/** The connection broke during a statement. If the statement was a whole change, its outcome is unknown. */
export class ConnectionLost extends StoreUnavailable {
  constructor(cause: unknown) {
    super('the connection to the database broke', cause);
    this.name = 'ConnectionLost';
  }
}

/** The connection broke during the commit. The change may or may not have been committed. */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super('the outcome of the change is not known', { cause });
    this.name = 'OutcomeUnknown';
  }
}

// The result codes BUSY, LOCKED, READONLY, IOERR, CORRUPT, FULL, CANTOPEN and NOTADB of SQLite.
const SQLITE_STORAGE = new Set([5, 6, 8, 10, 11, 13, 14, 26]);
const SQLITE_BUSY = 5;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

/**
 * Whether the file is at fault, not the request: the disk is full or broken, or another process has locked the file.
 */
export function isStorageFailure(error: unknown): boolean {
  if (error instanceof StoreUnavailable) return true;
  const code = sqliteCode(error);
  return code !== null && SQLITE_STORAGE.has(code);
}

/** Whether another connection holds the lock. */
export function isLocked(error: unknown): boolean {
  return sqliteCode(error) === SQLITE_BUSY;
}

/** Whether the file is not a valid SQLite database. */
export function isCorrupt(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === SQLITE_NOTADB || code === SQLITE_CORRUPT;
}

/** Whether the disk reported an error. The write may have succeeded anyway. */
export function isIoError(error: unknown): boolean {
  return sqliteCode(error) === SQLITE_IOERR;
}

/** Returns the primary result code of SQLite, without the extended bits. */
function sqliteCode(error: unknown): number | null {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === 'number' ? code & 0xff : null;
}

// In this order: disk full, quota exceeded, file too large, I/O error, read-only file system.
const DISK_ERRORS = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EROFS']);

/** Whether a file could not be written because of the disk, not because of the request. */
export function isDiskError(error: unknown): boolean {
  return DISK_ERRORS.has(String((error as { code?: unknown } | null)?.code));
}

// PostgreSQL's unique_violation, and SQLite's SQLITE_CONSTRAINT_PRIMARYKEY and SQLITE_CONSTRAINT_UNIQUE.
const UNIQUE_VIOLATIONS = new Set<unknown>(['23505', 1_555, 2_067]);

export function isUniqueViolation(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown };
  // In SQLite a trigger refuses an id that another entry has. Its error code is a general one, so the message is
  // checked.
  const isTakenId = error instanceof Error && error.message.includes('this id belongs to another entry');
  return UNIQUE_VIOLATIONS.has(code) || UNIQUE_VIOLATIONS.has(errcode) || isTakenId;
}

// PostgreSQL's foreign_key_violation, and SQLite's SQLITE_CONSTRAINT_FOREIGNKEY.
const FOREIGN_KEY_VIOLATIONS = new Set<unknown>(['23503', 787]);

/** Whether a row refers to one that is gone. Accounts can be removed at any moment; other rows are never deleted. */
export function isForeignKeyViolation(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown };
  return FOREIGN_KEY_VIOLATIONS.has(code) || FOREIGN_KEY_VIOLATIONS.has(errcode);
}
