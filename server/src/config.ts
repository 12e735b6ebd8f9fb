import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

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
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
};

/** Names every wrong variable at once, so that one look is enough. */
export class ConfigError extends Error {
  constructor(faults: string[]) {
    super(`The configuration is not right:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '::1']);
const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

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
  const databaseUrl = checked('DATABASE_URL', parseDatabaseUrl, 'postgres://…', join(dataDir, 'warehouse.sqlite'));
  const publicUrl = checked('PUBLIC_URL', parseOrigin, 'an address such as https://stock.example.com', null);
  const demo = checked('DEMO', (text) => ({ on: true, off: false })[text] ?? null, '"on" or "off"', publicUrl === null);
  const trustProxy = checked('TRUST_PROXY', parseProxies, 'IP addresses or networks, separated by commas', []);
  const corsOrigins = checked('CORS_ORIGINS', parseOrigins, 'web origins, separated by commas', []);
  const logLevel = checked<Config['logLevel']>(
    'LOG_LEVEL',
    parseLogLevel,
    `one of ${LOG_LEVELS.join(', ')}`,
    demo ? 'warn' : 'info',
  );

  if (demo && !LOOPBACK.has(host) && value('DEMO') !== 'on') {
    faults.push(
      `HOST is ${host}, but demo mode listens on this machine only: set PUBLIC_URL, or DEMO=on if you mean it`,
    );
  }
  if (value('DATABASE_URL') && publicUrl && !value('AUTH_SECRET')) {
    faults.push('AUTH_SECRET is needed when several servers can share a database: the same long random text on each');
  }
  const secret = checked('AUTH_SECRET', (text) => (text.length >= 32 ? text : null), 'at least 32 characters', null);
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
    logLevel,
  };
}

/** Made once and kept: a new secret would end every sign-in. */
function keptSecret(dataDir: string): string {
  const file = join(dataDir, 'secret');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8').trim();
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

function parseLogLevel(text: string): Config['logLevel'] | null {
  return LOG_LEVELS.find((level) => level === text) ?? null;
}
