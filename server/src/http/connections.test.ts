import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { limitConnections } from './connections.ts';

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
