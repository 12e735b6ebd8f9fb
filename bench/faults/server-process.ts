import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Running, startOurs } from '../servers.ts';
import { type Line, openLine } from './line.ts';
import type { MutantName } from './mutants.ts';

export type ServerOptions = {
  folder: string;
  name: string;
  env?: Record<string, string>;
  mutant?: MutantName | undefined;
};

/** A real server behind a line of ours: whatever becomes of the process, its address stays. */
export type Server = {
  door: Line;
  readonly pid: number;
  kill(): Promise<void>;
  start(): Promise<void>;
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** Sets its clock wrong by so much; 0 sets it right. */
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
  const door = await openLine(portOf(running));

  async function kill(): Promise<void> {
    running.kill('SIGKILL');
    await running.ended;
  }

  return {
    door,
    get pid() {
      return running.pid;
    },
    kill,
    async start() {
      running = await start();
      door.leadTo(portOf(running));
    },
    signal: (signal) => running.kill(signal),
    shiftClock(ms) {
      writeFileSync(clockFile, String(ms));
      running.kill('SIGUSR2' as NodeJS.Signals);
    },
    async close() {
      await kill();
      await door.close();
    },
  };
}

function portOf({ url }: Running): number {
  return Number(new URL(url).port);
}
