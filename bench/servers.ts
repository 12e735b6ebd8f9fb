import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

export type Running = {
  url: string;
  pid: number;
  readyMs: number;
  rssMb(): number;
  /**
   * Memory without mapped files: a mapped database grows with the data, and the system can reclaim its memory at any
   * time.
   */
  ownMb(): number;
  /** Processor time so far. Unlike throughput, it does not depend on other load. */
  cpuMs(): number;
  kill(signal?: NodeJS.Signals): void;
  ended: Promise<void>;
};

/**
 * Starts our server in its own process on a free port, from this checkout or another. A benchmark sends as one person
 * what a whole warehouse sends, so that person's budget is raised.
 */
export function startOurs(env: Record<string, string>, checkout = ROOT): Promise<Running> {
  const settings = {
    PORT: '0',
    LOG_LEVEL: 'error',
    NODE_ENV: 'production',
    DEMO: 'on',
    BUDGET_FACTOR: '1000000',
    ...env,
  };
  return start(['server/src/main.ts'], settings, checkout);
}

export function startMinimal(script: 'minimal-sqlite' | 'minimal-postgres', ...args: string[]): Promise<Running> {
  return start([`bench/${script}.ts`, ...args], {}, ROOT);
}

async function start(args: string[], env: Record<string, string>, checkout: string): Promise<Running> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: checkout,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // When this program exits, for whatever reason, the server is killed.
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  const url = await addressOf(child);
  return {
    url,
    pid: child.pid ?? 0,
    readyMs: performance.now() - startedAt,
    rssMb: () => memoryMb(child.pid ?? 0, 'VmRSS'),
    ownMb: () => memoryMb(child.pid ?? 0, 'RssAnon'),
    cpuMs: () => processorMs(child.pid ?? 0),
    kill: (signal = 'SIGTERM') => child.kill(signal),
    ended: new Promise((resolve) => child.once('exit', () => resolve())),
  };
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0];
      if (url) resolve(url);
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code} before it was ready: ${output}`)));
  });
}

function memoryMb(pid: number, of: 'VmRSS' | 'RssAnon'): number {
  try {
    const kb = new RegExp(`${of}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Math.round(Number(kb) / 1024);
  } catch {
    return Number.NaN;
  }
}

const TICK_MS = 10;

function processorMs(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return Number.NaN;
  }
}
