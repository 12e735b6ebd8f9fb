import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { isLoopback, networkOf } from './network.ts';

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
