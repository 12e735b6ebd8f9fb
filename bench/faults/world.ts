import type { Line } from './line.ts';
import type { Fault, FaultKind } from './schedule.ts';
import type { Server } from './server-process.ts';

/** A whole shop with its machines, as real as it is in production, and what can go wrong in it. */
export type World = {
  /** Where people knock. */
  doors: Line[];
  /** What can be struck here, each with how to mend it. */
  faults: Partial<Record<FaultKind, Strike>>;
  /** How it was set up, in a few words. */
  about: string;
  /** Until everything that was struck has come back, where the door alone does not tell. */
  whole?(): Promise<void>;
  close(): Promise<void>;
};

/** Does it, and gives back how to undo it. */
export type Strike = (fault: Fault) => Promise<() => Promise<void>>;

/** What can happen to servers, whatever they stand on. */
export function serverFaults(servers: Server[]): World['faults'] {
  const chosen = ({ which }: Fault) => oneOf(servers, which);
  return {
    async 'server-kill'(fault) {
      const server = chosen(fault);
      await server.kill();
      return () => server.start();
    },
    async 'server-freeze'(fault) {
      const server = chosen(fault);
      server.signal('SIGSTOP');
      return async () => server.signal('SIGCONT');
    },
    async 'clock-step'(fault) {
      const server = chosen(fault);
      server.shiftClock(stepMs(fault.size));
      return async () => server.shiftClock(0);
    },
  };
}

export function oneOf<T>(all: T[], which: number): T {
  const one = all[Math.floor(which * all.length)];
  if (one === undefined) throw new Error('there is none to choose');
  return one;
}

const FARTHEST_MS = 6 * 60 * 60 * 1_000;

/** Half of the steps go back, half forward; most are small, some are hours. */
function stepMs(size: number): number {
  const direction = size < 0.5 ? -1 : 1;
  const far = (size * 2) % 1;
  return Math.round(direction * Math.max(1_000, far ** 4 * FARTHEST_MS));
}

const ASK_AGAIN_MS = 50;
const GIVE_UP_MS = 60_000;

/** Until every door leads to a server that can write. */
export async function untilReady(doors: Line[]): Promise<void> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  for (const door of doors) {
    while (!(await isReady(door))) {
      if (performance.now() > giveUpAt) throw new Error('a server is not ready long after the fault was mended');
      await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
    }
  }
}

async function isReady(door: Line): Promise<boolean> {
  const address = `http://127.0.0.1:${door.port}/readyz`;
  const answer = await fetch(address, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
  await answer?.arrayBuffer().catch(() => null);
  return answer?.ok === true;
}
