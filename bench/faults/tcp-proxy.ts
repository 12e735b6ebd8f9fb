import { once } from 'node:events';
import net from 'node:net';

/** What happens to one connection. Bytes are counted from its start; bytes after a cut are never forwarded. */
export type ConnectionPlan = { cutRequestAt?: number; cutAnswerAt?: number; requestMs?: number; answerMs?: number };

type Direction = 'request' | 'answer';
type Connection = {
  near: net.Socket;
  far: net.Socket;
  cutAfter: Partial<Record<Direction, number>>;
  whenCut?: () => void;
};

/** A TCP proxy between a client and a server that can cut, delay and redirect connections. */
export type TcpProxy = {
  readonly port: number;
  /** Plans what happens to the connection from this client port. */
  plan(fromPort: number, plan: ConnectionPlan): void;
  /** Forwards new connections to this port. */
  routeTo(port: number): void;
  /** Resets every open connection. */
  cut(): void;
  /** Resets every open connection after this many more bytes in that direction. */
  cutAfter(way: Direction, bytes: number): void;
  /** Resets the next connection that carries this text when its response arrives, and calls `then` at that moment. */
  loseResponseTo(text: string, then: () => void): void;
  /** Delays all traffic. */
  delay(ms: number): void;
  /** Forwards nothing until `release`; waiting bytes are then forwarded, unless the connection was cut. */
  hold(): void;
  release(): void;
  close(): Promise<void>;
};

export async function openProxy(target: number): Promise<TcpProxy> {
  let farPort = target;
  let delayMs = 0;
  let held: { promise: Promise<void>; resolve: () => void } | null = null;
  let awaited: { text: string; then: () => void } | null = null;
  const plans = new Map<number, ConnectionPlan>();
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

  async function carry(connection: Connection, way: Direction): Promise<void> {
    const [from, to] = way === 'request' ? [connection.near, connection.far] : [connection.far, connection.near];
    let planned = false;
    try {
      for await (const bytes of from as AsyncIterable<Buffer>) {
        // The plan already exists: the client registers it when it connects, before it sends the first byte.
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

  async function pass(connection: Connection, way: Direction, to: net.Socket, bytes: Buffer): Promise<boolean> {
    const left = connection.cutAfter[way];
    if (left !== undefined && bytes.length >= left) {
      // The forwarded bytes must be sent before the reset, or the reset discards them.
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
    routeTo(port) {
      farPort = port;
    },
    cut() {
      for (const connection of open) reset(connection);
    },
    cutAfter(way, bytes) {
      for (const connection of open) connection.cutAfter[way] = bytes;
    },
    loseResponseTo(text, then) {
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

function applyPlan(connection: Connection, way: Direction, plan: ConnectionPlan): void {
  const at = way === 'request' ? plan.cutRequestAt : plan.cutAnswerAt;
  if (at !== undefined) connection.cutAfter[way] = at;
}

/**
 * Resets a connection. If bytes are still waiting, the socket is destroyed instead, because a reset would wait until
 * they are written.
 */
function reset({ near, far }: Connection): void {
  for (const socket of [near, far]) {
    if (socket.writableLength > 0 || socket.writableEnded) socket.destroy();
    else if (!socket.destroyed) socket.resetAndDestroy();
  }
}
