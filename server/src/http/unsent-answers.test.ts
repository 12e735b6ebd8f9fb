import { once } from 'node:events';
import { connect } from 'node:net';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { countUnsentAnswers } from './unsent-answers.ts';

const MIB = 1024 * 1024;

test('large answers that nobody reads count until their connection ends, for whoever asked', async () => {
  const app = Fastify();
  const hasTooMuch = countUnsentAnswers(app, 10 * MIB);
  app.get('/', (request, reply) => {
    request.asker = 'ann';
    return reply.send(Buffer.alloc(8 * MIB));
  });
  const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
  const ask = async () => {
    const socket = connect(port, '127.0.0.1').pause();
    await once(socket, 'connect');
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    return socket;
  };
  try {
    const sockets = [await ask(), await ask()];
    await expect.poll(() => hasTooMuch('ann')).toBe(true);
    expect(hasTooMuch('ben')).toBe(false);
    sockets[0]?.destroy();
    await expect.poll(() => hasTooMuch('ann')).toBe(false);
    const [, second] = sockets;
    second?.resume();
    second?.destroy();
    // What was read to its end no longer counts.
    await fetch(`http://127.0.0.1:${port}/`).then((answer) => answer.arrayBuffer());
    expect(hasTooMuch('ann')).toBe(false);
  } finally {
    app.server.closeAllConnections();
    await app.close();
  }
});
