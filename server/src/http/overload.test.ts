import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { refuseOverload } from './overload.ts';
import { sendProblem } from './problem.ts';

let app: FastifyInstance;
const asked: ClientRequest[] = [];

async function listenWith(mostInFlight: number): Promise<{ inFlight(): number }> {
  app = Fastify();
  app.setErrorHandler(sendProblem);
  const load = refuseOverload(app, mostInFlight);
  app.get('/quick', async () => 'done');
  app.get('/healthz', async () => 'alive');
  for (const endless of ['/slow', '/events'])
    app.get(endless, (_request, reply) => {
      reply.hijack();
      reply.raw.writeHead(200).write('…');
    });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return load;
}

async function ask(path: string): Promise<IncomingMessage> {
  const request = get({ port: (app.server.address() as AddressInfo).port, host: '127.0.0.1', path, agent: false });
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
  await listenWith(2);
  await ask('/slow');
  await ask('/slow');
  expect((await ask('/quick')).statusCode).toBe(503);
  expect((await ask('/healthz')).statusCode).toBe(200);
});

test('when those in flight are answered or gone, others are served again', async () => {
  const load = await listenWith(1);
  await ask('/slow');
  expect((await ask('/quick')).statusCode).toBe(503);
  asked[0]?.destroy();
  await expect.poll(() => load.inFlight()).toBe(0);
  expect((await ask('/quick')).statusCode).toBe(200);
});

test('open screens do not count: however many there are, the next request is served', async () => {
  const load = await listenWith(2);
  for (let screens = 0; screens < 5; screens++) await ask('/events');
  expect(load.inFlight()).toBe(0);
  expect((await ask('/quick')).statusCode).toBe(200);
});
