import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isLoopback, networkOf } from './network.ts';
import type { OnRequestEnd } from './request-end.ts';

/**
 * Closes new connections from a network that already has `max` of them, so that one client cannot take all the
 * connections of the server. Connections from this machine do not count: they may be those of a proxy.
 */
export function limitConnections(server: Server, max: number, isExempt = isLoopback): void {
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    if (isExempt(network)) return;
    const before = open.get(network) ?? 0;
    if (before >= max) {
      socket.destroy();
      return;
    }
    open.set(network, before + 1);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
  });
}

/** Browsers and proxies wait for an answer before they send the next request. */
const MAX_UNANSWERED = 16;

/** Closes connections on which a client sends many requests without reading the answers: each of them takes memory. */
export function limitPipelining(app: FastifyInstance, onRequestEnd: OnRequestEnd, max = MAX_UNANSWERED): void {
  const unanswered = new WeakMap<Socket, number>();
  const add = ({ socket }: FastifyRequest, change: 1 | -1): number => {
    const count = (unanswered.get(socket) ?? 0) + change;
    unanswered.set(socket, count);
    return count;
  };
  app.addHook('onRequest', (request, _reply, done) => {
    if (add(request, 1) > max) request.socket.destroy();
    else done();
  });
  onRequestEnd((request) => void add(request, -1));
}
