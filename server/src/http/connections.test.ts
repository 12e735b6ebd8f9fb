import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { limitConnections, limitPipelining } from './connections.ts';
import { requestEnds } from './request-end.ts';

test('a network has a limited number of connections, and gets a place back when one is closed', async () => {
  const server = createServer((_, response) => response.end('x'));
  limitConnections(server, 2, () => false);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const isServed = async (socket: Socket) => {
    const end = Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)]);
    socket.on('error', () => {}).write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    return end;
  };
  const open = () => connect(port, '127.0.0.1');
  const [first, second] = [open(), open()];
  expect(await Promise.all([isServed(first), isServed(second)])).toEqual([true, true]);
  expect(await isServed(open())).toBe(false);
  first.destroy();
  await expect.poll(() => isServed(open())).toBe(true);
  server.closeAllConnections();
  server.close();
});

test('a connection with many unanswered requests is closed, and one that waits for its answers is not', async () => {
  const app = Fastify();
  limitPipelining(app, requestEnds(app), 4);
  app.get('/', async () => 'x');
  const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
  const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
  try {
    const patient = connect(port, '127.0.0.1');
    for (let n = 0; n < 10; n++) {
      patient.write(GET);
      expect(String((await once(patient, 'data'))[0])).toContain('200 OK');
    }
    const greedy = connect(port, '127.0.0.1').on('error', () => {});
    greedy.pause().write(GET.repeat(50));
    greedy.resume();
    await once(greedy, 'close');
  } finally {
    app.server.closeAllConnections();
    await app.close();
  }
});
