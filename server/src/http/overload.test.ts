import { once } from 'node:events';
import { Agent, type ClientRequest, get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { events } from '@perfume/contract/feed';
import { signIn, signUp } from '@perfume/contract/identity';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { refuseOverload } from './overload.ts';
import { sendProblem } from './problem.ts';

const withOwnLimits = [events.path, signIn.path, signUp.path];
let app: FastifyInstance;
const requests: ClientRequest[] = [];

async function listenWith(limits: Parameters<typeof refuseOverload>[1]): Promise<{ inFlight(): number }> {
  app = Fastify();
  app.setErrorHandler(sendProblem);
  const load = refuseOverload(app, limits);
  app.get('/quick', async () => 'done');
  app.get('/busy', async () => {
    const until = performance.now() + 10;
    while (performance.now() < until);
    return 'done';
  });
  app.get('/healthz', async () => 'alive');
  app.post('/body', async ({ body }) => body);
  app.get('/large', async () => 'x'.repeat(50_000_000));
  for (const openEnded of ['/slow', ...withOwnLimits])
    app.get(openEnded, (_request, reply) => {
      reply.hijack();
      reply.raw.writeHead(200).write('…');
    });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return load;
}

/** `clients` clients each send `times` requests in a row, all starting at once on connections that are already open. */
async function requestTogether(clients: number, times: number, path: string): Promise<IncomingMessage[][]> {
  const agent = new Agent({ keepAlive: true });
  const fetchWhole = async (to: string) => {
    const answer = await send(to, agent);
    await once(answer.resume(), 'end');
    return answer;
  };
  const all = Array.from({ length: clients });
  await Promise.all(all.map(() => fetchWhole('/quick')));
  return Promise.all(
    all.map(async () => {
      const answers: IncomingMessage[] = [];
      while (answers.length < times) answers.push(await fetchWhole(path));
      return answers;
    }),
  );
}

async function send(path: string, agent: Agent | false = false): Promise<IncomingMessage> {
  const request = get({ port: (app.server.address() as AddressInfo).port, host: '127.0.0.1', path, agent });
  request.on('error', () => {});
  requests.push(request);
  const [answer] = await once(request, 'response');
  return answer;
}

afterEach(async () => {
  for (const request of requests.splice(0)) request.destroy();
  await app.close();
});

test('refuses requests beyond the in-flight limit with 503 at once, and still answers probes', async () => {
  await listenWith({ inFlight: 2 });
  await send('/slow');
  await send('/slow');
  expect((await send('/quick')).statusCode).toBe(503);
  expect((await send('/healthz')).statusCode).toBe(200);
});

test('does not count clients that send a body or read a response slowly', async () => {
  const load = await listenWith({ inFlight: 1 });
  let arrived = 0;
  app.server.on('request', () => arrived++);
  const { port } = app.server.address() as AddressInfo;
  const sockets = ['POST /body HTTP/1.1\r\nContent-Type: text/plain\r\nContent-Length: 9', 'GET /large HTTP/1.1'].map(
    (head) => {
      const socket = connect(port, '127.0.0.1').pause();
      socket.write(`${head}\r\nHost: x\r\n\r\n`);
      return socket;
    },
  );
  await expect.poll(() => arrived).toBe(2);
  await expect.poll(() => load.inFlight()).toBe(0);
  expect((await send('/quick')).statusCode).toBe(200);
  for (const socket of sockets) socket.destroy();
});

test('serves requests again when those in flight have ended', async () => {
  const load = await listenWith({ inFlight: 1 });
  await send('/slow');
  expect((await send('/quick')).statusCode).toBe(503);
  requests[0]?.destroy();
  await expect.poll(() => load.inFlight()).toBe(0);
  expect((await send('/quick')).statusCode).toBe(200);
});

test('does not count event streams and logins as in flight: they have limits of their own', async () => {
  const load = await listenWith({ inFlight: 2 });
  for (const path of withOwnLimits) for (let open = 0; open < 3; open++) await send(path);
  expect(load.inFlight()).toBe(0);
  expect((await send('/quick')).statusCode).toBe(200);
});

const statusesOf = (answers: IncomingMessage[]) => answers.map(({ statusCode }) => statusCode);

test('under lasting overload serves some requests, refuses the rest at once, and recovers', async () => {
  await listenWith({ longTickMs: 100, tickBudgetMs: 50, minServedPerTick: 2 });
  let answers: IncomingMessage[] = [];
  const statuses = async () => {
    answers = (await requestTogether(40, 6, '/busy')).flat();
    return statusesOf(answers);
  };
  // Again and again, because on a busy machine this process may pause between the ticks, which then count as single.
  await expect.poll(statuses, { timeout: 50_000 }).toContain(503);
  expect(statusesOf(answers).filter((status) => status === 200).length).toBeGreaterThan(40);
  expect(answers.find(({ statusCode }) => statusCode === 503)?.headers['retry-after']).toBeDefined();
  expect((await send('/quick')).statusCode).toBe(200);
});

test('serves every request that waited for a single pause', async () => {
  await listenWith({ longTickMs: 50, tickBudgetMs: 50, minServedPerTick: 2 });
  const answers = (await requestTogether(40, 1, '/busy')).flat();
  expect(new Set(statusesOf(answers))).toEqual(new Set([200]));
});

test('never refuses a few requests, however long each one takes', async () => {
  await listenWith({ longTickMs: 1, tickBudgetMs: 1, minServedPerTick: 50 });
  const answers = (await requestTogether(20, 4, '/busy')).flat();
  expect(new Set(statusesOf(answers))).toEqual(new Set([200]));
});
