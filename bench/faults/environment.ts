import type { Fault, FaultKind } from './schedule.ts';
import type { Server } from './server-process.ts';
import type { TcpProxy } from './tcp-proxy.ts';

/** A complete installation, as in production, and the faults that can be injected into it. */
export type Environment = {
  /** The proxies to which people connect. */
  proxies: TcpProxy[];
  /** The faults that can be injected here, each with its repair. */
  faults: Partial<Record<FaultKind, InjectFault>>;
  /** A short description of the installation, for the report. */
  description: string;
  /** Waits until everything has recovered, if the proxies alone do not show it. */
  waitForRecovery?(): Promise<void>;
  close(): Promise<void>;
};

/** Injects the fault and returns its repair. */
export type InjectFault = (fault: Fault) => Promise<() => Promise<void>>;

/** The faults that can be injected into a server. They do not depend on the database. */
export function serverFaults(servers: Server[]): Environment['faults'] {
  const serverFor = ({ selector }: Fault) => select(servers, selector);
  return {
    async 'server-kill'(fault) {
      const server = serverFor(fault);
      await server.kill();
      return () => server.start();
    },
    async 'server-freeze'(fault) {
      const server = serverFor(fault);
      server.signal('SIGSTOP');
      return async () => server.signal('SIGCONT');
    },
    async 'clock-step'(fault) {
      const server = serverFor(fault);
      server.shiftClock(clockShift(fault.size));
      return async () => server.shiftClock(0);
    },
  };
}

export function select<T>(all: T[], selector: number): T {
  const item = all[Math.floor(selector * all.length)];
  if (item === undefined) throw new Error('there is none to choose');
  return item;
}

const MAX_CLOCK_SHIFT_MS = 6 * 60 * 60 * 1_000;

/**
 * How far a clock is shifted, in milliseconds. Half of the shifts go backward, half forward; most are small, some are
 * hours.
 */
function clockShift(size: number): number {
  const direction = size < 0.5 ? -1 : 1;
  const fraction = (size * 2) % 1;
  return Math.round(direction * Math.max(1_000, fraction ** 4 * MAX_CLOCK_SHIFT_MS));
}

const POLL_MS = 50;
const TIMEOUT_MS = 60_000;

/** Waits until every proxy leads to a server that can write. */
export async function waitUntilReady(proxies: TcpProxy[]): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (const proxy of proxies) {
    while (!(await isReady(proxy))) {
      if (performance.now() > deadline) throw new Error('a server is not ready long after the fault was repaired');
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}

async function isReady(proxy: TcpProxy): Promise<boolean> {
  const address = `http://127.0.0.1:${proxy.port}/readyz`;
  const answer = await fetch(address, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
  await answer?.arrayBuffer().catch(() => null);
  return answer?.ok === true;
}
