import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCheckpointKey, readConfig, readDataLocation, takeDatabaseOwnerUrl } from './config.ts';

const DATA_DIR = mkdtempSync(join(tmpdir(), 'perfume-config-'));
const read = (env: Record<string, string>) => readConfig({ DATA_DIR, ...env });

test('without any variable runs a demo on this machine only', () => {
  expect(read({})).toMatchObject({ host: '127.0.0.1', port: 8080, demo: true, publicUrl: null });
  expect(read({}).databaseUrl).toBe(join(DATA_DIR, 'warehouse.sqlite'));
});

const MAIL = { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'Perfume Warehouse <post@example.com>' };

test('PUBLIC_URL turns the demo off, unless it is an address of this machine and DEMO=on', () => {
  expect(read({ PUBLIC_URL: 'https://stock.example.com', HOST: '0.0.0.0', ...MAIL })).toMatchObject({
    demo: false,
    publicUrl: 'https://stock.example.com',
  });
  expect(read({ PUBLIC_URL: 'http://127.0.0.1:8080', DEMO: 'on' }).demo).toBe(true);
});

test('names every wrong variable at once', () => {
  const wrong = {
    PORT: '99999',
    PUBLIC_URL: 'ftp://x',
    DEMO: 'yes',
    DEMO_ON_NETWORK: 'yes',
    AUTH_SECRET: 'short',
    AUTH_SECRET_PREVIOUS: 'short too',
    CORS_ORIGINS: 'a,b',
    ACCESS: 'admins',
    BUDGET_FACTOR: '0',
    SIGN_UP: 'friends',
    SIGN_UP_DOMAINS: 'example.com,@example.org',
    TRUST_PROXY: 'any',
    DATABASE_URL: 'mysql://x',
    DATABASE_OWNER_URL: 'mysql://x',
    LOG_LEVEL: 'loud',
    SMTP_URL: 'mail.example.com',
    MAIL_FROM: 'nobody',
    OIDC_ISSUER: 'http://id.example.com',
    OIDC_CLIENT_SECRET: 'alone',
    GITHUB_CLIENT_ID: 'half',
    GOOGLE_CLIENT_SECRET: 'half',
  };
  for (const name of Object.keys(wrong)) expect(() => read(wrong)).toThrow(name);
});

test('requires https for a public address', () => {
  expect(() => read({ PUBLIC_URL: 'http://stock.example.com', ...MAIL })).toThrow('https://');
  expect(read({ PUBLIC_URL: 'http://127.0.0.1:8080', ...MAIL }).publicUrl).toBe('http://127.0.0.1:8080');
});

test('lets every logged-in user change everything, unless ACCESS=houses', () => {
  expect(read({}).access).toBe('open');
  expect(read({ ACCESS: 'houses' }).access).toBe('houses');
  expect(() => read({ CHANGES_BY: 'owners' })).toThrow('set ACCESS=houses');
  expect(read({ CHANGES_BY: 'anyone' }).access).toBe('open');
});

test('lets webhooks send to private hosts only if they are listed', () => {
  expect(read({}).webhookPrivateHosts).toEqual([]);
  const hosts = ['erp.internal', '10.0.0.7:8443', 'erp.internal:443', '[fd00::1]:9000'];
  expect(read({ WEBHOOK_PRIVATE_HOSTS: hosts.join(', ') }).webhookPrivateHosts).toEqual(hosts);
  for (const wrong of ['https://erp.internal', 'erp.internal/in', 'user@erp.internal', 'erp.internal:x'])
    expect(() => read({ WEBHOOK_PRIVATE_HOSTS: wrong })).toThrow('WEBHOOK_PRIVATE_HOSTS should be hosts');
});

test('lets everyone sign up, unless SIGN_UP or SIGN_UP_DOMAINS says otherwise', () => {
  expect(read({})).toMatchObject({ signUp: 'open', signUpDomains: [] });
  expect(read({ SIGN_UP: 'invited', SIGN_UP_DOMAINS: 'Example.com, example.org' })).toMatchObject({
    signUp: 'invited',
    signUpDomains: ['example.com', 'example.org'],
  });
  expect(() => read({ SIGN_UP: 'friends' })).toThrow('SIGN_UP should be one of open, invited, closed');
  for (const wrong of ['mia@example.com', '*.example.com', 'example', 'example.com,'])
    expect(() => read({ SIGN_UP_DOMAINS: wrong })).toThrow('SIGN_UP_DOMAINS should be email domains');
});

test('refuses a demo at a public address', () => {
  expect(() => read({ PUBLIC_URL: 'https://stock.example.com', DEMO: 'on' })).toThrow('DEMO is on');
  expect(() => read({ PUBLIC_URL: 'https://stock.example.com', DEMO: 'on', DEMO_ON_NETWORK: 'on' })).toThrow('DEMO');
});

test('shows the demo to the network only with DEMO_ON_NETWORK=on', () => {
  expect(() => read({ HOST: '0.0.0.0' })).toThrow('DEMO_ON_NETWORK=on');
  expect(() => read({ HOST: '0.0.0.0', DEMO: 'on' })).toThrow('DEMO_ON_NETWORK=on');
  expect(read({ HOST: '0.0.0.0', DEMO_ON_NETWORK: 'on' })).toMatchObject({ host: '0.0.0.0', demo: true });
});

test('refuses production on the network without an https address', () => {
  expect(() => read({ HOST: '0.0.0.0', DEMO: 'off', ...MAIL })).toThrow('set PUBLIC_URL');
  expect(read({ DEMO: 'off', ...MAIL }).demo).toBe(false);
});

test('requires AUTH_SECRET for a public server on PostgreSQL', () => {
  expect(() => read({ DATABASE_URL: 'postgres://db/x', PUBLIC_URL: 'https://a.example' })).toThrow('AUTH_SECRET');
});

test('accepts a previous secret only beside a new one that differs', () => {
  const [now, before] = ['n'.repeat(32), 'b'.repeat(32)];
  const both = { AUTH_SECRET: now, AUTH_SECRET_PREVIOUS: before };
  expect(read(both)).toMatchObject({ secret: now, previousSecret: before });
  expect(read({ AUTH_SECRET: now, AUTH_SECRET_PREVIOUS: ' ' }).previousSecret).toBeNull();
  expect(() => read({ ...both, AUTH_SECRET_PREVIOUS: now })).toThrow('they are the same');
  expect(() => read({ AUTH_SECRET_PREVIOUS: before })).toThrow('AUTH_SECRET, the new secret, is missing');
});

test('reads every secret from a file instead, and refuses a file that is missing or empty, or a secret given twice', () => {
  const folder = mkdtempSync(join(tmpdir(), 'perfume-secrets-'));
  const inFile = (name: string, content: string) => {
    writeFileSync(join(folder, name), `${content}\n`);
    return { [`${name}_FILE`]: join(folder, name) };
  };
  const [secret, previous] = ['a'.repeat(40), 'b'.repeat(40)];
  const files = {
    ...inFile('DATABASE_URL', 'postgres://app:x@db/x'),
    ...inFile('DATABASE_OWNER_URL', 'postgres://owner:x@db/x'),
    ...inFile('AUTH_SECRET', secret),
    ...inFile('AUTH_SECRET_PREVIOUS', previous),
    ...inFile('SMTP_URL', 'smtp://user:x@mail.example.com'),
    ...inFile('GITHUB_CLIENT_SECRET', 'github'),
    ...inFile('GOOGLE_CLIENT_SECRET', 'google'),
    ...inFile('OIDC_CLIENT_SECRET', 'oidc'),
  };
  const others = {
    PUBLIC_URL: 'https://stock.example.com',
    MAIL_FROM: 'post@example.com',
    GITHUB_CLIENT_ID: 'x',
    GOOGLE_CLIENT_ID: 'x',
    OIDC_CLIENT_ID: 'x',
    OIDC_ISSUER: 'https://id.example.com',
  };
  expect(read({ ...files, ...others })).toMatchObject({
    databaseUrl: 'postgres://app:x@db/x',
    secret,
    previousSecret: previous,
    mail: { smtpUrl: 'smtp://user:x@mail.example.com' },
    providers: {
      github: { clientSecret: 'github' },
      google: { clientSecret: 'google' },
      oidc: { clientSecret: 'oidc' },
    },
  });
  expect(readDataLocation({ DATA_DIR, ...files }).databaseUrl).toBe('postgres://app:x@db/x');
  const owner = inFile('DATABASE_OWNER_URL', 'postgres://owner:x@db/x');
  expect([takeDatabaseOwnerUrl(owner), owner]).toEqual(['postgres://owner:x@db/x', {}]);
  expect(read(inFile('AUTH_SECRET_PREVIOUS', '')).previousSecret).toBeNull();
  expect(() => read({ ...files, ...others, AUTH_SECRET: secret })).toThrow(
    'AUTH_SECRET and AUTH_SECRET_FILE are both set',
  );
  expect(() => read({ AUTH_SECRET_FILE: join(folder, 'none') })).toThrow('cannot be read (ENOENT)');
  for (const name of ['DATABASE_URL', 'SMTP_URL', 'CHECKPOINT_KEY'])
    expect(() => read({ ...files, ...others, ...inFile(name, ' ') })).toThrow(
      `${name}_FILE names ${join(folder, name)}, which is empty`,
    );
  expect(() => readDataLocation({ DATA_DIR, ...inFile('DATABASE_URL', '') })).toThrow('which is empty');
  expect(() => read(inFile('AUTH_SECRET', 'short'))).toThrow('AUTH_SECRET should be at least 32 characters');
});

test('removes the address of the database owner from the environment', () => {
  const env = { DATABASE_OWNER_URL: 'postgres://owner@db/x' };
  expect(() => read(env)).toThrow('DATABASE_URL is not');
  expect(read({ ...env, DATABASE_URL: 'postgres://app@db/x' })).not.toHaveProperty('databaseOwnerUrl');
  expect([takeDatabaseOwnerUrl(env), takeDatabaseOwnerUrl(env), env]).toEqual(['postgres://owner@db/x', null, {}]);
});

test('replaces an empty secret file and refuses a shortened one', () => {
  const place = { DATA_DIR: mkdtempSync(join(tmpdir(), 'perfume-config-')) };
  const file = join(place.DATA_DIR, 'secret');
  writeFileSync(file, '');
  const { secret } = read(place);
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(readdirSync(place.DATA_DIR)).toEqual(['secret']);
  writeFileSync(file, secret.slice(0, 10));
  expect(() => read(place)).toThrow('is incomplete');
});

test('creates the secret once, readable only by its owner', () => {
  expect(read({}).secret).toBe(read({}).secret);
  expect(read({}).secret).toBe(readFileSync(join(DATA_DIR, 'secret'), 'utf8'));
  expect(statSync(join(DATA_DIR, 'secret')).mode & 0o777).toBe(0o600);
});

test('creates the key of the checkpoints once, or takes it from a variable or a file', () => {
  const place = { DATA_DIR: mkdtempSync(join(tmpdir(), 'perfume-config-')) };
  const file = join(place.DATA_DIR, 'checkpoint-key');
  expect(readCheckpointKey(false, place)).toBeNull();
  const created = readCheckpointKey(true, place);
  expect([created, readCheckpointKey(true, place)]).toEqual([readFileSync(file, 'utf8'), created]);
  expect([statSync(file).mode & 0o777, readCheckpointKey(false, place)]).toEqual([0o600, created]);
  const other = 'a1'.repeat(32);
  expect(readCheckpointKey(false, { ...place, CHECKPOINT_KEY: other })).toBe(other);
  writeFileSync(join(place.DATA_DIR, 'mine'), `${other}\n`);
  expect(readCheckpointKey(true, { ...place, CHECKPOINT_KEY_FILE: join(place.DATA_DIR, 'mine') })).toBe(other);
  expect(() => readCheckpointKey(true, { ...place, CHECKPOINT_KEY: 'short' })).toThrow('64 hexadecimal digits');
  writeFileSync(file, created.slice(1));
  expect(() => readCheckpointKey(true, place)).toThrow('restore it from a backup');
  expect(() => readCheckpointKey(true, { DATA_DIR: file })).toThrow('set CHECKPOINT_KEY');
});

test('refuses production without email, because nobody could verify an address', () => {
  expect(() => read({ PUBLIC_URL: 'https://a.example' })).toThrow('SMTP_URL');
  expect(() => read({ PUBLIC_URL: 'https://a.example', SMTP_URL: 'smtp://mail' })).toThrow('MAIL_FROM');
  expect(read({}).mail).toBeNull();
});

test('refuses incomplete credentials and names what is missing', () => {
  expect(() => read({ GITHUB_CLIENT_ID: 'a' })).toThrow('GITHUB_CLIENT_SECRET is missing');
  expect(() => read({ GOOGLE_CLIENT_SECRET: 'a' })).toThrow('GOOGLE_CLIENT_ID is missing');
  expect(() => read({ OIDC_ISSUER: 'https://id.example' })).toThrow('OIDC_CLIENT_ID is missing');
  expect(() => read({ OIDC_NAME: 'House' })).toThrow('OIDC_NAME');
  const whole = read({ GITHUB_CLIENT_ID: 'a', GITHUB_CLIENT_SECRET: 'b' });
  expect(whole.providers).toEqual({ github: { clientId: 'a', clientSecret: 'b' }, google: null, oidc: null });
});
