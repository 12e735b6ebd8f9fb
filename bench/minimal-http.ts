import { createServer, type IncomingMessage } from 'node:http';
import type { perfume } from './perfumes.ts';

type Row = Record<string, unknown>;
type Answer<T> = T | Promise<T>;

/**
 * Serves the whole API of the minimal server. As in our product, the difference between the body's quantity and
 * `Stock-Base` is what changes.
 */
export function serveMinimal(store: {
  list(): Answer<Row[]>;
  /** Some items from all over the table. */
  sample(): Answer<Row[]>;
  one(id: string): Answer<Row[]>;
  search(q: string): Answer<Row[]>;
  deliver(id: string, delta: number): Answer<Row | undefined>;
  create(item: ReturnType<typeof perfume>): Answer<Row | undefined>;
}): void {
  const server = createServer(async (request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const params = new URLSearchParams(query);
    const id = params.get('_id');
    const q = params.get('q');
    let answer: Row | Row[] | undefined;
    response.setHeader('content-type', 'application/json');
    try {
      answer = await answerTo();
    } catch {
      response.statusCode = 503;
    }
    response.end(JSON.stringify(answer ?? null));

    async function answerTo(): Promise<Row | Row[] | undefined> {
      if (request.method === 'PUT') {
        const body = JSON.parse(await read(request)) as { quantity: string };
        return store.deliver(
          path.slice(path.lastIndexOf('/') + 1),
          Number(body.quantity) - Number(request.headers['stock-base']),
        );
      }
      if (request.method === 'POST') {
        return store.create(JSON.parse(await read(request)));
      }
      if (path === '/sample') return store.sample();
      if (id !== null) return store.one(id);
      return q === null ? store.list() : store.search(q);
    }
  });
  server.keepAliveTimeout = 65_000;
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
  });
}

async function read(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += part;
  return text;
}
