import { type ProblemBody, type ProblemCode, problems } from '@perfume/contract/problems';
import { type FieldError, sentenceOf } from '@perfume/domain/field-errors';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { OutcomeUnknown, StoreUnavailable } from '../db/core/errors.ts';
import { annotateLog } from './access-log.ts';

type More = Partial<Pick<ProblemBody, 'onHand' | 'role' | 'item' | 'requestId'>> & {
  fields?: Record<string, FieldError>;
};

/** An expected refusal. `sendProblem` turns it into a response. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly more: More;

  constructor(code: ProblemCode, more: More = {}) {
    super(code);
    this.name = 'Problem';
    this.code = code;
    this.more = more;
  }
}

const RETRY_AFTER_SECONDS = '1';

/** The only error handler: every error becomes problem+json, and an unexpected one is logged with its stack trace. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = error instanceof Problem ? error : translate(error);
  if (problem.code === 'internal') request.log.error({ reqId: request.id, err: error }, 'unexpected');
  else if (problem.code === 'unavailable' || problem.code === 'outcome_unknown') {
    request.log.warn({ reqId: request.id, err: error }, problem.code);
  }
  annotateLog(request, { code: problem.code });
  const { status } = problems[problem.code];
  reply.code(status).header('content-type', 'application/problem+json').header('cache-control', 'no-store');
  if ((status === 503 || status === 429) && !reply.hasHeader('retry-after'))
    reply.header('retry-after', RETRY_AFTER_SECONDS);
  if (problem.code === 'invalid_token' || problem.code === 'invalid_key') reply.header('www-authenticate', 'Bearer');
  return reply.send(JSON.stringify(problemBody(problem, request.id)));
}

export function problemBody({ code, more: { fields, ...more } }: Problem, requestId: string): ProblemBody {
  const { status, detail } = problems[code];
  return {
    type: `urn:perfume-warehouse:${code}`,
    title: code.replaceAll('_', ' '),
    status,
    code,
    detail,
    requestId,
    ...(fields && {
      fields: mapValues(fields, sentenceOf),
      fieldCodes: mapValues(fields, (error) => error.code),
    }),
    ...more,
  };
}

function mapValues<From, To>(of: Record<string, From>, map: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [name, map(value)]));
}

function translate(error: unknown): Problem {
  if (error instanceof StoreUnavailable) return new Problem('unavailable');
  if (error instanceof OutcomeUnknown) return new Problem('outcome_unknown');
  // Fastify refuses these requests before their handler runs.
  const { code, statusCode } = error as Partial<FastifyError>;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || statusCode === 413) return new Problem('too_large');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' || statusCode === 415) return new Problem('not_json');
  if (code?.startsWith('FST_ERR_CTP_') || statusCode === 400) return new Problem('malformed');
  // Fastify refuses very long ids in paths. No such id exists.
  if (statusCode === 404 || code === 'FST_ERR_MAX_PARAM_LENGTH') return new Problem('not_found');
  return new Problem('internal');
}
