import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { emailDomain, isEmail } from '@perfume/domain/email';
import * as z from 'zod/mini';

export type Config = ReturnType<typeof readConfig>;
export type Credentials = { clientId: string; clientSecret: string };
export type OidcProvider = Credentials & { issuer: string; name: string };

/** Reports every invalid variable in one message. */
export class ConfigError extends Error {
  constructor(faults: string[]) {
    super(`The configuration is invalid:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '::1']);
const MIN_SECRET_LENGTH = 32;

const email = z.optional(text('an email address', isEmail));
const secret = z.optional(
  text(`at least ${MIN_SECRET_LENGTH} characters`, (secret) => secret.length >= MIN_SECRET_LENGTH),
);

const locationVariables = {
  DATA_DIR: z._default(z.string(), 'data'),
  DATABASE_URL: z.optional(text('postgres://…', isPostgresUrl)),
  /** The role that owns the tables and migrates them. The role of DATABASE_URL then only reads and writes rows. */
  DATABASE_OWNER_URL: z.optional(text('postgres://…', isPostgresUrl)),
};

const checkpointVariables = {
  DATA_DIR: locationVariables.DATA_DIR,
  /** Signs the checkpoints of the ledger. Several servers use the same key. */
  CHECKPOINT_KEY: z.optional(
    text('64 hexadecimal digits, such as the output of openssl rand -hex 32', isCheckpointKey),
  ),
};

/** Every variable is optional, so each schema also accepts `undefined`. */
const variables = {
  ...locationVariables,
  ...checkpointVariables,
  HOST: z._default(z.string(), '127.0.0.1'),
  PORT: z._default(
    z.pipe(
      text('a port from 0 to 65535', (port) => /^[0-9]{1,5}$/.test(port) && Number(port) <= 65_535),
      z.transform(Number),
    ),
    8080,
  ),
  PUBLIC_URL: z.optional(z.pipe(text('an address such as https://stock.example.com', isOrigin), z.transform(toOrigin))),
  DEMO: z.optional(onOrOff()),
  /** Lets other devices on the same network, such as a phone, open the demo. Its password is public. */
  DEMO_ON_NETWORK: z._default(onOrOff(), 'off'),
  TRUST_PROXY: list('IP addresses or networks, separated by commas', (proxy) =>
    /^[0-9a-fA-F:.]+(?:\/[0-9]{1,3})?$/.test(proxy),
  ),
  CORS_ORIGINS: z.pipe(
    list('web origins, separated by commas', isOrigin),
    z.transform((origins) => origins.map(toOrigin)),
  ),
  /** Whose stock it is: everybody shares one, or each house has its own. */
  ACCESS: z._default(oneOf(['open', 'houses']), 'open'),
  /** Multiplies what one person may change and read in a short time. */
  BUDGET_FACTOR: z._default(
    z.pipe(
      text('a whole number from 1 to 1000000', (factor) => /^[1-9][0-9]{0,6}$/.test(factor) && Number(factor) <= 1e6),
      z.transform(Number),
    ),
    1,
  ),
  /** Who may open a new account. Existing accounts log in as before. */
  SIGN_UP: z._default(oneOf(['open', 'invited', 'closed']), 'open'),
  SIGN_UP_DOMAINS: z.pipe(
    list('email domains such as example.com, separated by commas', (domain) => isEmail(`someone@${domain}`)),
    z.transform((domains) => domains.map(emailDomain)),
  ),
  /** Hosts to which webhooks may send although their address is private, with http too. Without a port: any port. */
  WEBHOOK_PRIVATE_HOSTS: list('hosts such as erp.internal or 10.0.0.7:8443, separated by commas', isHost),
  LOG_LEVEL: z.optional(oneOf(['debug', 'info', 'warn', 'error', 'silent'])),
  AUTH_SECRET: secret,
  /** Still accepted, so that replacing AUTH_SECRET logs nobody out. Nothing new is signed with it. */
  AUTH_SECRET_PREVIOUS: secret,
  SUPPORT_EMAIL: email,
  STOCK_EMAIL: email,
  POLICY_EMAIL: email,
  BUGS_EMAIL: email,
  CONTACT_ADDRESS: z._default(z.string(), '12 Rue de la Fontaine, 06130 Grasse, France'),
  CONTACT_PLACE: z._default(
    z.pipe(text('latitude and longitude, such as 43.6589,6.9236', isPlace), z.transform(toPlace)),
    { lat: 43.6589, lon: 6.9236 },
  ),
  /** The URL template of a map tile server. Without it, the map shows only the bundled outlines. */
  MAP_TILES: z.optional(text('an https address with {z}, {x} and {y}', isTileUrl)),
  SMTP_URL: z.optional(text('smtp://… or smtps://…', (url) => /^smtps?:\/\//.test(url) && URL.canParse(url))),
  MAIL_FROM: z.optional(text('an address such as Perfume Warehouse <post@example.com>', isMailbox)),
  GITHUB_CLIENT_ID: z.optional(z.string()),
  GITHUB_CLIENT_SECRET: z.optional(z.string()),
  GOOGLE_CLIENT_ID: z.optional(z.string()),
  GOOGLE_CLIENT_SECRET: z.optional(z.string()),
  OIDC_ISSUER: z.optional(
    z.pipe(
      text('an https address', isIssuer),
      z.transform((url) => url.replace(/\/$/, '')),
    ),
  ),
  OIDC_CLIENT_ID: z.optional(z.string()),
  OIDC_CLIENT_SECRET: z.optional(z.string()),
  OIDC_NAME: z.optional(z.string()),
};

type Env = Record<string, string | undefined>;

/** Each of these may also come from a file: `AUTH_SECRET_FILE` names the file that contains `AUTH_SECRET`. */
const secretVariables = [
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'AUTH_SECRET',
  'AUTH_SECRET_PREVIOUS',
  'CHECKPOINT_KEY',
  'SMTP_URL',
  'GITHUB_CLIENT_SECRET',
  'GOOGLE_CLIENT_SECRET',
  'OIDC_CLIENT_SECRET',
] as const;

/** `file` is the SQLite file in the data folder, even when PostgreSQL is used. */
export type DataLocation = { dataDir: string; databaseUrl: string; file: string };

/** Reads only where the data is, for programs that need nothing else. Unlike `readConfig`, it creates no secret. */
export function readDataLocation(env: Env = process.env): DataLocation {
  const { values, faults } = parse(locationVariables, ...withSecretFiles(env, ['DATABASE_URL', 'DATABASE_OWNER_URL']));
  if (faults.length > 0) throw new ConfigError(faults);
  return locate(values);
}

/** Reads only how to send an email, and the origin for links in it. It creates no secret either. */
export function readMailSettings(env: Env = process.env) {
  const { SMTP_URL, MAIL_FROM, PUBLIC_URL, HOST, PORT } = variables;
  const shape = { SMTP_URL, MAIL_FROM, PUBLIC_URL, HOST, PORT };
  const { values, faults } = parse(shape, ...withSecretFiles(env, ['SMTP_URL']));
  if (faults.length > 0) throw new ConfigError(faults);
  return {
    mail: values.SMTP_URL && values.MAIL_FROM ? { smtpUrl: values.SMTP_URL, from: values.MAIL_FROM } : null,
    origin: originOf({ publicUrl: values.PUBLIC_URL ?? null, host: values.HOST, port: values.PORT }),
  };
}

/**
 * Returns the key that signs checkpoints. It has a variable and a file of its own, because AUTH_SECRET is replaced from
 * time to time, and old signatures stay. `create` writes the file if there is none; otherwise the result is null.
 */
export function readCheckpointKey(create: true, env?: Env): string;
export function readCheckpointKey(create: false, env?: Env): string | null;
export function readCheckpointKey(create: boolean, env: Env = process.env): string | null {
  const { values, faults } = parse(checkpointVariables, ...withSecretFiles(env, ['CHECKPOINT_KEY']));
  if (faults.length > 0) throw new ConfigError(faults);
  if (values.CHECKPOINT_KEY) return values.CHECKPOINT_KEY;
  const file = join(resolve(values.DATA_DIR), 'checkpoint-key');
  const key = readOrCreate(file, create);
  if (key === null || isCheckpointKey(key)) return key;
  throw new ConfigError([`${file} should contain 64 hexadecimal digits: restore it from a backup`]);
}

function readOrCreate(file: string, create: boolean): string | null {
  try {
    if (create) {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      if (!existsSync(file) || isEmptyFile(file)) createPrivateFile(file, randomBytes(32).toString('hex'));
    } else if (!existsSync(file)) return null;
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError([`${file} cannot be ${create ? 'read or created' : 'read'} (${code}): set CHECKPOINT_KEY`]);
  }
}

function isCheckpointKey(text: string): boolean {
  return /^[0-9a-fA-F]{64}$/.test(text);
}

function isEmptyFile(file: string): boolean {
  return readFileSync(file, 'utf8').trim() === '';
}

function locate(values: { DATA_DIR: string; DATABASE_URL?: string | undefined }): DataLocation {
  const dataDir = resolve(values.DATA_DIR);
  const file = join(dataDir, 'warehouse.sqlite');
  return { dataDir, databaseUrl: values.DATABASE_URL ?? file, file };
}

/**
 * Returns the owner's address and removes it from the environment: once the database is migrated, nothing needs it.
 * `readConfig` and `readDataLocation` validate it.
 */
export function takeDatabaseOwnerUrl(env: Env = process.env): string | null {
  const [{ DATABASE_OWNER_URL: url }] = withSecretFiles(env, ['DATABASE_OWNER_URL']);
  delete env.DATABASE_OWNER_URL;
  delete env.DATABASE_OWNER_URL_FILE;
  return url?.trim() || null;
}

/** Reads and validates the whole configuration. Nothing else in the server reads environment variables. */
export function readConfig(given: Env = process.env) {
  const [env, unreadable] = withSecretFiles(given, secretVariables);
  const { values, faults } = parse(variables, env, unreadable);
  const isSet = (name: keyof typeof variables) => Boolean(env[name]?.trim());
  const {
    HOST: host,
    PUBLIC_URL: publicUrl = null,
    SMTP_URL: smtpUrl,
    MAIL_FROM: from,
    SUPPORT_EMAIL: support,
  } = values;
  const demo = values.DEMO ? values.DEMO === 'on' : publicUrl === null;

  for (const names of [
    ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
    ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
    ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
  ] as const) {
    const missing = names.filter((name) => !isSet(name));
    if (missing.length === names.length) continue;
    for (const name of missing) faults.push(`${name} is missing: set ${names.join(', ')} together`);
  }
  if (isSet('OIDC_NAME') && !isSet('OIDC_ISSUER')) faults.push('OIDC_NAME is set, but OIDC_ISSUER is missing');
  if (!demo && !isSet('SMTP_URL'))
    faults.push('SMTP_URL is needed to send email, for example smtp://user:password@host:587');
  if (isSet('SMTP_URL') && !isSet('MAIL_FROM'))
    faults.push('MAIL_FROM (the sender of the emails) is needed when SMTP_URL is set');
  if (isSet('MAIL_FROM') && !isSet('SMTP_URL') && demo) faults.push('MAIL_FROM is set, but SMTP_URL is not');
  const isPublic = publicUrl !== null && !LOOPBACK.has(new URL(publicUrl).hostname);
  if (!demo && isPublic && publicUrl.startsWith('http:'))
    faults.push('PUBLIC_URL should begin with https://, so that passwords and logins are encrypted');
  if (!demo && publicUrl === null && !LOOPBACK.has(host))
    faults.push(`HOST is ${host}, so other machines can connect: set PUBLIC_URL to the https:// address people use`);
  if (demo && isPublic)
    faults.push(
      'DEMO is on, but the demo cannot run at a public address, because everybody knows its password: set DEMO=off',
    );
  if (demo && !LOOPBACK.has(host) && values.DEMO_ON_NETWORK === 'off')
    faults.push(
      `HOST is ${host}, but the demo listens only on this machine: set PUBLIC_URL for production, or DEMO_ON_NETWORK=on to show the demo to everyone on your network`,
    );
  // Without this, an upgraded server would let more people change items than before.
  if (env.CHANGES_BY?.trim() && env.CHANGES_BY.trim() !== 'anyone')
    faults.push(
      'CHANGES_BY no longer exists: remove it, and set ACCESS=houses to give each business a stock of its own',
    );
  if (isSet('DATABASE_OWNER_URL') && !isSet('DATABASE_URL'))
    faults.push('DATABASE_OWNER_URL is set, but DATABASE_URL is not: set it to the role of the server');
  if (isSet('DATABASE_URL') && publicUrl && !isSet('AUTH_SECRET'))
    faults.push('AUTH_SECRET is required when several servers share a database: use the same long random text on each');
  if (isSet('AUTH_SECRET_PREVIOUS') && !isSet('AUTH_SECRET'))
    faults.push('AUTH_SECRET_PREVIOUS is set, but AUTH_SECRET, the new secret, is missing');
  if (values.AUTH_SECRET_PREVIOUS && values.AUTH_SECRET_PREVIOUS === values.AUTH_SECRET)
    faults.push('AUTH_SECRET_PREVIOUS should be the secret before AUTH_SECRET, but they are the same');
  if (faults.length > 0) throw new ConfigError(faults);

  const { dataDir, databaseUrl } = locate(values);
  const oidc = credentials(values.OIDC_CLIENT_ID, values.OIDC_CLIENT_SECRET);
  const issuer = values.OIDC_ISSUER;
  return {
    host,
    port: values.PORT,
    dataDir,
    databaseUrl,
    publicUrl,
    secret: values.AUTH_SECRET ?? loadOrCreateSecret(dataDir),
    previousSecret: values.AUTH_SECRET_PREVIOUS ?? null,
    demo,
    trustProxy: values.TRUST_PROXY,
    corsOrigins: values.CORS_ORIGINS,
    access: values.ACCESS,
    budgetFactor: values.BUDGET_FACTOR,
    signUp: values.SIGN_UP,
    signUpDomains: values.SIGN_UP_DOMAINS,
    webhookPrivateHosts: values.WEBHOOK_PRIVATE_HOSTS,
    mail: smtpUrl && from ? { smtpUrl, from } : null,
    providers: {
      github: credentials(values.GITHUB_CLIENT_ID, values.GITHUB_CLIENT_SECRET),
      google: credentials(values.GOOGLE_CLIENT_ID, values.GOOGLE_CLIENT_SECRET),
      oidc: oidc && issuer ? { ...oidc, issuer, name: values.OIDC_NAME ?? new URL(issuer).hostname } : null,
    },
    contact: {
      address: values.CONTACT_ADDRESS,
      ...values.CONTACT_PLACE,
      technical: support ?? 'support@perfume.example',
      stock: values.STOCK_EMAIL ?? support ?? 'stock@perfume.example',
      policy: values.POLICY_EMAIL ?? support ?? 'policy@perfume.example',
      bugs: values.BUGS_EMAIL ?? support ?? 'bugs@perfume.example',
    },
    mapTiles: values.MAP_TILES ?? null,
    logLevel: values.LOG_LEVEL ?? (demo ? 'warn' : 'info'),
  };
}

/** Returns the origin for links and redirects: the configured one, or where the server listens. */
export function originOf({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  if (publicUrl) return publicUrl;
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return new URL(`http://${name.includes(':') ? `[${name}]` : name}:${port}`).origin;
}

/** Returns the environment with the content of the files that `…_FILE` names, and what is wrong with these. */
function withSecretFiles(env: Env, names: readonly (typeof secretVariables)[number][]): [Env, faults: string[]] {
  const whole = { ...env };
  const faults: string[] = [];
  for (const name of names) {
    const file = env[`${name}_FILE`]?.trim();
    if (!file) continue;
    if (env[name]?.trim()) faults.push(`${name} and ${name}_FILE are both set: set one of them`);
    else
      try {
        whole[name] = readFileSync(file, 'utf8');
        // Without a fault, an empty file would mean the default, such as an empty SQLite database instead of PostgreSQL.
        if (!whole[name]?.trim() && name !== 'AUTH_SECRET_PREVIOUS')
          faults.push(`${name}_FILE names ${file}, which is empty`);
      } catch (error) {
        faults.push(`${name}_FILE names ${file}, which cannot be read (${(error as NodeJS.ErrnoException).code})`);
      }
  }
  return [whole, faults];
}

/**
 * Parses the variables. An invalid one is reported and then treated as not set, so that all of them are reported
 * together.
 */
function parse<Shape extends Record<string, z.ZodMiniType>>(shape: Shape, env: Env, unreadable: string[] = []) {
  const faults = [...unreadable];
  const entries = Object.entries(shape).map(([name, schema]) => {
    const parsed = schema.safeParse(env[name]?.trim() || undefined);
    if (parsed.success) return [name, parsed.data];
    faults.push(`${name} ${parsed.error.issues[0]?.message}`);
    return [name, schema.parse(undefined)];
  });
  return { values: Object.fromEntries(entries) as { [Name in keyof Shape]: z.output<Shape[Name]> }, faults };
}

function text(expected: string, isValid: (text: string) => boolean) {
  return z.string().check(z.refine(isValid, `should be ${expected}`));
}

function oneOf<const Choices extends readonly string[]>(choices: Choices) {
  return z.enum(choices, `should be one of ${choices.join(', ')}`);
}

function onOrOff() {
  return z.enum(['on', 'off'], 'should be "on" or "off"');
}

function list(expected: string, isValid: (entry: string) => boolean) {
  const split = (text: string) => text.split(',').map((entry) => entry.trim());
  return z._default(
    z.pipe(
      text(expected, (text) => split(text).every(isValid)),
      z.transform(split),
    ),
    [],
  );
}

function isPostgresUrl(text: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text);
}

function credentials(clientId: string | undefined, clientSecret: string | undefined): Credentials | null {
  return clientId && clientSecret ? { clientId, clientSecret } : null;
}

function isOrigin(text: string): boolean {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  return url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '';
}

/** Accepts a host with or without a port, as the address of a webhook has it. */
function isHost(text: string): boolean {
  return (
    URL.canParse(`https://${text}`) && ['', ':443'].some((port) => new URL(`https://${text}`).host + port === text)
  );
}

function toOrigin(text: string): string {
  return new URL(text).origin;
}

/** Accepts `post@example.com` and `Name <post@example.com>`. */
function isMailbox(text: string): boolean {
  const address = /^[^<>\r\n]*<([^<>]+)>$/.exec(text)?.[1] ?? text;
  return isEmail(address) && !/[\r\n]/.test(text);
}

/** Accepts https addresses. Plain http is accepted only on this machine, to try out a provider. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash } = new URL(text);
  const isEncrypted = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname));
  return isEncrypted && search === '' && hash === '';
}

function toPlace(text: string): { lat: number; lon: number } {
  const [lat = Number.NaN, lon = Number.NaN] = text.split(',').map(Number);
  return { lat, lon };
}

function isPlace(text: string): boolean {
  const { lat, lon } = toPlace(text);
  return text.split(',').length === 2 && Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
}

function isTileUrl(text: string): boolean {
  const isAddress = /^https:\/\//.test(text) && URL.canParse(text.replace(/[{}]/g, ''));
  return isAddress && ['{z}', '{x}', '{y}'].every((part) => text.includes(part));
}

/**
 * Reads the secret from its file, which is created on the first start. A new secret on every start would log everyone
 * out.
 */
function loadOrCreateSecret(dataDir: string): string {
  const file = join(dataDir, 'secret');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  // A full disk or a power cut can leave an empty file. Signing with an empty secret would be insecure.
  if (!existsSync(file) || isEmptyFile(file)) createPrivateFile(file, randomBytes(32).toString('base64url'));
  const secret = readFileSync(file, 'utf8').trim();
  if (secret.length >= MIN_SECRET_LENGTH) return secret;
  throw new ConfigError([`${file} is incomplete: restore it from a backup, or delete it, which logs everyone out`]);
}

/**
 * Writes to a temporary file first, so that the file with the final name is always complete. Two servers
 * that start together both use the secret that gets the name first.
 */
export function createPrivateFile(file: string, content: string): void {
  const draft = `${file}.${randomUUID()}`;
  try {
    writeFileSync(draft, content, { mode: 0o600, flag: 'wx', flush: true });
    if (existsSync(file)) renameSync(draft, file);
    else renameIfFree(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

function renameIfFree(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    // EEXIST means that another server was first. Otherwise the file system may not support hard links.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') renameSync(draft, file);
  }
}
