import type { FastifyInstance } from 'fastify';
import { Problem } from './problem.ts';

const PLAIN_NUMBER = /^-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?$/;
const MAX_NUMBER_LENGTH = 17;

/** The largest body of the contract has a few hundred values. Parsing tens of thousands would hold everybody up. */
const MAX_VALUES = 1_000;

/**
 * Parses JSON without silent rounding: a number that a double cannot hold as written (1e-400, -0,
 * 12.000000000000000001) becomes NaN, so the field's validation refuses it instead of storing a different value.
 */
export function parseJson(text: string): unknown {
  const { values, isPlain } = survey(text);
  if (values > MAX_VALUES) throw new Problem('too_large');
  try {
    // Almost every body is plain, and calling a function for each value takes five times as long.
    return isPlain ? JSON.parse(text) : JSON.parse(text, reviveStrictly as (key: string, value: unknown) => unknown);
  } catch {
    throw new Problem('malformed');
  }
}

/**
 * Counts the commas, colons and brackets outside of strings: no JSON has more values than those and one. Plain JSON has
 * nothing that `reviveStrictly` would change or refuse.
 */
function survey(text: string): { values: number; isPlain: boolean } {
  let values = 1;
  let isPlain = !text.includes('__proto__') && !text.includes('\\u');
  for (let at = 0; at < text.length && values <= MAX_VALUES; at++) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) at = endOfString(text, at);
    else if (SEPARATORS.has(character)) values++;
    else if (character === MINUS || (character >= ZERO && character <= NINE)) {
      NUMBER.lastIndex = at;
      const [source = ''] = NUMBER.exec(text) ?? [];
      isPlain &&= isPlainNumber(source);
      at += source.length - 1;
    }
  }
  return { values, isPlain };
}

const NUMBER = /-?[0-9.eE+-]*/y;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SEPARATORS = new Set([...',:[{'].map((character) => character.charCodeAt(0)));

/** Returns where the string that begins at `start` ends. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

/** Whether an odd number of backslashes precedes the character. */
function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text.charCodeAt(start - 1) === BACKSLASH) start--;
  return (at - start) % 2 === 1;
}

function reviveStrictly(key: string, value: unknown, context: { source?: string }): unknown {
  if (key === '__proto__') throw new SyntaxError('__proto__ is not a field');
  if (typeof value !== 'number') return value;
  return isPlainNumber(context.source ?? '') ? value : Number.NaN;
}

function isPlainNumber(source: string): boolean {
  return source !== '-0' && source.length <= MAX_NUMBER_LENGTH && PLAIN_NUMBER.test(source);
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
