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

const SQLITE_CONSTRAINT = 19;

/** A unique key was taken already, in either database's words. */
export function isDuplicate(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown };
  if (code === '23505') return true;
  const isUnique = typeof errcode === 'number' && (errcode === 1555 || errcode === 2067);
  return isUnique && (Number(errcode) & 0xff) === SQLITE_CONSTRAINT;
}
