import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Running, startOurs } from '../servers.ts';
import type { MutantName } from './mutants.ts';
import { openProxy, type TcpProxy } from './tcp-proxy.ts';

export type ServerOptions = {
  folder: string;
  name: string;
  env?: Record<string, string>;
  mutant?: MutantName | undefined;
};

/** A real server behind our proxy: its address stays the same whatever happens to the process. */
export type Server = {
  proxy: TcpProxy;
  readonly pid: number;
  kill(): Promise<void>;
  start(): Promise<void>;
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** Shifts the clock of the server by this much; 0 resets it. */
  shiftClock(ms: number): void;
  close(): Promise<void>;
};

export async function openServer({ folder, name, env = {}, mutant }: ServerOptions): Promise<Server> {
  const clockFile = join(folder, `${name}.clock`);
  writeFileSync(clockFile, '0');
  const given = ['shift-clock.ts', ...(mutant ? ['mutate.ts'] : [])];
  const start = () =>
    startOurs({
      DATA_DIR: folder,
      CLOCK_SHIFT_FILE: clockFile,
      NODE_OPTIONS: given.map((file) => `--import=${pathToFileURL(join(import.meta.dirname, file))}`).join(' '),
      ...(mutant && { MUTANT: mutant }),
      ...env,
    });
  let running: Running = await start();
  const proxy = await openProxy(portOf(running));

  async function kill(): Promise<void> {
    running.kill('SIGKILL');
    await running.ended;
  }

  return {
    proxy,
    get pid() {
      return running.pid;
    },
    kill,
    async start() {
      running = await start();
      proxy.routeTo(portOf(running));
    },
    signal: (signal) => running.kill(signal),
    shiftClock(ms) {
      writeFileSync(clockFile, String(ms));
      running.kill('SIGUSR2' as NodeJS.Signals);
    },
    async close() {
      await kill();
      await proxy.close();
    },
  };
}

function portOf({ url }: Running): number {
  return Number(new URL(url).port);
}
