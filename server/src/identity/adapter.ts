import { AsyncLocalStorage } from 'node:async_hooks';
import { emailKey } from '@perfume/domain/email';
import { type CleanedWhere, createAdapterFactory } from 'better-auth/adapters';
import type { Db } from '../db/core/database.ts';
import { isForeignKeyViolation, OutcomeUnknown, StoreUnavailable } from '../db/core/errors.ts';
import { newId } from '../db/core/ids.ts';
import { type Queries, queryRows } from '../db/core/statement.ts';
import { Problem } from '../http/problem.ts';
import { deleteOtherSignIns, signInId } from './identity.store.ts';

/*
 * Runs better-auth on our own database: better-auth reads committed data, and each of its writes is one `db.change`.
 * Only the fields listed here are stored. Tokens of providers and IP addresses are dropped, and only the name of the
 * browser is kept from the user agent.
 */
const columns: Record<string, readonly string[]> = {
  users: ['id', 'email', 'name', 'image', 'email_verified', 'created_at', 'updated_at'],
  sign_ins: ['id', 'token_hash', 'user_id', 'browser', 'expires_at', 'created_at', 'updated_at'],
  accounts: ['id', 'user_id', 'provider_id', 'account_id', 'password', 'created_at', 'updated_at'],
  verifications: ['id', 'identifier', 'value', 'expires_at', 'created_at', 'updated_at'],
};

/** Maps the models and fields of better-auth to our tables and columns. */
export const tableNames = {
  user: {
    modelName: 'users',
    fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
  },
  session: {
    modelName: 'sign_ins',
    fields: {
      token: 'token_hash',
      userId: 'user_id',
      userAgent: 'browser',
      expiresAt: 'expires_at',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    },
  },
  account: {
    modelName: 'accounts',
    fields: {
      userId: 'user_id',
      providerId: 'provider_id',
      accountId: 'account_id',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    },
  },
  verification: {
    modelName: 'verifications',
    fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
  },
} as const;

type AuthCall = {
  /** The original error of an unavailable database, which decides the response. better-auth wraps it in its own error. */
  error?: unknown;
  /** The address whose unverified account was deleted for its owner. The owner's account takes its place. */
  replaced?: string;
  /** The user that this call created. */
  newUserId?: string;
  /** When this call stored a new password. */
  passwordSetAt?: number;
};

/** What our code learns while better-auth handles one call. */
export const authCall = new AsyncLocalStorage<AuthCall>();

type Row = Record<string, unknown>;

export function databaseAdapter(db: Db, clock: () => number) {
  return createAdapterFactory({
    config: {
      adapterId: 'warehouse',
      supportsBooleans: false,
      supportsDates: true,
      customIdGenerator: () => newId(clock()),
      customTransformInput: ({ data }) => (data instanceof Date ? data.getTime() : data),
      customTransformOutput: ({ data, fieldAttributes }) =>
        fieldAttributes.type === 'date' && typeof data === 'number' ? new Date(data) : data,
    },
    adapter: () => ({
      async create<T extends Row>({ model, data }: { model: string; data: T }): Promise<T> {
        const row = toRow(model, data);
        const names = Object.keys(row);
        const placeholders = names.map((_, i) => `$${i + 1}`);
        const text = `insert into ${table(model)} (${names.join(', ')}) values (${placeholders.join(', ')})`;
        await write(async (db) => {
          if (hasNewPassword(model, row)) await endSessionsOf(db, { text: ' where id = $1', params: [row.user_id] });
          await queryRows(db, text, Object.values(row));
        });
        return data;
      },
      async update<T>({ model, where, update }: { model: string; where: CleanedWhere[]; update: T }) {
        const rows = await change(model, where, update as Row);
        return (rows[0] ?? null) as T | null;
      },
      async updateMany({ model, where, update }) {
        return (await change(model, where, update)).length;
      },
      async delete({ model, where }) {
        await remove(model, where);
      },
      async deleteMany({ model, where }) {
        return (await remove(model, where)).length;
      },
      async consumeOne<T>({ model, where }: { model: string; where: CleanedWhere[] }) {
        return ((await remove(model, where))[0] ?? null) as T | null;
      },
      async findOne<T>({ model, where }: { model: string; where: CleanedWhere[] }) {
        const [row] = await find(model, where, { limit: 1 });
        return (row ?? null) as T | null;
      },
      async findMany<T>({ model, where = [], limit, sortBy, offset }: FindMany) {
        return (await find(model, where, { limit, ...(sortBy && { sortBy }), ...(offset && { offset }) })) as T[];
      },
      async count({ model, where = [] }) {
        const { text, params } = condition(model, where);
        const rows = await read((db) =>
          queryRows<{ n: number }>(db, `select count(*) as n from ${table(model)}${text}`, params),
        );
        return rows[0]?.n ?? 0;
      },
    }),
  });

  async function change(model: string, where: CleanedWhere[], update: Row): Promise<Row[]> {
    const row = toRow(model, update);
    const { text, params } = condition(model, where);
    const names = Object.keys(row);
    if (names.length === 0) return find(model, where, { limit: 1 });
    const sets = names.map((name, i) => `${name} = $${params.length + i + 1}`);
    const all = columns[model]?.join(', ');
    const owner = { text: ` where id in (select user_id from accounts${text})`, params: [...params] };
    const rows = await write(async (db) => {
      if (hasNewPassword(model, row)) await endSessionsOf(db, owner);
      return queryRows<Row>(db, `update ${table(model)} set ${sets.join(', ')}${text} returning ${all}`, [
        ...params,
        ...Object.values(row),
      ]);
    });
    const call = authCall.getStore();
    if (call && rows[0] && hasNewPassword(model, row)) call.passwordSetAt = Number(rows[0].updated_at);
    return rows.map((row) => withToken(row, where));
  }

  async function remove(model: string, where: CleanedWhere[]): Promise<Row[]> {
    const { text, params } = condition(model, where);
    const all = columns[model]?.join(', ');
    return write((db) => queryRows<Row>(db, `delete from ${table(model)}${text} returning ${all}`, params));
  }

  async function find(
    model: string,
    where: CleanedWhere[],
    page: { limit: number; offset?: number; sortBy?: { field: string; direction: 'asc' | 'desc' } },
  ): Promise<Row[]> {
    const { text, params } = condition(model, where);
    const order = page.sortBy ? ` order by ${column(model, snake(page.sortBy.field))} ${page.sortBy.direction}` : '';
    const slice = ` limit ${Number(page.limit)} offset ${Number(page.offset ?? 0)}`;
    const all = columns[model]?.join(', ');
    const rows = await read((db) =>
      queryRows<Row>(db, `select ${all} from ${table(model)}${text}${order}${slice}`, params),
    );
    return rows.map((row) => withToken(row, where));
  }

  /**
   * Ends the sessions of the user who gets a new password, in the transaction that stores it: nobody stays logged in with
   * the old password, and nobody is logged out if storing fails. On PostgreSQL the lock makes new sessions of this user
   * wait, so that a login at this moment notices the new password.
   */
  async function endSessionsOf(queries: Queries, { text, params }: { text: string; params: unknown[] }): Promise<void> {
    const lock = db.dialect === 'postgres' ? ' for update' : '';
    const [user] = await queryRows<{ id: string }>(queries, `select id from users${text}${lock}`, params);
    if (user) await deleteOtherSignIns(queries, user.id, '');
  }

  function read<T>(work: (db: Queries) => Promise<T>): Promise<T> {
    return recordFailure(work(db.query));
  }

  function write<T>(work: (db: Queries) => Promise<T>): Promise<T> {
    return recordFailure(db.change(work));
  }
}

type FindMany = {
  model: string;
  where?: CleanedWhere[] | undefined;
  limit: number;
  sortBy?: { field: string; direction: 'asc' | 'desc' } | undefined;
  offset?: number | undefined;
};

async function recordFailure<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const call = authCall.getStore();
    if (call && (error instanceof StoreUnavailable || error instanceof OutcomeUnknown)) call.error = error;
    // The account was removed at this moment.
    if (call && isForeignKeyViolation(error)) call.error = new Problem('not_signed_in');
    throw error;
  }
}

function hasNewPassword(model: string, row: Row): boolean {
  return model === 'accounts' && typeof row.password === 'string';
}

function table(model: string): string {
  if (!columns[model]) throw new Error(`${model} is not an identity table`);
  return model;
}

function column(model: string, name: string): string {
  if (!columns[model]?.includes(name)) throw new Error(`${model} has no column ${name}`);
  return name;
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * Returns the row to store, with known columns only. A session token is stored as its hash, and an email address with
 * its key for lookups.
 */
function toRow(model: string, data: Row): Row {
  const row: Row = {};
  for (const [name, value] of Object.entries(data)) {
    if (!columns[model]?.includes(name) || value === undefined) continue;
    // better-auth sends an empty string when the browser is unknown.
    const isNameless = name === 'browser' && value === '';
    row[name] = name === 'token_hash' ? signInId(String(value)) : isNameless ? null : value;
  }
  if (model === 'users' && typeof row.email === 'string') row.email_key = emailKey(row.email);
  return row;
}

/** Puts the session token back into a row that was searched by it. The database has only the hash of the token. */
function withToken(row: Row, where: CleanedWhere[]): Row {
  const token = where.find(({ field, operator }) => field === 'token_hash' && operator === 'eq')?.value;
  return typeof token === 'string' ? { ...row, token_hash: token } : row;
}

const comparisons: Record<string, string> = { eq: '=', ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' };

function condition(model: string, where: CleanedWhere[]): { text: string; params: unknown[] } {
  const params: unknown[] = [];
  const parts = where.map(({ field, operator, value, connector }, i) => {
    const joined = i === 0 ? '' : connector === 'OR' ? ' or ' : ' and ';
    // Users are found by the normalised email address, so two spellings of one address are one person.
    const byEmail = model === 'users' && field === 'email';
    const name = byEmail ? 'email_key' : column(model, field);
    const stored = (one: unknown) =>
      byEmail ? emailKey(String(one)) : name === 'token_hash' ? signInId(String(one)) : one;
    if (operator === 'in') {
      const placeholders = (value as unknown[]).map((one) => `$${params.push(stored(one))}`);
      return `${joined}${name} in (${placeholders.join(', ')})`;
    }
    const comparison = comparisons[operator ?? 'eq'];
    if (!comparison) throw new Error(`operator ${operator} is not supported`);
    if (value === null) return `${joined}${name} is ${operator === 'ne' ? 'not ' : ''}null`;
    return `${joined}${name} ${comparison} $${params.push(stored(value))}`;
  });
  return { text: parts.length > 0 ? ` where ${parts.join('')}` : '', params };
}
