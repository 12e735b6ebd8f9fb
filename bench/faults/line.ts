import { once } from 'node:events';
import net from 'node:net';

/** What happens to one connection. Bytes are counted from its beginning; the rest is never passed on. */
export type LinePlan = { cutRequestAt?: number; cutAnswerAt?: number; requestMs?: number; answerMs?: number };

type Way = 'request' | 'answer';
type Connection = {
  near: net.Socket;
  far: net.Socket;
  cutAfter: Partial<Record<Way, number>>;
  whenCut?: () => void;
};

/** A line of our own between somebody who asks and somebody who answers: it can be cut, held up and led elsewhere. */
export type Line = {
  readonly port: number;
  /** Says what happens to the connection that was made from this port of the asker. */
  plan(fromPort: number, plan: LinePlan): void;
  /** Connections made from now on lead there. */
  leadTo(port: number): void;
  /** Ends every connection that is open, by a reset. */
  cut(): void;
  /** The same, but each only after so many further bytes that way. */
  cutAfter(way: Way, bytes: number): void;
  /** The connection that next carries this text ends when its answer comes; `then` is called at that moment. */
  loseAnswerTo(text: string, then: () => void): void;
  /** Holds up everything that passes by so much. */
  delay(ms: number): void;
  /** Passes nothing on until `release`; what waits then comes through, unless the line was cut. */
  hold(): void;
  release(): void;
  close(): Promise<void>;
};

export async function openLine(target: number): Promise<Line> {
  let farPort = target;
  let delayMs = 0;
  let held: { promise: Promise<void>; resolve: () => void } | null = null;
  let awaited: { text: string; then: () => void } | null = null;
  const plans = new Map<number, LinePlan>();
  const open = new Set<Connection>();

  const server = net.createServer({ noDelay: true }, (near) => {
    const far = net.connect({ host: '127.0.0.1', port: farPort, noDelay: true });
    const connection: Connection = { near, far, cutAfter: {} };
    open.add(connection);
    near.on('error', () => reset(connection));
    far.on('error', () => reset(connection));
    near.on('close', () => {
      open.delete(connection);
      plans.delete(near.remotePort ?? 0);
    });
    void carry(connection, 'request');
    void carry(connection, 'answer');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  async function carry(connection: Connection, way: Way): Promise<void> {
    const [from, to] = way === 'request' ? [connection.near, connection.far] : [connection.far, connection.near];
    let planned = false;
    try {
      for await (const bytes of from as AsyncIterable<Buffer>) {
        // The plan is there before the first byte: whoever sends it has said so when the connection was made.
        const plan = plans.get(connection.near.remotePort ?? 0);
        if (!planned && plan) applyPlan(connection, way, plan);
        planned = true;
        if (way === 'request' && awaited && bytes.includes(awaited.text)) {
          connection.cutAfter.answer = 0;
          connection.whenCut = awaited.then;
          awaited = null;
        }
        const wait = delayMs + ((way === 'request' ? plan?.requestMs : plan?.answerMs) ?? 0);
        if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
        while (held) await held.promise;
        if (!(await pass(connection, way, to, bytes))) return;
      }
      to.end();
    } catch {
      reset(connection);
    }
  }

  function release(): void {
    held?.resolve();
    held = null;
  }

  async function pass(connection: Connection, way: Way, to: net.Socket, bytes: Buffer): Promise<boolean> {
    const left = connection.cutAfter[way];
    if (left !== undefined && bytes.length >= left) {
      // What is passed on must have left before the reset, or the reset overtakes it.
      if (left > 0) await new Promise((resolve) => to.write(bytes.subarray(0, left), resolve));
      connection.whenCut?.();
      reset(connection);
      return false;
    }
    if (left !== undefined) connection.cutAfter[way] = left - bytes.length;
    if (!to.write(bytes)) await once(to, 'drain');
    return true;
  }

  return {
    port: (server.address() as net.AddressInfo).port,
    plan: (fromPort, plan) => void plans.set(fromPort, plan),
    leadTo(port) {
      farPort = port;
    },
    cut() {
      for (const connection of open) reset(connection);
    },
    cutAfter(way, bytes) {
      for (const connection of open) connection.cutAfter[way] = bytes;
    },
    loseAnswerTo(text, then) {
      awaited = { text, then };
    },
    delay(ms) {
      delayMs = ms;
    },
    hold() {
      held ??= Promise.withResolvers<void>();
    },
    release,
    async close() {
      server.close();
      for (const connection of open) reset(connection);
      release();
      await once(server, 'close');
    },
  };
}

function applyPlan(connection: Connection, way: Way, plan: LinePlan): void {
  const at = way === 'request' ? plan.cutRequestAt : plan.cutAnswerAt;
  if (at !== undefined) connection.cutAfter[way] = at;
}

/** A reset waits until everything written has left; where something is still waiting, the end has to do without. */
function reset({ near, far }: Connection): void {
  for (const socket of [near, far]) {
    if (socket.writableLength > 0 || socket.writableEnded) socket.destroy();
    else if (!socket.destroyed) socket.resetAndDestroy();
  }
}
