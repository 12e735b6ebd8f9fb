import { connect, type Socket } from 'node:net';

const MS_PER_BYTE = 1_000;
const BIG_RESPONSE = '/inventory-items?limit=200';

/**
 * Connects slow clients, a third of each kind: endless headers, a body sent byte by byte, a response that is never
 * read. A client that is disconnected reconnects at once.
 */
export async function holdSlowClients(url: string, count: number): Promise<{ leave(): void }> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let leaving = false;

  function come(kind: number): void {
    if (leaving) return;
    const socket = connect(Number(port), hostname);
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('connect', () => begin(socket, kind));
    const drip = setInterval(
      () => kind < 2 && socket.writable && socket.write(kind === 0 ? 'X-a: b\r\n' : ' '),
      MS_PER_BYTE,
    );
    socket.on('close', () => {
      clearInterval(drip);
      sockets.delete(socket);
      setTimeout(come, 100, kind);
    });
  }

  for (let n = 0; n < count; n++) come(n % 3);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  return {
    leave() {
      leaving = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}

function begin(socket: Socket, kind: number): void {
  const host = 'Host: slow\r\n';
  if (kind === 0) socket.write(`GET / HTTP/1.1\r\n${host}`);
  else if (kind === 1)
    socket.write(`POST /login HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n`);
  else {
    socket.pause();
    // The client sends many requests and reads no response: the server must not buffer them all.
    socket.write(`GET ${BIG_RESPONSE} HTTP/1.1\r\n${host}\r\n`.repeat(20));
  }
}
