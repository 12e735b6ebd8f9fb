// Clients that send at a given rate whatever comes back, and the times of each kind of response. They do as little work per request as
// possible, because they share the machine with the server: raw sockets, and only the status and length of a response are read.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Answers, times } from './crowd.ts';
import type { Asked } from './load.ts';

export type Flood = { aSecond: number; seconds: number; connections: number; ask: (n: number) => Asked };

const TICK_MS = 5;
const PATIENCE_MS = 30_000;

export async function flood(url: string, { aSecond, seconds, connections, ask }: Flood): Promise<Answers> {
  const { hostname, port, host } = new URL(url);
  const good: number[] = [];
  const refused: number[] = [];
  const idle: Person[] = [];
  let [asked, other, broken, waiting] = [0, 0, 0, 0];

  async function comes(): Promise<Person> {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const person = onePerson(socket, {
      answered(status, ms) {
        waiting--;
        if (status >= 200 && status < 300) good.push(ms);
        else if (status === 503 || status === 429) refused.push(ms);
        else other++;
        idle.push(person);
      },
      lost(hadAsked) {
        const at = idle.indexOf(person);
        if (at >= 0) idle.splice(at, 1);
        if (!hadAsked) return;
        waiting--;
        broken++;
      },
    });
    await once(socket, 'connect');
    idle.push(person);
    return person;
  }

  // All are connected before the first request: accepting connections is not measured here.
  const everybody = await inSmallGroups(connections, comes);
  const began = performance.now();
  let passed = 0;
  while (passed < seconds) {
    for (const due = passed * aSecond; asked < due; waiting++) {
      const person = idle.shift();
      if (!person) break;
      person.ask(requestText(host, ask(asked++)));
    }
    await pause(TICK_MS);
    passed = (performance.now() - began) / 1_000;
  }
  const lastAsked = performance.now();
  while (waiting > 0 && performance.now() - lastAsked < PATIENCE_MS) await pause(TICK_MS);
  broken += waiting;
  for (const person of everybody) person.leave();
  return { asked, seconds: passed, good: times(good), refused: times(refused), other, broken };
}

async function inSmallGroups(count: number, comes: () => Promise<Person>): Promise<Person[]> {
  const people: Person[] = [];
  while (people.length < count) {
    const group = Array.from({ length: Math.min(100, count - people.length) }, comes);
    people.push(...(await Promise.all(group)));
    await pause(50);
  }
  return people;
}

function requestText(host: string, { method, path, headers = {}, body = '' }: Asked): string {
  let text = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n`;
  for (const name in headers) text += `${name}: ${headers[name]}\r\n`;
  return `${text}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

type Told = { answered(status: number, ms: number): void; lost(hadAsked: boolean): void };

type Person = { ask(text: string): void; leave(): void };

/** One connection: sends, waits for the complete response, sends again. */
function onePerson(socket: Socket, told: Told): Person {
  let askedAt: number | null = null;
  let status = 0;
  let head = Buffer.alloc(0);
  /** Remaining bytes of the body; null while the headers are read. */
  let left: number | null = null;

  function read(bytes: Buffer): void {
    let body = bytes.length;
    if (left === null) {
      head = Buffer.concat([head, bytes]);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      const text = head.toString('latin1', 0, end);
      status = Number(text.slice(9, 12));
      left = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0);
      body = head.length - end - 4;
      head = Buffer.alloc(0);
    }
    left -= body;
    if (left > 0 || askedAt === null) return;
    const ms = performance.now() - askedAt;
    left = null;
    askedAt = null;
    told.answered(status, ms);
  }

  socket.on('data', read);
  socket.on('error', () => {});
  socket.on('close', () => told.lost(askedAt !== null));
  return {
    ask(text) {
      askedAt = performance.now();
      socket.write(text);
    },
    leave() {
      askedAt = null;
      socket.destroy();
    },
  };
}
