import { once } from 'node:events';
import net from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Line, openLine } from './line.ts';

let far: net.Server;
let heard: string;
let line: Line;

/** Says back what it hears, in capitals. */
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
  line = await openLine((far.address() as net.AddressInfo).port);
});

afterEach(async () => {
  await line.close();
  far.close();
});

/** Connects, says something, and waits until so much was answered or the connection is gone. */
async function say(text: string, plan: Parameters<Line['plan']>[1] = {}): Promise<{ answer: string; gone: boolean }> {
  const socket = net.connect(line.port, '127.0.0.1');
  await once(socket, 'connect');
  line.plan(socket.localPort ?? 0, plan);
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

test('a line without a plan passes everything on', async () => {
  expect(await say('deliver')).toEqual({ answer: 'DELIVER', gone: false });
});

test.each([0, 1, 4, 6])('a request is cut after byte %i', async (bytes) => {
  expect(await say('deliver', { cutRequestAt: bytes })).toMatchObject({ gone: true });
  await expect.poll(() => heard).toBe('deliver'.slice(0, bytes));
});

test.each([1, 4, 6])('an answer is cut after byte %i', async (bytes) => {
  expect(await say('deliver', { cutAnswerAt: bytes })).toEqual({ answer: 'DELIVER'.slice(0, bytes), gone: true });
});

test('an answer is lost after the request has arrived whole', async () => {
  expect(await say('deliver', { cutAnswerAt: 0 })).toEqual({ answer: '', gone: true });
  expect(heard).toBe('deliver');
});

test('what is held comes through when it is released', async () => {
  line.hold();
  const said = say('deliver');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(heard).toBe('');
  line.release();
  expect(await said).toEqual({ answer: 'DELIVER', gone: false });
});

test('what is held when the line is cut never arrives', async () => {
  line.hold();
  const said = say('deliver');
  await new Promise((resolve) => setTimeout(resolve, 50));
  line.cut();
  line.release();
  expect(await said).toEqual({ answer: '', gone: true });
  expect(heard).toBe('');
});

test('the answer to a known text is lost, and others are not', async () => {
  const lost: string[] = [];
  line.loseAnswerTo('the key', () => lost.push(heard));
  expect(await say('another')).toEqual({ answer: 'ANOTHER', gone: false });
  expect(await say('with the key')).toEqual({ answer: '', gone: true });
  expect(lost).toEqual(['anotherwith the key']);
});
