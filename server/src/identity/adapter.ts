import { AsyncLocalStorage } from 'node:async_hooks';
import { emailKey } from '@perfume/domain/email';
import { type CleanedWhere, createAdapterFactory } from 'better-auth/adapters';
import type { Db } from '../db/core/database.ts';
import { OutcomeUnknown, StoreUnavailable } from '../db/core/errors.ts';
import { newId } from '../db/core/ids.ts';
import { type Queries, queryRows } from '../db/core/statement.ts';
import { signInId } from './identity.store.ts';

/*
 * better-auth on our own database: it reads what is committed, and each of its writes is one `db.change`.
 * Columns not listed here do not exist: providers' tokens and addresses are not kept, of a user agent only its name.
 */
const columns: Record<string, readonly string[]> = {
  users: ['id', 'email', 'name', 'image', 'email_verified', 'created_at', 'updated_at'],
  sign_ins: ['id', 'token_hash', 'user_id', 'browser', 'expires_at', 'created_at', 'updated_at'],
  accounts: ['id', 'user_id', 'provider_id', 'account_id', 'password', 'created_at', 'updated_at'],
  verifications: ['id', 'identifier', 'value', 'expires_at', 'created_at', 'updated_at'],
};

/** How better-auth's names are called here. */
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

/** better-auth turns a store that is away into some error of its own; this keeps the true one for the answer. */
export const storeFailure = new AsyncLocalStorage<{ error?: unknown }>();

type Row = Record<string, unknown>;

export function adapterOn(db: Db, clock: () => number) {
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
        const places = names.map((_, i) => `$${i + 1}`);
        const text = `insert into ${table(model)} (${names.join(', ')}) values (${places.join(', ')})`;
        await write((db) => queryRows(db, text, Object.values(row)));
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
    const rows = await write((db) =>
      queryRows<Row>(db, `update ${table(model)} set ${sets.join(', ')}${text} returning ${all}`, [
        ...params,
        ...Object.values(row),
      ]),
    );
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

  function read<T>(work: (db: Queries) => Promise<T>): Promise<T> {
    return noticing(work(db.query));
  }

  function write<T>(work: (db: Queries) => Promise<T>): Promise<T> {
    return noticing(db.change(work));
  }
}

type FindMany = {
  model: string;
  where?: CleanedWhere[] | undefined;
  limit: number;
  sortBy?: { field: string; direction: 'asc' | 'desc' } | undefined;
  offset?: number | undefined;
};

async function noticing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const noted = storeFailure.getStore();
    if (noted && (error instanceof StoreUnavailable || error instanceof OutcomeUnknown)) noted.error = error;
    throw error;
  }
}

function table(model: string): string {
  if (!columns[model]) throw new Error(`${model} is no table of identity`);
  return model;
}

function column(model: string, name: string): string {
  if (!columns[model]?.includes(name)) throw new Error(`${model} has no ${name}`);
  return name;
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** What is written: known columns, a sign-in's token as its hash, and an address with its key. */
function toRow(model: string, data: Row): Row {
  const row: Row = {};
  for (const [name, value] of Object.entries(data)) {
    if (!columns[model]?.includes(name) || value === undefined) continue;
    // better-auth's word for a browser without a name.
    const isNameless = name === 'browser' && value === '';
    row[name] = name === 'token_hash' ? signInId(String(value)) : isNameless ? null : value;
  }
  if (model === 'users' && typeof row.email === 'string') row.email_key = emailKey(row.email);
  return row;
}

/** Whoever found a sign-in by its token knows the token; nobody else learns it. */
function withToken(row: Row, where: CleanedWhere[]): Row {
  const token = where.find(({ field, operator }) => field === 'token_hash' && operator === 'eq')?.value;
  return typeof token === 'string' ? { ...row, token_hash: token } : row;
}

const comparisons: Record<string, string> = { eq: '=', ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' };

function condition(model: string, where: CleanedWhere[]): { text: string; params: unknown[] } {
  const params: unknown[] = [];
  const parts = where.map(({ field, operator, value, connector }, i) => {
    const joined = i === 0 ? '' : connector === 'OR' ? ' or ' : ' and ';
    // People are found by the folded address, so one address in two spellings is one person.
    const byEmail = model === 'users' && field === 'email';
    const name = byEmail ? 'email_key' : column(model, field);
    const stored = (one: unknown) =>
      byEmail ? emailKey(String(one)) : name === 'token_hash' ? signInId(String(one)) : one;
    if (operator === 'in') {
      const places = (value as unknown[]).map((one) => `$${params.push(stored(one))}`);
      return `${joined}${name} in (${places.join(', ')})`;
    }
    const comparison = comparisons[operator ?? 'eq'];
    if (!comparison) throw new Error(`identity does not compare by ${operator}`);
    if (value === null) return `${joined}${name} is ${operator === 'ne' ? 'not ' : ''}null`;
    return `${joined}${name} ${comparison} $${params.push(stored(value))}`;
  });
  return { text: parts.length > 0 ? ` where ${parts.join('')}` : '', params };
}
