import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { ChangeEvent } from '@perfume/contract/feed';
import type { TestApp } from '../src/testing.ts';

/** Opens the change feed over a real connection, as a screen does, and collects the events it receives. */
export async function watch(server: TestApp, cookie: string, lastEventId?: string, path = '/events') {
  if (!server.app.server.listening) await server.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.app.server.address() as { port: number };
  const headers = { cookie, ...(lastEventId ? { 'last-event-id': lastEventId } : {}) };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, headers }, resolve).on('error', reject);
  });
  let text = '';
  let wake = () => {};
  answer.setEncoding('utf8').on('data', (part: string) => {
    text += part;
    wake();
  });
  answer.on('error', () => {});
  const ended = once(answer, 'end');
  ended.catch(() => {});
  const closed = new Promise((resolve) => answer.once('close', resolve));
  if (answer.statusCode !== 200) throw new Error(String(answer.statusCode));
  async function until<T>(find: () => T | null): Promise<T> {
    for (;;) {
      const found = find();
      if (found !== null) return found;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  await until(() => (text.includes('event: hello') ? true : null));
  function receiveUntil(isEnough: (events: ChangeEvent[]) => boolean): Promise<ChangeEvent[]> {
    return until(() => {
      const events = [...text.matchAll(/^data: (\{"id".*)\n/gm)].map((match) => JSON.parse(match[1] ?? ''));
      return isEnough(events) ? events : null;
    });
  }
  return {
    received: (count: number) => receiveUntil((events) => events.length >= count),
    receivedUpTo: (last: string | undefined) => receiveUntil((events) => events.some(({ id }) => id === last)),
    text: () => text,
    receivedText: (part: string) => until(() => (text.includes(part) ? true : null)),
    ended,
    closed,
    close: () => answer.destroy(),
  };
}
