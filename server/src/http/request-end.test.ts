import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import Fastify, { type FastifyInstance, type RouteHandler } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { requestEnds } from './request-end.ts';

let app: FastifyInstance;
afterEach(() => app.close());

/** Starts a server with one route. A request to it ends up in `ends`, with its status and whether the client hung up. */
async function serving(handler: RouteHandler) {
  app = Fastify({ forceCloseConnections: true });
  const ends: { status: number; hasHungUp: boolean }[] = [];
  requestEnds(app)((_, reply, hasHungUp) => void ends.push({ status: reply.statusCode, hasHungUp }));
  app.get('/', handler);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  const closed = new Promise((resolve) => app.server.once('request', (_, response) => response.once('close', resolve)));
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  return { ends, socket, closed };
}

test('a request ends once when its response was sent', async () => {
  const { ends, closed } = await serving(async (_, reply) => reply.code(202).send('x'));
  await closed;
  expect(ends).toEqual([{ status: 202, hasHungUp: false }]);
});

test('a request whose client hangs up before the answer ends once, when its result is known', async () => {
  const started = Promise.withResolvers<void>();
  const result = Promise.withResolvers<void>();
  const { ends, socket, closed } = await serving(async (_, reply) => {
    started.resolve();
    await result.promise;
    return reply.code(201).send('x');
  });
  await started.promise;
  socket.destroy();
  await closed;
  expect(ends).toEqual([]);
  result.resolve();
  await expect.poll(() => ends).toEqual([{ status: 201, hasHungUp: true }]);
  await app.close();
  expect(ends).toHaveLength(1);
});

test('a request whose client hangs up while the response is being sent ends once', async () => {
  const { ends, socket, closed } = await serving(async (_, reply) => {
    const body = new Readable({ read() {} });
    body.push('the first part');
    return reply.send(body);
  });
  await once(socket, 'data');
  socket.destroy();
  await closed;
  await app.close();
  expect(ends).toEqual([{ status: 200, hasHungUp: true }]);
});

test('a stream of events ends once when its client leaves, which is not hanging up', async () => {
  const { ends, socket, closed } = await serving(async (_, reply) => {
    reply.hijack();
    reply.raw.writeHead(200).write('data: {}\n\n');
    return reply;
  });
  await once(socket, 'data');
  expect(ends).toEqual([]);
  socket.destroy();
  await closed;
  expect(ends).toEqual([{ status: 200, hasHungUp: false }]);
});
