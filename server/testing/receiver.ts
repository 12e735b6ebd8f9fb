import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Received = { id: string; body: string; headers: Record<string, string>; event: ReceivedEvent };
export type ReceivedEvent = {
  type: string;
  timestamp: string;
  data: {
    item?: { _id: string; quantity: string };
    movement?: { id: string; delta: number; quantityAfter: number; kind: string };
    entry?: { id: string; kind: string; changes: { field: string }[] };
    alert?: { kind: string; quantity: number; lowAt: number };
  };
};
type Answer = (response: ServerResponse, received: Received, request: IncomingMessage) => unknown;

/** Starts a server that receives webhooks, keeps what it got and answers as it is told to. */
export async function startReceiver(answer: Answer = (response) => response.writeHead(204).end()) {
  const received: Received[] = [];
  const receiver = {
    received,
    answer,
    url: '',
    /** The events of one item, without those that came again. */
    eventsOf(itemId: string): ReceivedEvent[] {
      const first = new Map(received.toReversed().map((one) => [one.id, one]));
      const firsts = received.filter((one) => first.get(one.id) === one);
      return firsts.map(({ event }) => event).filter(({ data }) => data.item?._id === itemId);
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const server = createServer(async (request, response) => {
    response.on('error', () => {});
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString('utf8');
    const headers = request.headers as Record<string, string>;
    const one = { id: headers['webhook-id'] ?? '', body, headers, event: JSON.parse(body) as ReceivedEvent };
    received.push(one);
    await receiver.answer(response, one, request);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return receiver;
}
