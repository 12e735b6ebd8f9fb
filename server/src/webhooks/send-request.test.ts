import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { isPublic, receivers } from './receivers.ts';
import { type Resolve, sendRequest } from './send-request.ts';

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** Starts a server that says what it is told to, which need not be HTTP. Returns its port and what it was sent. */
async function startLiar(speak: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const heard: string[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('data', (data) => heard.push(String(data)));
    speak(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return { port: typeof address === 'object' ? (address?.port ?? 0) : 0, heard, sockets };
}

const message = { id: 'one', at: 1_000, body: '{"type":"webhook.test"}', secrets: ['whsec_c2VjcmV0'] };
const listed = receivers({ demo: true, webhookPrivateHosts: ['127.0.0.1'] });
const strict = receivers({ demo: true, webhookPrivateHosts: [] });
const post = (url: string, more: { receivers?: typeof listed; resolve?: Resolve } = {}) =>
  sendRequest(url, message, { receivers: listed, timeLimitMs: 500, ...more });

test('a success is the status alone, even if the connection breaks then or the body never ends', async () => {
  const closing = await startLiar((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n'));
  expect(await post(`http://127.0.0.1:${closing.port}/`)).toEqual({ ok: true, status: 200 });
  const endless = await startLiar((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
    const timer = setInterval(() => socket.write(`400\r\n${'x'.repeat(1_024)}\r\n`), 1);
    socket.on('close', () => clearInterval(timer));
  });
  expect(await post(`http://127.0.0.1:${endless.port}/`)).toEqual({ ok: true, status: 200 });
  await expect.poll(() => [...endless.sockets].every(({ destroyed }) => destroyed)).toBe(true);
});

test('who says nothing, or only a little at a time, is not waited for', async () => {
  const silent = await startLiar(() => {});
  expect(await post(`http://127.0.0.1:${silent.port}/`)).toEqual({ ok: false, status: null, reason: 'timeout' });
  const slow = await startLiar((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    const timer = setInterval(() => socket.write('x-more: 1\r\n'), 50);
    socket.on('close', () => clearInterval(timer));
  });
  expect(await post(`http://127.0.0.1:${slow.port}/`)).toEqual({ ok: false, status: null, reason: 'timeout' });
});

test('what is no answer, or one with too much before its body, is a failure', async () => {
  const huge = await startLiar((socket) => socket.write(`HTTP/1.1 200 OK\r\nx-huge: ${'x'.repeat(20_000)}\r\n\r\n`));
  expect(await post(`http://127.0.0.1:${huge.port}/`)).toEqual({ ok: false, status: null, reason: 'unreachable' });
  // A response that is only announced, again and again, ends long before the time limit.
  const announcing = await startLiar((socket) => {
    const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 1);
    socket.on('close', () => clearInterval(timer));
  });
  expect(await post(`http://127.0.0.1:${announcing.port}/`)).toEqual({
    ok: false,
    status: null,
    reason: 'unreachable',
  });
  const noise = await startLiar((socket) => socket.end('220 mail.example ESMTP\r\n'));
  expect(await post(`http://127.0.0.1:${noise.port}/`)).toEqual({ ok: false, status: null, reason: 'unreachable' });
  const redirect = await startLiar((socket) => socket.end('HTTP/1.1 302 Found\r\nLocation: http://10.0.0.1/\r\n\r\n'));
  expect(await post(`http://127.0.0.1:${redirect.port}/`)).toEqual({ ok: false, status: 302, reason: 'redirect' });
});

test('nothing is sent to a private address: not by its number, not by a name, not by one name of two', async () => {
  const inside = await startLiar((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
  const unreachable = { ok: false, status: null, reason: 'unreachable' };
  const refused = (host: string, addresses: string[] = []) =>
    post(`http://${host}:${inside.port}/`, { receivers: strict, resolve: async () => addresses });
  expect(await refused('127.0.0.1')).toEqual(unreachable);
  expect(await refused('[::ffff:127.0.0.1]')).toEqual(unreachable);
  expect(await refused('hooks.example', ['127.0.0.1'])).toEqual(unreachable);
  expect(await refused('hooks.example', ['93.184.215.14', '127.0.0.1'])).toEqual(unreachable);
  expect(await refused('hooks.example', ['::ffff:7f00:1'])).toEqual(unreachable);
  expect(await refused('hooks.example', [])).toEqual(unreachable);
  expect(inside.heard).toEqual([]);
  expect(inside.sockets.size).toBe(0);
});

test('a name is looked up once for each request, so that a second answer cannot lead elsewhere', async () => {
  let lookups = 0;
  const resolve = async () => (lookups++ === 0 ? ['127.0.0.1'] : ['93.184.215.14']);
  await post('http://hooks.example:9/', { receivers: strict, resolve });
  expect(lookups).toBe(1);
});

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '192.0.0.8',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:10.0.0.1',
  '64:ff9b::a00:1',
  '2001:db8::1',
  '2002:a00:1::',
  'fc00::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  'hooks.example',
])('%s is not on the internet', (address) => {
  expect(isPublic(address)).toBe(false);
});

test.each(['93.184.215.14', '8.8.8.8', '2606:4700:4700::1111', '::ffff:8.8.8.8'])(
  '%s is on the internet',
  (address) => {
    expect(isPublic(address)).toBe(true);
  },
);

test('plain http is for the demo and for hosts that the operator listed', () => {
  const production = receivers({ demo: false, webhookPrivateHosts: ['erp.internal', '10.0.0.7:8443'] });
  const faults = (urls: string[]) => urls.map((url) => production.fault(new URL(url)));
  expect(faults(['https://hooks.example/', 'http://erp.internal:81/', 'https://10.0.0.7:8443/'])).toEqual([
    null,
    null,
    null,
  ]);
  expect(faults(['http://hooks.example/', 'https://10.0.0.7/', 'https://10.0.0.7:9/'])).toEqual([
    'not_https',
    'private_address',
    'private_address',
  ]);
});
