import http from 'node:http';
import net from 'node:net';
import { perfume } from '../perfumes.ts';
import type { Action } from './history.ts';
import type { ConnectionPlan, TcpProxy } from './tcp-proxy.ts';

export type Answer = { status: number; body: string };

type Request = { method: string; path: string; headers: Record<string, string>; body: string };

/** The request for an operation. The same operation under the same key gives the same request, byte for byte. */
export function requestFor(action: Action, key: string | null, cookie: string): Request {
  const [method, path, more, content] = parts(action, key);
  const body = content === undefined ? '' : JSON.stringify(content);
  const headers: Record<string, string> = { cookie, ...more };
  if (key) headers['idempotency-key'] = key;
  if (content !== undefined) headers['content-type'] = 'application/json';
  if (method !== 'GET') headers['content-length'] = String(Buffer.byteLength(body));
  return { method, path, headers, body };
}

type Parts = [method: string, path: string, headers: Record<string, string>, content?: object];

function parts(action: Action, key: string | null): Parts {
  switch (action.what) {
    case 'put':
      return [
        'PUT',
        `/inventory-items/${action.item}`,
        { 'stock-base': String(action.base) },
        { quantity: String(action.base + action.delta) },
      ];
    case 'move': {
      const kind = action.delta < 0 ? 'deliver' : 'restock';
      // The note contains the key too, so that the checker recognises a movement that was stored again under another
      // id.
      const content = { kind, units: Math.abs(action.delta), note: key ?? '' };
      return ['POST', `/inventory-items/${action.item}/movements`, {}, content];
    }
    case 'undo':
      return ['POST', `/movements/${action.movement}/undo`, {}];
    case 'create':
      return [
        'POST',
        '/new-inventory-item',
        {},
        { ...perfume(1), name: action.name, quantity: String(action.quantity) },
      ];
    case 'delete':
      return ['DELETE', `/inventory-items/${action.item}`, {}];
    case 'restore':
      return ['POST', `/inventory-items/${action.item}/restore`, {}];
    case 'read-item':
      return ['GET', `/manage-inventory?_id=${action.item}`, {}];
    case 'read-ledger':
      return ['GET', `/inventory-items/${action.item}/movements?limit=20`, {}];
    case 'read-list':
      return ['GET', '/all-inventory-items?limit=50', {}];
  }
}

const agents = new WeakMap<TcpProxy, http.Agent>();

/** Sends one request and waits for the complete response; null if there is none in time. */
export function exchange(
  proxy: TcpProxy,
  request: Request,
  { timeoutMs, plan }: { timeoutMs: number; plan?: ConnectionPlan },
): Promise<Answer | null> {
  return new Promise((resolve) => {
    const sent = http.request({
      host: '127.0.0.1',
      port: proxy.port,
      method: request.method,
      path: request.path,
      headers: request.headers,
      signal: AbortSignal.timeout(timeoutMs),
      ...(plan ? { agent: false, createConnection: () => planned(proxy, plan) } : { agent: agentFor(proxy) }),
    });
    sent.on('error', () => resolve(null));
    sent.on('response', (answer) => {
      const chunks: Buffer[] = [];
      answer.on('error', () => resolve(null));
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
    });
    sent.end(request.body);
  });
}

/** Opens a connection for this request only. The proxy knows in advance what will happen to it. */
function planned(proxy: TcpProxy, plan: ConnectionPlan): net.Socket {
  const socket = net.connect({ host: '127.0.0.1', port: proxy.port, noDelay: true });
  socket.once('connect', () => proxy.plan(socket.localPort ?? 0, plan));
  return socket;
}

function agentFor(proxy: TcpProxy): http.Agent {
  const agent = agents.get(proxy) ?? new http.Agent({ keepAlive: true });
  agents.set(proxy, agent);
  return agent;
}
