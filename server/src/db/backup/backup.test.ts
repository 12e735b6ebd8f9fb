import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inviteAddress } from '../../identity/invitations.store.ts';
import { addPasskey } from '../../identity/passkeys.store.ts';
import { confirmTwoStep, startTwoStep } from '../../identity/two-step.store.ts';
import { requireIntactLedger } from '../../ledger/verify.ts';
import { anItem, itemNow, signedInAs, type TestApp, testApp } from '../../testing.ts';
import { SHARED_HOUSE } from '../core/shared-house.ts';
import { type Backup, backUp } from './backup.ts';
import { type Restore, restore } from './restore.ts';

const PICTURE = `uploads/${'a'.repeat(40)}.webp`;
const folder = mkdtempSync(join(tmpdir(), 'perfume-backup-'));
const data = join(folder, 'data');
let shared: TestApp;
let now = Date.UTC(2026, 4, 20);

beforeAll(async () => {
  mkdirSync(join(data, 'uploads'), { recursive: true });
  writeFileSync(join(data, 'secret'), 'the secret of this warehouse');
  writeFileSync(join(data, 'checkpoint-key'), '1'.repeat(64));
  writeFileSync(join(data, PICTURE), 'a picture');
  shared = await testApp('SQLite', { dataDir: data, databaseUrl: join(data, 'warehouse.sqlite') });
});

afterAll(async () => {
  await shared.close();
  rmSync(folder, { recursive: true, force: true });
});

const verify: Backup['verify'] = (db) => requireIntactLedger(db);

function makeBackup(more: Partial<Backup> = {}) {
  now += 1_000;
  return backUp({ from: data, into: join(folder, 'backups'), version: '1', now, verify, ...more });
}

function restoreInto(from: string, name: string, more: Partial<Restore> = {}) {
  return restore({ from, into: join(folder, name), replace: false, now, verify, ...more });
}

test('a backup contains database, pictures, secret and checkpoint key, and restores them unchanged', async () => {
  const person = await signedInAs(shared);
  const item = await anItem(person, { quantity: 31 });
  const { folder: made, manifest } = await makeBackup();
  expect(manifest.files.map(({ name }) => name)).toEqual(['warehouse.sqlite', 'secret', 'checkpoint-key', PICTURE]);
  expect(manifest.rows).toMatchObject({ items: 1, stock_movements: 1 });
  await restoreInto(made, 'restored');
  for (const name of ['secret', 'checkpoint-key', PICTURE]) {
    expect(readFileSync(join(folder, 'restored', name))).toEqual(readFileSync(join(data, name)));
  }
  const twin = await testApp('SQLite', { databaseUrl: join(folder, 'restored/warehouse.sqlite') });
  expect((await itemNow({ ...person, call: (await signedInAs(twin)).call }, item._id))?.quantity).toBe('31');
  await twin.close();
});

test('the program signs a long list of new entries first', async () => {
  const person = await signedInAs(shared);
  for (let made = 0; made < 550; made += 50) await Promise.all(Array.from({ length: 50 }, () => anItem(person)));
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, DATA_DIR: data };
  const program = join(import.meta.dirname, '../../programs/backup.ts');
  const into = join(folder, 'by-the-program');
  const { stdout } = await promisify(execFile)(process.execPath, [program, into], { env });
  expect(stdout).toContain('Backup made');
  expect(readdirSync(into)).toHaveLength(1);
});

test('goes on when the server removes an unused picture meanwhile', async () => {
  // A link to nowhere: its name is listed, but there is nothing to copy.
  const removed = join(data, `uploads/${'b'.repeat(40)}.webp`);
  symlinkSync(join(folder, 'nowhere'), removed);
  const { manifest } = await makeBackup();
  rmSync(removed);
  expect(manifest.files.map(({ name }) => name)).toEqual(['warehouse.sqlite', 'secret', 'checkpoint-key', PICTURE]);
});

test('refuses to overwrite an existing backup', async () => {
  const { folder: made } = await makeBackup();
  await expect(makeBackup({ now })).rejects.toThrow(`${made} already exists`);
});

test('a copy with a broken ledger does not become a backup', async () => {
  const broken: Backup['verify'] = () => Promise.reject(new Error('broken'));
  await expect(makeBackup({ verify: broken })).rejects.toThrow('broken');
  const left = readdirSync(join(folder, 'backups')).find((name) => name.endsWith('.unfinished')) ?? '';
  await expect(restoreInto(join(folder, 'backups', left), 'never')).rejects.toThrow('not a finished backup');
  expect(existsSync(join(folder, 'never/warehouse.sqlite'))).toBe(false);
});

test.each(['warehouse.sqlite', 'secret', PICTURE])(
  'refuses a backup whose %s was changed or is missing',
  async (name) => {
    const { folder: made } = await makeBackup();
    appendFileSync(join(made, name), 'x');
    await expect(restoreInto(made, 'never')).rejects.toThrow(`${name} in ${made} was changed after the backup`);
    rmSync(join(made, name));
    await expect(restoreInto(made, 'never')).rejects.toThrow(`${name} is missing`);
    expect(existsSync(join(folder, 'never/warehouse.sqlite'))).toBe(false);
  },
);

test.each(['../../etc/passwd', '/etc/passwd', 'uploads/../secret'])(
  'refuses a manifest that names %s',
  async (name) => {
    const { folder: made, manifest } = await makeBackup();
    const files = [...manifest.files, { name, bytes: 1, sha256: '' }];
    writeFileSync(join(made, 'manifest.json'), JSON.stringify({ ...manifest, files }));
    await expect(restoreInto(made, 'never')).rejects.toThrow('manifest.json is damaged');
  },
);

test('refuses a backup of a newer version', async () => {
  const { folder: made, manifest } = await makeBackup({
    verify: async (db) => requireIntactLedger(db),
  });
  const newer = new DatabaseSync(join(made, 'warehouse.sqlite'));
  newer.exec(`insert into migrations values ('9999-later', '', 0)`);
  newer.close();
  const { describeFile } = await import('./backup-folder.ts');
  const files = [await describeFile(made, 'warehouse.sqlite')];
  writeFileSync(join(made, 'manifest.json'), JSON.stringify({ ...manifest, files }));
  await expect(restoreInto(made, 'never')).rejects.toThrow('A newer version has migrated the database');
  expect(existsSync(join(folder, 'never/warehouse.sqlite'))).toBe(false);
});

test('keeps an existing database; with --replace it renames it, including what was only in its WAL', async () => {
  const { folder: made } = await makeBackup();
  const there = join(folder, 'there');
  const old = await testApp('SQLite');
  const item = await anItem(await signedInAs(old), { quantity: 77 });
  // Copies the files of a running server, as `kill -9` would leave them: the item is only in the WAL.
  for (const end of ['', '-wal']) cpSync(old.config.databaseUrl + end, join(there, `warehouse.sqlite${end}`));
  await old.close();
  writeFileSync(join(there, 'secret'), 'another secret');
  await expect(restoreInto(made, 'there')).rejects.toThrow('--replace');
  const { keptAside } = await restoreInto(made, 'there', { replace: true, replaceSecret: true });
  expect(keptAside).toHaveLength(2);
  const database = keptAside.find((name) => name.endsWith('.sqlite')) ?? '';
  const aside = new DatabaseSync(database);
  expect(aside.prepare('select id, quantity from items').all()).toEqual([{ id: item._id, quantity: 77 }]);
  aside.close();
  expect(readdirSync(there).filter((name) => /^warehouse\.sqlite-|restoring/.test(name))).toEqual([]);
  expect(readFileSync(join(there, 'secret'), 'utf8')).toBe('the secret of this warehouse');
});

test('switches webhooks off: what waited may have arrived since', async () => {
  const person = await signedInAs(shared);
  const body = { url: 'https://hooks.example/in', events: ['stock.changed'] };
  await person.call('POST', '/webhooks', { body });
  const { folder: made } = await makeBackup();
  await restoreInto(made, 'with webhooks');
  const db = new DatabaseSync(join(folder, 'with webhooks', 'warehouse.sqlite'), { readOnly: true });
  expect(db.prepare('select state, off_reason from webhooks').all()).toMatchObject([
    { state: 'off', off_reason: 'restored' },
  ]);
  db.close();
});

test('revives no session, API key, invitation, reset link, passkey or recovery code, keeps two-step login on, and keeps a secret that was changed since', async () => {
  const person = await signedInAs(shared);
  await person.call('POST', '/api/auth/request-password-reset', { body: { email: person.user.email } });
  await person.call('POST', '/api-keys', { body: { name: 'Scanner', scope: 'read' } });
  const { id } = person.user;
  await addPasskey(shared.db, {
    id: 'removed since',
    user_id: id,
    name: 'Phone',
    public_key: '',
    counter: 0,
    transports: '[]',
    created_at: now,
  });
  await startTwoStep(shared.db, id, 'encrypted');
  await confirmTwoStep(shared.db, id, { step: 1, now, codeHashes: ['used since'] });
  await inviteAddress(shared.db, 'invited@house.example', now);
  const invitation = {
    id: randomUUID(),
    house: SHARED_HOUSE,
    email: 'invited@house.example',
    email_key: 'invited@house.example',
    role: 'viewer',
    token_hash: randomUUID(),
    invited_by: id,
    created_at: 1,
    expires_at: Date.now() + 1_000_000,
  } as const;
  await shared.db.change((db) => db.insertInto('house_invitations').values(invitation).execute());
  const { folder: made } = await makeBackup();
  const there = join(folder, 'later');
  mkdirSync(there);
  writeFileSync(join(there, 'secret'), 'a secret made after the backup');
  writeFileSync(join(there, 'last-checkpoint'), 'newer than the backup');
  await restoreInto(made, 'later');
  expect(readFileSync(join(there, 'secret'), 'utf8')).toBe('a secret made after the backup');
  expect(existsSync(join(there, 'last-checkpoint'))).toBe(false);
  const rowsIn = (file: string) => {
    const db = new DatabaseSync(file, { readOnly: true });
    const has = (table: string) => db.prepare(`select 1 from ${table}`).get() !== undefined;
    const waysIn = ['sign_ins', 'verifications', 'api_keys', 'passkeys', 'recovery_codes', 'invitations'];
    const found = [...waysIn, 'house_invitations', 'two_step'].filter(has);
    db.close();
    return found;
  };
  expect(rowsIn(join(made, 'warehouse.sqlite'))).toHaveLength(8);
  expect(rowsIn(join(there, 'warehouse.sqlite'))).toEqual(['two_step']);
});

test('replaces nothing while another process reads the existing database', async () => {
  const { folder: made } = await makeBackup();
  const there = join(folder, 'read');
  const old = await testApp('SQLite');
  await anItem(await signedInAs(old), { quantity: 5 });
  for (const end of ['', '-wal']) cpSync(old.config.databaseUrl + end, join(there, `warehouse.sqlite${end}`));
  await old.close();
  const reader = new DatabaseSync(join(there, 'warehouse.sqlite'));
  reader.exec('begin; select count(*) from items');
  const before = readdirSync(there);
  const replacing = () => restoreInto(made, 'read', { replace: true, lockTimeoutMs: 0 });
  await expect(replacing()).rejects.toThrow('is being read');
  expect(readdirSync(there).filter((name) => !name.endsWith('.lock') && !name.startsWith('uploads'))).toEqual(before);
  expect(reader.prepare('select quantity from items').all()).toEqual([{ quantity: 5 }]);
  reader.close();
  await replacing();
});

test('writes nothing without enough free space', async () => {
  await expect(makeBackup({ into: '/proc/self' })).rejects.toThrow();
  const { requireFreeSpace } = await import('./backup-folder.ts');
  await expect(requireFreeSpace(folder, Number.MAX_SAFE_INTEGER)).rejects.toThrow('Not enough free space');
});
