import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../testing.ts';

let shop: TestApp;
let port: number;

beforeAll(async () => {
  shop = await testApp('SQLite');
  await shop.app.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = shop.app.server.address() as { port: number });
});
afterAll(() => shop.close());

const host = 'Host: 127.0.0.1\r\n';

test.each([
  ['bytes that are not HTTP', '\u0016\u0003\u0001\u0002\r\n\r\n', 400, 'malformed'],
  ['a header with a control character', `GET / HTTP/1.1\r\n${host}X: \u0001\r\n\r\n`, 400, 'malformed'],
  ['two lengths', `POST /login HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\nx`, 400, 'malformed'],
  [
    'a length and chunks, as in request smuggling',
    `POST /login HTTP/1.1\r\n${host}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
    'malformed',
  ],
  ['a URL that cannot be decoded', `GET /%zz<script> HTTP/1.1\r\n${host}\r\n`, 400, 'malformed'],
  ['an id that is far too long', `GET /uploads/${'a'.repeat(300)} HTTP/1.1\r\n${host}\r\n`, 404, 'not_found'],
  ['no host', 'GET /inventory-items HTTP/1.1\r\n\r\n', 400, 'malformed'],
  ['an unknown expectation', `GET / HTTP/1.1\r\n${host}Expect: tea\r\n\r\n`, 400, 'malformed'],
  ['headers without end', `GET / HTTP/1.1\r\n${host}X: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
])(
  '%s: refused like any other request, with all security headers and without echoing the input',
  async (_, sent, status, code) => {
    const [head = '', body = ''] = (await responseTo(sent)).split('\r\n\r\n');
    expect(head.split('\r\n')[0]).toContain(` ${status} `);
    expect(head.toLowerCase()).toContain("content-security-policy: default-src 'none'; frame-ancestors 'none'");
    expect(head.toLowerCase()).toContain('x-content-type-options: nosniff');
    expect(head.toLowerCase()).toContain('content-type: application/problem+json');
    expect(JSON.parse(body)).toMatchObject({ status, code });
    expect(body).not.toContain('script');
  },
);

function responseTo(sent: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(sent));
    socket.on('data', (data) => {
      answer += data;
      // The server closes the connection after some of these requests only, so the client closes it after a complete
      // response.
      const length = Number(/content-length: (\d+)/i.exec(answer)?.[1] ?? Number.NaN);
      if ((answer.split('\r\n\r\n')[1]?.length ?? -1) >= length) socket.end();
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}
