import { createHash, randomUUID } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WireItem } from '@perfume/contract/wire-item';
import type { FastifyInstance, InjectOptions, RouteOptions } from 'fastify';
import pg from 'pg';
import { afterAll, beforeAll, describe, inject } from 'vitest';
import { isLongForm } from '../testing/form.ts';
import { type AppParts, buildApp } from './app.ts';
import type { Config } from './config.ts';
import type { Db } from './db/core/database.ts';
import { type Keeping, openDatabase } from './db/open.ts';
import { signInCookies } from './identity/cookie.ts';
import { ensureUser, signIn } from './identity/identity.store.ts';
import { type PasswordHasher, passwordHasher } from './identity/passwords.ts';

export const databases = ['SQLite', 'PostgreSQL'] as const;
export type DatabaseName = (typeof databases)[number];

export type TestApp = {
  app: FastifyInstance;
  db: Db;
  config: Config;
  database: DatabaseName;
  /** The log lines so far. */
  log: string[];
  /** All routes of the server. */
  routes: RouteOptions[];
  /** Starts another server on the same database. */
  sibling(changes?: Partial<Config>): Promise<TestApp>;
  close(): Promise<void>;
};

/** Runs the same tests on both databases, each with its own server. */
export function onBothDatabases(
  subject: string,
  tests: (test: TestApp) => void,
  config: Partial<Config> = {},
  parts: Parts = {},
  names: readonly DatabaseName[] = databases,
): void {
  describe.each(names)(`${subject} on %s`, (database) => {
    // Tests are chosen by the name of the database before it exists.
    const shared = { database } as TestApp;
    beforeAll(async () => {
      Object.assign(shared, await testApp(database, config, parts));
    });
    afterAll(() => shared.close());
    tests(shared);
  });
}

/** Runs the same tests on both databases, and on one that keeps rows of large houses with small houses (see kept-tables.ts). */
export function onBothAndKept(subject: string, tests: (test: TestApp) => void, parts: Parts = {}): void {
  onBothDatabases(subject, tests, {}, parts);
  const keeping = { keepFrom: 0, itemsAtOnce: 3 };
  onBothDatabases(`${subject}, with kept rows,`, tests, {}, { ...parts, keeping }, ['PostgreSQL']);
}

/**
 * Runs tests of what no database decides, such as who may call what: on both databases in the long form, otherwise on
 * SQLite.
 */
export function onAnyDatabase(
  subject: string,
  tests: (test: TestApp) => void,
  config: Partial<Config> = {},
  parts: Parts = {},
): void {
  onBothDatabases(subject, tests, config, parts, isLongForm ? databases : ['SQLite']);
}

type Parts = Pick<AppParts, 'webRoot' | 'clock' | 'passwords'> & { keeping?: Keeping | undefined };

export async function testApp(
  database: DatabaseName,
  changes: Partial<Config> = {},
  parts: Parts = {},
): Promise<TestApp> {
  const folder = mkdtempSync(join(tmpdir(), 'perfume-test-'));
  const databaseUrl = await newDatabase(database, folder);
  const siblings: TestApp[] = [];
  const first = await start(database, { ...testConfig(folder, databaseUrl), ...changes }, siblings, parts);
  return {
    ...first,
    async close() {
      for (const server of [...siblings, first]) await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function start(
  database: DatabaseName,
  config: Config,
  siblings: TestApp[],
  { keeping, ...parts }: Parts,
): Promise<TestApp> {
  const log: string[] = [];
  const routes: RouteOptions[] = [];
  const db = await openDatabase(config.databaseUrl, null, keeping);
  const app = await buildApp({
    passwords: quickPasswords,
    ...parts,
    config,
    db,
    logTo: { write: (line) => void log.push(line) },
    onRoute: (route) => void routes.push(route),
  });
  await app.ready();
  return {
    app,
    db,
    config,
    database,
    log,
    routes,
    async sibling(changes = {}) {
      const other = await start(database, { ...config, ...changes }, siblings, { keeping, ...parts });
      siblings.push(other);
      return other;
    },
    async close() {
      await app.close();
      await db.close();
    },
  };
}

/**
 * A fast password hasher for tests, which log in thousands of times: a real hash is slow and takes 16 MB. The real hash
 * is tested in identity/passwords.test.ts and by every test that starts the product itself.
 */
const quickPasswords: PasswordHasher = {
  hash: async (password) => quickHash(password),
  verify: async (given) =>
    given.hash.startsWith('quick ') ? given.hash === quickHash(given.password) : passwordHasher.verify(given),
  needsRehash: () => false,
};
const quickHash = (password: string) => `quick ${createHash('sha256').update(password).digest('hex')}`;

export function testConfig(folder: string, databaseUrl: string): Config {
  return {
    host: '127.0.0.1',
    port: 0,
    dataDir: folder,
    databaseUrl,
    publicUrl: null,
    secret: 'a secret for tests, long enough to be one',
    previousSecret: null,
    demo: true,
    trustProxy: [],
    corsOrigins: [],
    access: 'open',
    budgetFactor: 1,
    signUp: 'open',
    signUpDomains: [],
    webhookPrivateHosts: [],
    mail: null,
    providers: { github: null, google: null, oidc: null },
    contact: {
      address: 'Grasse',
      lat: 43.66,
      lon: 6.92,
      technical: 'a@b.example',
      stock: 'a@b.example',
      policy: 'a@b.example',
      bugs: 'a@b.example',
    },
    mapTiles: null,
    logLevel: 'debug',
  };
}

/**
 * Creates a database on which the migrations have run, as a copy of one that the test run has made: to run them takes
 * as long as many a test. Returns its URL or file.
 */
export async function newDatabase(database: DatabaseName, folder: string): Promise<string> {
  const migrated = inject('migrated');
  if (database === 'PostgreSQL') return newPostgresDatabase(migrated.postgres);
  const file = join(folder, 'warehouse.sqlite');
  copyFileSync(migrated.sqlite, file);
  return file;
}

/** Creates a PostgreSQL database, which is empty unless it is a copy of `template`. */
export async function newPostgresDatabase(template = 'template1'): Promise<string> {
  const url = new URL(inject('postgresUrl'));
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await client.query(`create database ${name} template ${template}`);
  await client.end();
  url.pathname = `/${name}`;
  return url.href;
}

/** Creates a logged-in user. Returns the user, their cookie and a function that sends requests with that cookie. */
export async function signedInAs(test: TestApp, email = `${randomUUID()}@house.example`, { verified = true } = {}) {
  const now = Date.now();
  const user = await ensureUser(test.db, { email, name: email.split('@')[0] ?? '', emailVerified: verified, now });
  const { token } = await signIn(test.db, user.id, now);
  const cookie = signInCookies(test.config).signed(token);
  function call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, options: CallOptions = {}) {
    return request(test, method, url, { ...options, headers: { cookie, ...options.headers } });
  }
  return { user, cookie, call };
}

export type Person = Awaited<ReturnType<typeof signedInAs>>;
export type CallOptions = { body?: unknown; headers?: Record<string, string>; remoteAddress?: string };

export function request(
  test: TestApp,
  method: NonNullable<InjectOptions['method']>,
  url: string,
  { body, headers, remoteAddress }: CallOptions = {},
) {
  return test.app.inject({
    method,
    url,
    ...(remoteAddress && { remoteAddress }),
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined
      ? {}
      : { payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
  });
}

export function aNewItem(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    name: "Nuit d'Encre",
    price: 148,
    quantity: '42',
    img: 'https://pictures.example/nuit.jpg',
    description: 'A deep iris over wet ink and cedar, quiet as a late library.',
    suplierName: 'Maison Verrière',
    email: 'atelier@verriere.example',
    ...changes,
  };
}

export async function anItem(person: Person, changes: Record<string, unknown> = {}): Promise<WireItem> {
  const answer = await person.call('POST', '/new-inventory-item', { body: aNewItem(changes) });
  if (answer.statusCode !== 201) throw new Error(`the item was refused: ${answer.body}`);
  return answer.json<WireItem>();
}

export async function itemNow(person: Person, id: string): Promise<WireItem | undefined> {
  return (await person.call('GET', `/manage-inventory?_id=${id}`)).json<WireItem[]>()[0];
}

/** Sends a movement with a new idempotency key. */
export function move(person: Person, itemId: string, kind: 'deliver' | 'restock' | 'correction', units: number) {
  const headers = { 'idempotency-key': randomUUID() };
  return person.call('POST', `/inventory-items/${itemId}/movements`, { body: { kind, units }, headers });
}

/** Delivers one unit and returns the id of the movement. */
export async function deliver(person: Person, itemId: string): Promise<string> {
  const answer = await move(person, itemId, 'deliver', 1);
  if (answer.statusCode !== 201) throw new Error(`the delivery was refused: ${answer.body}`);
  return answer.json().movement.id;
}

export async function edit(person: Person, itemId: string, changes: object, seen?: object): Promise<WireItem> {
  const body = { changes, ...(seen && { seen }) };
  const answer = await person.call('POST', `/inventory-items/${itemId}/edit`, { body });
  if (answer.statusCode !== 200) throw new Error(`the edit was refused: ${answer.body}`);
  return answer.json<WireItem>();
}

/** Returns the address of the next page from the Link header, or null on the last page. */
export function nextPage({ headers }: { headers: { link?: unknown } }): string | null {
  return /<([^>]+)>; rel="next"/.exec(String(headers.link ?? ''))?.[1] ?? null;
}

/** Reads all rows of a list by following the links to the next page. */
export async function readPages<T>(person: Person, path: string): Promise<T[]> {
  const rows: T[] = [];
  for (let url: string | null = path; url; ) {
    const answer = await person.call('GET', url);
    rows.push(...answer.json<T[]>());
    url = nextPage(answer);
  }
  return rows;
}
