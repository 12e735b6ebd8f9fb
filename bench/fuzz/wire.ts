import { connect, type Socket } from 'node:net';

/** A raw request, as no normal client would send it. */
export type RawRequest = {
  method: string;
  target: string;
  version: '1.0' | '1.1';
  headers: [name: string, value: string][];
  body: Buffer | null;
  /** How the body is framed; `both` is contradictory, as in request smuggling. */
  framing: 'length' | 'chunked' | 'both';
};

export type Answer = { status: number; headers: Record<string, string>; body: string; ms: number };
export type Outcome =
  | { ok: true; answer: Answer }
  | { ok: false; reason: 'no response in time' | 'cut off'; ms: number };

const TIMEOUT_MS = 5_000;

function bytesOf(request: RawRequest): Buffer {
  const { method, target, version, headers, body, framing } = request;
  const lines = [`${method} ${target} HTTP/${version}`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  if (body && (framing === 'length' || framing === 'both')) lines.push(`Content-Length: ${body.length}`);
  if (body && (framing === 'chunked' || framing === 'both')) lines.push('Transfer-Encoding: chunked');
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'utf8');
  if (!body) return head;
  return Buffer.concat([head, framing === 'length' ? body : chunked(body)]);
}

function chunked(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  const size = Math.max(1, Math.ceil(body.length / 3));
  for (let at = 0; at < body.length; at += size) {
    const part = body.subarray(at, at + size);
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}

/** Sends raw requests over connections that are reused: a hundred thousand new ones would exhaust the ports. */
export function wireTo(url: string) {
  const { hostname, port } = new URL(url);
  const idle: Socket[] = [];

  async function ask(request: RawRequest): Promise<Outcome> {
    const bytes = bytesOf(request);
    let kept = idle.pop();
    while (kept && (kept.destroyed || !kept.writable)) kept = idle.pop();
    if (kept) {
      const outcome = await exchange(kept, request, bytes);
      // A server may close an idle connection at the moment it is reused; that says nothing about the request.
      if (outcome.ok || outcome.reason !== 'cut off') return outcome;
    }
    return exchange(connect(Number(port), hostname), request, bytes);
  }

  function exchange(socket: Socket, request: RawRequest, bytes: Buffer): Promise<Outcome> {
    return new Promise((resolve) => {
      const startedAt = performance.now();
      let seen: Buffer = Buffer.alloc(0);
      function finish(read: Read | null, otherwise: 'no response in time' | 'cut off'): void {
        clearTimeout(timer);
        socket.off('data', onData).off('close', onEnd);
        const ms = performance.now() - startedAt;
        if (read?.reusable && !socket.destroyed) idle.push(socket);
        else socket.destroy();
        resolve(read ? { ok: true, answer: { ...read, ms } } : { ok: false, reason: otherwise, ms });
      }
      const timer = setTimeout(() => finish(null, 'no response in time'), TIMEOUT_MS);
      const onData = (data: Buffer) => {
        seen = seen.length === 0 ? data : Buffer.concat([seen, data]);
        const read = readAnswer(seen, request.method, false);
        if (read) finish(read, 'cut off');
      };
      const onEnd = () => finish(readAnswer(seen, request.method, true), 'cut off');
      if (socket.listenerCount('error') === 0) socket.setNoDelay(true).on('error', () => {});
      socket.on('data', onData).on('close', onEnd);
      socket.write(bytes);
    });
  }

  return {
    ask,
    close() {
      for (const socket of idle.splice(0)) socket.destroy();
    },
  };
}

type Read = { status: number; headers: Record<string, string>; body: string; reusable: boolean };

/**
 * Reads the complete response; null if more bytes are needed. For an endless event stream the first chunk is enough.
 */
function readAnswer(seen: Buffer, method: string, ended: boolean): Read | null {
  const gap = seen.indexOf('\r\n\r\n');
  if (gap < 0) return null;
  const [first = '', ...lines] = seen.subarray(0, gap).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1] ?? Number.NaN);
  const rest = seen.subarray(gap + 4);
  if (status === 100) return readAnswer(rest, method, ended);
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
  }
  const reusable = !ended && headers.connection?.toLowerCase() !== 'close';
  const done = (body: string, keep = reusable) => ({ status, headers, body, reusable: keep });
  if (method === 'HEAD' || status === 204 || status === 304) return done('');
  if (headers['content-type']?.startsWith('text/event-stream')) return done(rest.toString('utf8'), false);
  if (headers['transfer-encoding'] === 'chunked') {
    const body = joinChunks(rest);
    return body === null ? null : done(body);
  }
  const length = headers['content-length'];
  if (length === undefined) return ended ? done(rest.toString('utf8'), false) : null;
  if (rest.length < Number(length)) return null;
  // Bytes after the response would mean that two parsers disagree about the end of the request.
  return done(rest.subarray(0, Number(length)).toString('utf8'), reusable && rest.length === Number(length));
}

function joinChunks(bytes: Buffer): string | null {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = bytes.indexOf('\r\n', at);
    if (line < 0) return null;
    const size = Number.parseInt(bytes.subarray(at, line).toString('latin1'), 16);
    if (bytes.length < line + 2 + size + 2) return null;
    if (size === 0) return Buffer.concat(parts).toString('utf8');
    parts.push(bytes.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
}

/** The same request as a curl command. */
export function curlOf(url: string, { method, target, version, headers, body, framing }: RawRequest): string {
  const parts = ['curl', '-i', '--path-as-is', '-m', '6', `--http${version}`, '-X', quoted(method)];
  for (const [name, value] of headers) parts.push('-H', quoted(value === '' ? `${name};` : `${name}: ${value}`));
  if (body && (framing === 'chunked' || framing === 'both')) parts.push('-H', quoted('Transfer-Encoding: chunked'));
  if (body) parts.push('--data-binary', quoted(body));
  const own = target.startsWith('/');
  return [...parts, ...(own ? [] : ['--request-target', quoted(target)]), quoted(own ? url + target : url)].join(' ');
}

function quoted(given: string | Buffer): string {
  const bytes = Buffer.from(given);
  if (/^[\w@%+=:,./-]+$/.test(bytes.toString('latin1'))) return bytes.toString('latin1');
  const escaped = [...bytes].map((byte) => {
    const character = String.fromCharCode(byte);
    if (character === "'" || character === '\\') return `\\${character}`;
    return byte >= 0x20 && byte < 0x7f ? character : `\\x${byte.toString(16).padStart(2, '0')}`;
  });
  return `$'${escaped.join('')}'`;
}
