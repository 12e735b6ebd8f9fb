import { once } from 'node:events';
import net from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openProxy, type TcpProxy } from './tcp-proxy.ts';

let far: net.Server;
let heard: string;
let proxy: TcpProxy;

/** Starts a server that echoes its input in capitals. */
beforeEach(async () => {
  heard = '';
  far = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      heard += bytes;
      socket.write(String(bytes).toUpperCase());
    });
  });
  far.listen(0, '127.0.0.1');
  await once(far, 'listening');
  proxy = await openProxy((far.address() as net.AddressInfo).port);
});

afterEach(async () => {
  await proxy.close();
  far.close();
});

/** Connects, sends a text, and waits for a response of the same length or the end of the connection. */
async function sendText(
  text: string,
  plan: Parameters<TcpProxy['plan']>[1] = {},
): Promise<{ answer: string; gone: boolean }> {
  const socket = net.connect(proxy.port, '127.0.0.1');
  await once(socket, 'connect');
  proxy.plan(socket.localPort ?? 0, plan);
  let answer = '';
  const gone = new Promise<boolean>((resolve) => {
    socket.on('error', () => resolve(true));
    socket.on('close', () => resolve(true));
    socket.on('data', (bytes) => {
      answer += bytes;
      if (answer.length >= text.length) resolve(false);
    });
  });
  socket.write(text);
  const ended = await gone;
  socket.destroy();
  return { answer, gone: ended };
}

test('without a plan everything is forwarded', async () => {
  expect(await sendText('deliver')).toEqual({ answer: 'DELIVER', gone: false });
});

test.each([0, 1, 4, 6])('a request is cut after byte %i', async (bytes) => {
  expect(await sendText('deliver', { cutRequestAt: bytes })).toMatchObject({ gone: true });
  await expect.poll(() => heard).toBe('deliver'.slice(0, bytes));
});

test.each([1, 4, 6])('a response is cut after byte %i', async (bytes) => {
  expect(await sendText('deliver', { cutAnswerAt: bytes })).toEqual({ answer: 'DELIVER'.slice(0, bytes), gone: true });
});

test('a response is lost after the complete request has arrived', async () => {
  expect(await sendText('deliver', { cutAnswerAt: 0 })).toEqual({ answer: '', gone: true });
  expect(heard).toBe('deliver');
});

test('held bytes are forwarded when they are released', async () => {
  proxy.hold();
  const result = sendText('deliver');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(heard).toBe('');
  proxy.release();
  expect(await result).toEqual({ answer: 'DELIVER', gone: false });
});

test('held bytes never arrive after a cut', async () => {
  proxy.hold();
  const result = sendText('deliver');
  await new Promise((resolve) => setTimeout(resolve, 50));
  proxy.cut();
  proxy.release();
  expect(await result).toEqual({ answer: '', gone: true });
  expect(heard).toBe('');
});

test('only the response to a given text is lost', async () => {
  const lost: string[] = [];
  proxy.loseResponseTo('the key', () => lost.push(heard));
  expect(await sendText('another')).toEqual({ answer: 'ANOTHER', gone: false });
  expect(await sendText('with the key')).toEqual({ answer: '', gone: true });
  expect(lost).toEqual(['anotherwith the key']);
});
