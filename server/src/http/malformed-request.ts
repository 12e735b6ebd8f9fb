import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ProblemCode, problems } from '@perfume/contract/problems';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { commonHeaders } from './headers.ts';
import { Problem, problemBody, sendProblem } from './problem.ts';

const codes: Record<string, ProblemCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'too_slow',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
};

const CLOSE_AFTER_MS = 1_000;

/**
 * Handles requests that are refused before any hook runs: bytes that are not HTTP, URLs that cannot be decoded, unknown
 * Expect headers. They get the same problem+json and security headers as any other refusal, and an unusable connection
 * is closed.
 */
export function handleMalformedRequests(config: Config) {
  const headers = commonHeaders(config);
  return {
    options: {
      // Otherwise Node itself refuses a request without a Host header, and its response lacks our headers and body.
      http: { requireHostHeader: false },
      clientErrorHandler(error: NodeJS.ErrnoException, socket: Socket): void {
        if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
        else respondAndClose(socket, rawResponse(new Problem(codes[error.code ?? ''] ?? 'malformed'), headers));
      },
      frameworkErrors(error: Error, request: FastifyRequest, reply: FastifyReply): void {
        reply.headers(headers).header('x-request-id', request.id);
        sendProblem(error, request, reply);
      },
    },
    attach(app: FastifyInstance): void {
      app.server.on('checkExpectation', ({ socket }) => {
        respondAndClose(socket, rawResponse(new Problem('malformed'), headers));
      });
      app.addHook('onRequest', (request, _reply, done) => {
        const lacksHost = request.headers.host === undefined && request.raw.httpVersion !== '1.0';
        done(lacksHost ? new Problem('malformed') : undefined);
      });
    },
  };
}

/**
 * Responds, and closes the connection a second later. Closing at once could lose the response while the client is still
 * sending.
 */
function respondAndClose(socket: Socket, response: string): void {
  socket.end(response);
  setTimeout(() => socket.destroy(), CLOSE_AFTER_MS).unref();
}

function rawResponse(problem: Problem, headers: Record<string, string>): string {
  const { status } = problems[problem.code];
  const requestId = randomUUID();
  const body = JSON.stringify(problemBody(problem, requestId));
  const lines = Object.entries({
    ...headers,
    'x-request-id': requestId,
    'cache-control': 'no-store',
    'content-type': 'application/problem+json',
    'content-length': String(Buffer.byteLength(body)),
    date: new Date().toUTCString(),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}
