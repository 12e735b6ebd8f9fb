import { once } from 'node:events';
import { Agent, type ClientRequest, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { refuseOverload } from './overload.ts';
import { sendProblem } from './problem.ts';

let app: FastifyInstance;
const asked: ClientRequest[] = [];

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
  for (const endless of ['/slow', '/events'])
    app.get(endless, (_request, reply) => {
      reply.hijack();
      reply.raw.writeHead(200).write('…');
    });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return load;
}

/** Each asks so many times without a pause, all at the same instant, on lines that are open already. */
async function askTogether(count: number, times: number, path: string): Promise<IncomingMessage[][]> {
  const agent = new Agent({ keepAlive: true });
  const whole = async (to: string) => {
    const answer = await ask(to, agent);
    await once(answer.resume(), 'end');
    return answer;
  };
  const everybody = Array.from({ length: count });
  await Promise.all(everybody.map(() => whole('/quick')));
  return Promise.all(
    everybody.map(async () => {
      const answers: IncomingMessage[] = [];
      while (answers.length < times) answers.push(await whole(path));
      return answers;
    }),
  );
}

async function ask(path: string, agent: Agent | false = false): Promise<IncomingMessage> {
  const request = get({ port: (app.server.address() as AddressInfo).port, host: '127.0.0.1', path, agent });
  request.on('error', () => {});
  asked.push(request);
  const [answer] = await once(request, 'response');
  return answer;
}

afterEach(async () => {
  for (const request of asked.splice(0)) request.destroy();
  await app.close();
});

test('beyond what may be in flight the answer is 503 at once, and probes still get theirs', async () => {
  await listenWith({ inFlight: 2 });
  await ask('/slow');
  await ask('/slow');
  expect((await ask('/quick')).statusCode).toBe(503);
  expect((await ask('/healthz')).statusCode).toBe(200);
});

test('when those in flight are answered or gone, others are served again', async () => {
  const load = await listenWith({ inFlight: 1 });
  await ask('/slow');
  expect((await ask('/quick')).statusCode).toBe(503);
  asked[0]?.destroy();
  await expect.poll(() => load.inFlight()).toBe(0);
  expect((await ask('/quick')).statusCode).toBe(200);
});

test('open screens do not count: however many there are, the next request is served', async () => {
  const load = await listenWith({ inFlight: 2 });
  for (let screens = 0; screens < 5; screens++) await ask('/events');
  expect(load.inFlight()).toBe(0);
  expect((await ask('/quick')).statusCode).toBe(200);
});

const statusesOf = (answers: IncomingMessage[]) => answers.map(({ statusCode }) => statusCode);

test('where more wait time after time than can be served, some are and the rest are refused at once; then all is well again', async () => {
  await listenWith({ longTurnMs: 100, turnMs: 50, turnAtLeast: 2 });
  const answers = (await askTogether(40, 6, '/busy')).flat();
  const statuses = statusesOf(answers);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(40);
  expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(0);
  expect(answers.find(({ statusCode }) => statusCode === 503)?.headers['retry-after']).toBeDefined();
  expect((await ask('/quick')).statusCode).toBe(200);
});

test('those whom one pause has made wait are all served', async () => {
  await listenWith({ longTurnMs: 50, turnMs: 50, turnAtLeast: 2 });
  const answers = (await askTogether(40, 1, '/busy')).flat();
  expect(new Set(statusesOf(answers))).toEqual(new Set([200]));
});

test('a few are never refused, however long each of them takes', async () => {
  await listenWith({ longTurnMs: 1, turnMs: 1, turnAtLeast: 50 });
  const answers = (await askTogether(20, 4, '/busy')).flat();
  expect(new Set(statusesOf(answers))).toEqual(new Set([200]));
});
