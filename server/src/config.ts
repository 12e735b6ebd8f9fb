import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isEmail } from '@perfume/domain/email';

export type Config = {
  host: string;
  port: number;
  dataDir: string;
  databaseUrl: string;
  publicUrl: string | null;
  secret: string;
  demo: boolean;
  trustProxy: string[];
  corsOrigins: string[];
  /** Who changes an item: whoever is signed in, or the one whose address stands on it. */
  changesBy: 'anyone' | 'owners';
  mail: { smtpUrl: string; from: string } | null;
  /** Credentials at other providers; what is null is not offered, except by the demo's stand-in. */
  providers: { github: Credentials | null; google: Credentials | null; oidc: OidcProvider | null };
  /** Where the shop is and who answers, as the site shows it. */
  contact: Contact;
  /** A tile server for the map, as `https://host/{z}/{x}/{y}.png`; null draws the bundled outlines alone. */
  mapTiles: string | null;
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
};

export type Contact = {
  address: string;
  lat: number;
  lon: number;
  technical: string;
  stock: string;
  policy: string;
  bugs: string;
};

export type Credentials = { clientId: string; clientSecret: string };
export type OidcProvider = Credentials & { issuer: string; name: string };

/** Names every wrong variable at once, so that one look is enough. */
export class ConfigError extends Error {
  constructor(faults: string[]) {
    super(`The configuration is not right:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '::1']);
const CHANGES_BY = ['anyone', 'owners'] as const;
const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** `file` is the data folder's own database, whichever is used. */
export type DataLocation = Pick<Config, 'dataDir' | 'databaseUrl'> & { file: string };

/** Where things are kept, for programs that need to know nothing else. Makes no secret. */
export function readDataLocation(env: Record<string, string | undefined> = process.env): DataLocation {
  const dataDir = resolve(env.DATA_DIR?.trim() || 'data');
  const url = env.DATABASE_URL?.trim() || null;
  const file = join(dataDir, DATABASE_FILE);
  const databaseUrl = url === null ? file : parseDatabaseUrl(url);
  if (databaseUrl === null) throw new ConfigError(['DATABASE_URL should be postgres://…']);
  return { dataDir, databaseUrl, file };
}

const DATABASE_FILE = 'warehouse.sqlite';

/** The only reader of the environment. */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const faults: string[] = [];
  const value = (name: string) => env[name]?.trim() || null;
  function checked<T>(name: string, parse: (text: string) => T | null, expected: string, missing: T): T {
    const text = value(name);
    if (text === null) return missing;
    const parsed = parse(text);
    if (parsed === null) faults.push(`${name} should be ${expected}`);
    return parsed ?? missing;
  }

  const host = value('HOST') ?? '127.0.0.1';
  const port = checked('PORT', parsePort, 'a port from 0 to 65535', 8080);
  const dataDir = resolve(value('DATA_DIR') ?? 'data');
  const databaseUrl = checked('DATABASE_URL', parseDatabaseUrl, 'postgres://…', join(dataDir, DATABASE_FILE));
  const publicUrl = checked('PUBLIC_URL', parseOrigin, 'an address such as https://stock.example.com', null);
  const demo = checked('DEMO', (text) => ({ on: true, off: false })[text] ?? null, '"on" or "off"', publicUrl === null);
  const trustProxy = checked('TRUST_PROXY', parseProxies, 'IP addresses or networks, separated by commas', []);
  const corsOrigins = checked('CORS_ORIGINS', parseOrigins, 'web origins, separated by commas', []);
  const changesBy = checked<Config['changesBy']>(
    'CHANGES_BY',
    (text) => CHANGES_BY.find((choice) => choice === text) ?? null,
    `one of ${CHANGES_BY.join(', ')}`,
    'anyone',
  );
  const logLevel = checked<Config['logLevel']>(
    'LOG_LEVEL',
    parseLogLevel,
    `one of ${LOG_LEVELS.join(', ')}`,
    demo ? 'warn' : 'info',
  );

  const mailbox = (name: string, missing: string) =>
    checked(name, (text) => (isEmail(text) ? text : null), 'an e-mail address', missing);
  const support = mailbox('SUPPORT_EMAIL', 'support@perfume.example');
  const place = checked('CONTACT_PLACE', parsePlace, 'latitude and longitude, such as 43.6589,6.9236', {
    lat: 43.6589,
    lon: 6.9236,
  });
  const contact = {
    address: value('CONTACT_ADDRESS') ?? '12 Rue de la Fontaine, 06130 Grasse, France',
    ...place,
    technical: support,
    stock: mailbox('STOCK_EMAIL', value('SUPPORT_EMAIL') ? support : 'stock@perfume.example'),
    policy: mailbox('POLICY_EMAIL', value('SUPPORT_EMAIL') ? support : 'policy@perfume.example'),
    bugs: mailbox('BUGS_EMAIL', value('SUPPORT_EMAIL') ? support : 'bugs@perfume.example'),
  };
  const mapTiles = checked('MAP_TILES', parseTiles, 'an https address with {z}, {x} and {y}', null);

  const smtpUrl = checked('SMTP_URL', parseSmtpUrl, 'smtp://… or smtps://…', null);
  const from = checked('MAIL_FROM', parseMailbox, 'an address such as Perfume Warehouse <post@example.com>', null);
  /** All of them or none: half a set is a mistake, not a wish. */
  function together<Name extends string>(...names: Name[]): Record<Name, string> | null {
    const missing = names.filter((name) => value(name) === null);
    if (missing.length === names.length) return null;
    for (const name of missing) faults.push(`${name} is missing; ${names.join(', ')} go together`);
    return Object.fromEntries(names.map((name) => [name, value(name) ?? ''])) as Record<Name, string>;
  }
  const github = together('GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET');
  const google = together('GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET');
  const oidc = together('OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET');
  const issuer = checked('OIDC_ISSUER', parseIssuer, 'an https address', '');
  if (value('OIDC_NAME') && !oidc) faults.push('OIDC_NAME names a provider that is not set: OIDC_ISSUER is missing');
  if (!demo && !value('SMTP_URL')) faults.push('SMTP_URL is needed to send mail: smtp://user:password@host:587');
  if (value('SMTP_URL') && !value('MAIL_FROM')) faults.push('MAIL_FROM is needed with SMTP_URL: who the mail is from');
  if (value('MAIL_FROM') && !value('SMTP_URL') && demo) faults.push('MAIL_FROM is set, but SMTP_URL is not');

  if (!demo && publicUrl?.startsWith('http:') && !LOOPBACK.has(new URL(publicUrl).hostname)) {
    faults.push('PUBLIC_URL should begin with https://: passwords and sign-ins do not travel in the clear');
  }
  if (demo && !LOOPBACK.has(host) && value('DEMO') !== 'on') {
    faults.push(
      `HOST is ${host}, but demo mode listens on this machine only: set PUBLIC_URL, or DEMO=on if you mean it`,
    );
  }
  if (value('DATABASE_URL') && publicUrl && !value('AUTH_SECRET')) {
    faults.push('AUTH_SECRET is needed when several servers can share a database: the same long random text on each');
  }
  const secret = checked(
    'AUTH_SECRET',
    (text) => (text.length >= SHORTEST_SECRET ? text : null),
    `at least ${SHORTEST_SECRET} characters`,
    null,
  );
  if (faults.length > 0) throw new ConfigError(faults);
  return {
    host,
    port,
    dataDir,
    databaseUrl,
    publicUrl,
    secret: secret ?? keptSecret(dataDir),
    demo,
    trustProxy,
    corsOrigins,
    changesBy,
    mail: smtpUrl && from ? { smtpUrl, from } : null,
    providers: {
      github: github && { clientId: github.GITHUB_CLIENT_ID, clientSecret: github.GITHUB_CLIENT_SECRET },
      google: google && { clientId: google.GOOGLE_CLIENT_ID, clientSecret: google.GOOGLE_CLIENT_SECRET },
      oidc: oidc && {
        issuer,
        clientId: oidc.OIDC_CLIENT_ID,
        clientSecret: oidc.OIDC_CLIENT_SECRET,
        name: value('OIDC_NAME') ?? new URL(issuer).hostname,
      },
    },
    contact,
    mapTiles,
    logLevel,
  };
}

const SHORTEST_SECRET = 32;

/** Made once and kept: a new secret would end every sign-in. */
function keptSecret(dataDir: string): string {
  const file = join(dataDir, 'secret');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  // An empty one was cut off as it was made, by a full disk or a power cut: it would sign with what everybody knows.
  if (!existsSync(file) || readFileSync(file, 'utf8').trim() === '') makeSecret(file);
  const secret = readFileSync(file, 'utf8').trim();
  if (secret.length >= SHORTEST_SECRET) return secret;
  throw new ConfigError([`${file} is cut off: put it back from a backup, or delete it, and everybody signs in anew`]);
}

/** On disk as a whole before it has its name. Of two servers that start at once, both read the one that was first. */
function makeSecret(file: string): void {
  const draft = `${file}.${randomUUID()}`;
  try {
    writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx', flush: true });
    if (existsSync(file)) renameSync(draft, file);
    else nameIfFree(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

function nameIfFree(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    // Not every file system has a second name for a file.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') renameSync(draft, file);
  }
}

function parsePort(text: string): number | null {
  return /^[0-9]{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : null;
}

function parseDatabaseUrl(text: string): string | null {
  return /^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text) ? text : null;
}

function parseOrigin(text: string): string | null {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '' ? url.origin : null;
}

function parseOrigins(text: string): string[] | null {
  const origins = text.split(',').map((origin) => parseOrigin(origin.trim()));
  return origins.includes(null) ? null : (origins as string[]);
}

function parseProxies(text: string): string[] | null {
  const proxies = text.split(',').map((proxy) => proxy.trim());
  return proxies.every((proxy) => /^[0-9a-fA-F:.]+(?:\/[0-9]{1,3})?$/.test(proxy)) ? proxies : null;
}

function parseSmtpUrl(text: string): string | null {
  return /^smtps?:\/\//.test(text) && URL.canParse(text) ? text : null;
}

/** `post@example.com`, or that with a name in front. */
function parseMailbox(text: string): string | null {
  const address = /^[^<>\r\n]*<([^<>]+)>$/.exec(text)?.[1] ?? text;
  return isEmail(address) && !/[\r\n]/.test(text) ? text : null;
}

/** Plain http only on this machine, for trying it out. */
function parseIssuer(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, hostname, search, hash } = new URL(text);
  const isFit = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname));
  return isFit && search === '' && hash === '' ? text.replace(/\/$/, '') : null;
}

function parsePlace(text: string): { lat: number; lon: number } | null {
  const [lat = Number.NaN, lon = Number.NaN, ...rest] = text.split(',').map(Number);
  return rest.length === 0 && Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : null;
}

function parseTiles(text: string): string | null {
  const isAddress = /^https:\/\//.test(text) && URL.canParse(text.replace(/[{}]/g, ''));
  return isAddress && ['{z}', '{x}', '{y}'].every((part) => text.includes(part)) ? text : null;
}

function parseLogLevel(text: string): Config['logLevel'] | null {
  return LOG_LEVELS.find((level) => level === text) ?? null;
}
