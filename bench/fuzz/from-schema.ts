import type { Chance } from './chance.ts';

/** The part of JSON Schema that the contract's schemas turn into. */
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

/** Values that mean something here, by the name of their field: ids of real rows, the asker's own address. */
export type Known = (name: string, chance: Chance) => unknown;

/** What a pattern may want; the first that fits in a random order is taken. */
const SAMPLES = [
  ...['0', '1', '2', '7', '10', '41', '50', '99', '100', '200', '500', '1000000000', '-1', '-3', '0-0', '1-1', '12-7'],
  ...['999999999999999-1', '6f9619ff-8b86-4d01-b42d-00cf4fc964ff', '2026-01-31T12:00:00Z', '2026-01-31T12:00Z'],
  ...['2026-01-31', '12.50', '0.01'],
];

const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABC éÉßçœ漢字ключ🌸-\'".,&<>']; // Words as people write them.

/** A value that the schema takes, more often than not. */
export function valueFor(schema: Schema, name: string, chance: Chance, known: Known): unknown {
  const own = known(name, chance);
  if (own !== undefined && chance.happens(0.9)) return own;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return chance.pick(schema.enum);
  if (schema.anyOf) return valueFor(chance.pick(schema.anyOf), name, chance, () => undefined);
  switch (schema.type) {
    case 'object':
      return objectFor(schema, chance, known);
    case 'array': {
      const length = chance.whole(Math.max(1, schema.minItems ?? 0), Math.min(4, schema.maxItems ?? 4));
      return Array.from({ length }, () => valueFor(schema.items ?? {}, `${name}[]`, chance, known));
    }
    case 'integer':
    case 'number':
      return numberFor(schema, chance);
    case 'boolean':
      return chance.happens(0.5);
    case 'null':
      return null;
    default:
      return textFor(schema, chance);
  }
}

function objectFor(schema: Schema, chance: Chance, known: Known): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (schema.required?.includes(name) || chance.happens(0.6)) value[name] = valueFor(property, name, chance, known);
  }
  return value;
}

function numberFor({ minimum = -1_000_000_000, maximum = 1_000_000_000, type }: Schema, chance: Chance): number {
  if (chance.happens(0.2)) return chance.pick([minimum, maximum]);
  const near = Math.max(0, minimum);
  const number = chance.whole(near, Math.min(maximum, near + 300));
  return type === 'number' && chance.happens(0.5) ? Math.min(maximum, number + chance.whole(0, 99) / 100) : number;
}

function textFor({ pattern, format, minLength = 0, maxLength = 60 }: Schema, chance: Chance): string {
  if (format === 'email') return `person${chance.whole(1, 9_999)}@house.example`;
  if (format === 'date') return `2026-0${chance.whole(1, 9)}-${chance.whole(10, 28)}`;
  if (format === 'date-time') return `2026-0${chance.whole(1, 9)}-${chance.whole(10, 28)}T12:00:00Z`;
  if (pattern) {
    const fitting = SAMPLES.filter((sample) => new RegExp(pattern, 'u').test(sample));
    if (fitting.length > 0) return chance.pick(fitting);
  }
  const least = Math.max(1, minLength);
  const most = Math.max(least, Math.min(maxLength, least + 60));
  const length = chance.happens(0.1) ? chance.pick([least, Math.min(maxLength, 6_000)]) : chance.whole(least, most);
  return Array.from({ length }, () => chance.pick(LETTERS)).join('');
}
