import type { FastifyInstance } from 'fastify';
import { Problem } from './problem.ts';

const PLAIN_NUMBER = /^-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?$/;
const MAX_NUMBER_LENGTH = 17;

/**
 * Parses JSON without silent rounding: a number that a double cannot hold as written (1e-400, -0,
 * 12.000000000000000001) becomes NaN, so the field's validation refuses it instead of storing a different value.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, reviveStrictly as (key: string, value: unknown) => unknown);
  } catch {
    throw new Problem('malformed');
  }
}

function reviveStrictly(key: string, value: unknown, context: { source?: string }): unknown {
  if (key === '__proto__') throw new SyntaxError('__proto__ is not a field');
  if (typeof value !== 'number') return value;
  const source = context.source ?? '';
  return source !== '-0' && source.length <= MAX_NUMBER_LENGTH && PLAIN_NUMBER.test(source) ? value : Number.NaN;
}

/** Accepts JSON bodies only. An empty body counts as no body, even with a content type. */
export function acceptOnlyJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    const text = body as string;
    if (text === '') return done(null, undefined);
    try {
      done(null, parseJson(text));
    } catch (error) {
      done(error as Error);
    }
  });
}
