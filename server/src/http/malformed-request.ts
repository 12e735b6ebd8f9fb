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

const READ_WITHIN_MS = 1_000;

/**
 * What is refused before any hook runs: bytes that are no HTTP, addresses that cannot be decoded, an expectation nobody
 * has heard of. Such an answer looks like every other refusal, and ends a connection that nothing more can be read from.
 */
export function handleMalformedRequests(config: Config) {
  const headers = commonHeaders(config);
  return {
    options: {
      // Node would refuse it with a bare line of its own.
      http: { requireHostHeader: false },
      clientErrorHandler(error: NodeJS.ErrnoException, socket: Socket): void {
        if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
        else lastWord(socket, rawAnswer(new Problem(codes[error.code ?? ''] ?? 'malformed'), headers));
      },
      frameworkErrors(error: Error, request: FastifyRequest, reply: FastifyReply): void {
        reply.headers(headers).header('x-request-id', request.id);
        sendProblem(error, request, reply);
      },
    },
    attach(app: FastifyInstance): void {
      app.server.on('checkExpectation', ({ socket }) => {
        lastWord(socket, rawAnswer(new Problem('malformed'), headers));
      });
      app.addHook('onRequest', (request, _reply, done) => {
        const isHostless = request.headers.host === undefined && request.raw.httpVersion !== '1.0';
        done(isHostless ? new Problem('malformed') : undefined);
      });
    },
  };
}

/** Said, and then the connection is over. Cut at once, the answer could be lost behind what still comes in. */
function lastWord(socket: Socket, answer: string): void {
  socket.end(answer);
  setTimeout(() => socket.destroy(), READ_WITHIN_MS).unref();
}

function rawAnswer(problem: Problem, headers: Record<string, string>): string {
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
