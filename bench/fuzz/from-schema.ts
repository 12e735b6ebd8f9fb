import type { Random } from './random.ts';

/** The subset of JSON Schema that the contract uses. */
export type Schema = {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
};

/** Returns a meaningful value for a field name, such as the id of a real row or the caller's own address. */
export type Known = (name: string, random: Random) => unknown;

/** Candidates for fields with a pattern. They are tried in random order, and the first match is used. */
const SAMPLES = [
  ...['0', '1', '2', '7', '10', '41', '50', '99', '100', '200', '500', '1000000000', '-1', '-3', '0-0', '1-1', '12-7'],
  ...['999999999999999-1', '6f9619ff-8b86-4d01-b42d-00cf4fc964ff', '2026-01-31T12:00:00Z', '2026-01-31T12:00Z'],
  ...['2026-01-31', '12.50', '0.01'],
];

const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABC éÉßçœ漢字ключ🌸-\'".,&<>']; // Characters in words that people write.

/** A value that the schema usually accepts. */
export function valueFor(schema: Schema, name: string, random: Random, known: Known): unknown {
  const own = known(name, random);
  if (own !== undefined && random.happens(0.9)) return own;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return random.pick(schema.enum);
  if (schema.anyOf) return valueFor(random.pick(schema.anyOf), name, random, () => undefined);
  switch (schema.type) {
    case 'object':
      return objectFor(schema, random, known);
    case 'array': {
      const length = random.whole(Math.max(1, schema.minItems ?? 0), Math.min(4, schema.maxItems ?? 4));
      return Array.from({ length }, () => valueFor(schema.items ?? {}, `${name}[]`, random, known));
    }
    case 'integer':
    case 'number':
      return numberFor(schema, random);
    case 'boolean':
      return random.happens(0.5);
    case 'null':
      return null;
    default:
      return textFor(schema, random);
  }
}

function objectFor(schema: Schema, random: Random, known: Known): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (schema.required?.includes(name) || random.happens(0.6)) value[name] = valueFor(property, name, random, known);
  }
  return value;
}

function numberFor({ minimum = -1_000_000_000, maximum = 1_000_000_000, type }: Schema, random: Random): number {
  if (random.happens(0.2)) return random.pick([minimum, maximum]);
  const near = Math.max(0, minimum);
  const number = random.whole(near, Math.min(maximum, near + 300));
  return type === 'number' && random.happens(0.5) ? Math.min(maximum, number + random.whole(0, 99) / 100) : number;
}

function textFor({ pattern, format, minLength = 0, maxLength = 60 }: Schema, random: Random): string {
  if (format === 'email') return `person${random.whole(1, 9_999)}@house.example`;
  if (format === 'date') return `2026-0${random.whole(1, 9)}-${random.whole(10, 28)}`;
  if (format === 'date-time') return `2026-0${random.whole(1, 9)}-${random.whole(10, 28)}T12:00:00Z`;
  if (pattern) {
    const fitting = SAMPLES.filter((sample) => new RegExp(pattern, 'u').test(sample));
    if (fitting.length > 0) return random.pick(fitting);
  }
  const min = Math.max(1, minLength);
  const max = Math.max(min, Math.min(maxLength, min + 60));
  const length = random.happens(0.1) ? random.pick([min, Math.min(maxLength, 6_000)]) : random.whole(min, max);
  return Array.from({ length }, () => random.pick(LETTERS)).join('');
}
