// Clients that send at a given rate whatever comes back, and measure the times of each kind of response. They do as
// little work per request as possible, because they share the machine with the server: they use raw sockets and read
// only the status and length of a response.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type LoadResult, times } from './clients.ts';
import type { RequestSpec } from './load.ts';

export type FloodOptions = {
  perSecond: number;
  seconds: number;
  connections: number;
  makeRequest: (n: number) => RequestSpec;
};

const TICK_MS = 5;
const TIMEOUT_MS = 30_000;

export async function flood(
  url: string,
  { perSecond, seconds, connections, makeRequest }: FloodOptions,
): Promise<LoadResult> {
  const { hostname, port, host } = new URL(url);
  const good: number[] = [];
  const refused: number[] = [];
  const idle: Client[] = [];
  let [sent, other, broken, waiting] = [0, 0, 0, 0];

  async function connectClient(): Promise<Client> {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const client = openClient(socket, {
      answered(status, ms) {
        waiting--;
        if (status >= 200 && status < 300) good.push(ms);
        else if (status === 503 || status === 429) refused.push(ms);
        else other++;
        idle.push(client);
      },
      lost(wasWaiting) {
        const at = idle.indexOf(client);
        if (at >= 0) idle.splice(at, 1);
        if (!wasWaiting) return;
        waiting--;
        broken++;
      },
    });
    await once(socket, 'connect');
    idle.push(client);
    return client;
  }

  // All clients are connected before the first request, because accepting connections is not measured here.
  const clients = await connectInGroups(connections, connectClient);
  const startedAt = performance.now();
  let elapsed = 0;
  while (elapsed < seconds) {
    for (const due = elapsed * perSecond; sent < due; waiting++) {
      const client = idle.shift();
      if (!client) break;
      client.send(requestText(host, makeRequest(sent++)));
    }
    await pause(TICK_MS);
    elapsed = (performance.now() - startedAt) / 1_000;
  }
  const lastSentAt = performance.now();
  while (waiting > 0 && performance.now() - lastSentAt < TIMEOUT_MS) await pause(TICK_MS);
  broken += waiting;
  for (const client of clients) client.leave();
  return { sent, seconds: elapsed, good: times(good), refused: times(refused), other, broken };
}

async function connectInGroups(count: number, connectClient: () => Promise<Client>): Promise<Client[]> {
  const clients: Client[] = [];
  while (clients.length < count) {
    const group = Array.from({ length: Math.min(100, count - clients.length) }, connectClient);
    clients.push(...(await Promise.all(group)));
    await pause(50);
  }
  return clients;
}

function requestText(host: string, { method, path, headers = {}, body = '' }: RequestSpec): string {
  let text = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n`;
  for (const name in headers) text += `${name}: ${headers[name]}\r\n`;
  return `${text}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

type ClientEvents = { answered(status: number, ms: number): void; lost(wasWaiting: boolean): void };

type Client = { send(text: string): void; leave(): void };

/** A client on one connection: it sends a request, waits for the complete response, and sends again. */
function openClient(socket: Socket, events: ClientEvents): Client {
  let sentAt: number | null = null;
  let status = 0;
  let head = Buffer.alloc(0);
  /** How many bytes of the body are still to come; null while the headers are read. */
  let remaining: number | null = null;

  function read(bytes: Buffer): void {
    let body = bytes.length;
    if (remaining === null) {
      head = Buffer.concat([head, bytes]);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      const text = head.toString('latin1', 0, end);
      status = Number(text.slice(9, 12));
      remaining = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0);
      body = head.length - end - 4;
      head = Buffer.alloc(0);
    }
    remaining -= body;
    if (remaining > 0 || sentAt === null) return;
    const ms = performance.now() - sentAt;
    remaining = null;
    sentAt = null;
    events.answered(status, ms);
  }

  socket.on('data', read);
  socket.on('error', () => {});
  socket.on('close', () => events.lost(sentAt !== null));
  return {
    send(text) {
      sentAt = performance.now();
      socket.write(text);
    },
    leave() {
      sentAt = null;
      socket.destroy();
    },
  };
}
