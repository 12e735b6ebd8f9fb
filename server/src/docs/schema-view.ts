import { type Html, html, prose } from './markup.ts';
import type { Schema } from './operations.ts';

/** What a value may be, in words: `string or integer`, `one of in, low, out`. */
export function typeText(schema: Schema): string {
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeText))].join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.length > 1 ? `one of ${schema.enum.join(', ')}` : String(schema.enum[0]);
  if (schema.items) return `array of ${typeText(schema.items)}`;
  return schema.type ?? 'any';
}

/** The same for a whole answer: `An array of objects`. */
export function answerText(schema: Schema): string {
  if (schema.items?.properties) return 'An array of objects';
  return schema.properties ? 'An object' : typeText(schema);
}

function boundsText(schema: Schema): string {
  const { minLength, maxLength, minimum, maximum, multipleOf, format } = schema;
  const bounds = [
    range(minLength, maxLength, ' characters'),
    // Every integer has the bounds of a safe one; they tell nobody anything.
    range(ordinary(minimum), ordinary(maximum), ''),
    multipleOf === undefined ? '' : `in steps of ${multipleOf}`,
    format ?? '',
    ...(schema.anyOf ?? []).map(boundsText),
  ];
  return [...new Set(bounds.filter(Boolean))].join('; ');
}

/** The fields of an object or of an array's objects, nested ones by their whole name. */
export function fieldList(schema: Schema, meanings: Record<string, string>): Html {
  const rows = rowsOf(schema, '');
  if (rows.length === 0) return html`<p>${typeText(schema)}</p>`;
  return html`<dl class="fields">${rows.map(({ name, need, field }) =>
    fieldRow(name, field, need, field.description ?? meanings[name] ?? meanings[name.replace(/^.*\./, '')] ?? ''),
  )}</dl>`;
}

export function fieldRow(name: string, schema: Schema, need: string, meaning: string): Html {
  const bounds = boundsText(schema)
    .split('; ')
    .filter((bound) => !meaning.includes(bound))
    .join('; ');
  const pattern = schema.pattern && !bounds && !meaning ? html` Pattern <code>${schema.pattern}</code>.` : null;
  return html`<div>
<dt><code class="name">${name}</code> <span class="type">${typeText(schema)}</span> <span class="need">${need}</span></dt>
<dd>${meaning ? prose(sentence(meaning)) : null} ${bounds ? sentence(bounds) : null}${pattern}</dd>
</div>`;
}

type Row = { name: string; need: string; field: Schema };

function rowsOf(schema: Schema, prefix: string): Row[] {
  const inner = objectIn(schema);
  return Object.entries(inner?.properties ?? {}).flatMap(([key, field]) => {
    const name = prefix + key;
    const need = inner?.required?.includes(key) ? '' : 'optional';
    const nested = rowsOf(field, `${name}${field.items ? '[]' : ''}.`);
    return [{ name, need, field }, ...nested];
  });
}

function objectIn(schema: Schema): Schema | undefined {
  if (schema.items) return objectIn(schema.items);
  if (schema.anyOf) return schema.anyOf.map(objectIn).find((inner) => inner?.properties);
  return schema;
}

function range(least: number | undefined, most: number | undefined, of: string): string {
  if (least !== undefined && most !== undefined) return `${number(least)} to ${number(most)}${of}`;
  if (most !== undefined) return `at most ${number(most)}${of}`;
  return least === undefined ? '' : `at least ${number(least)}${of}`;
}

function ordinary(bound: number | undefined): number | undefined {
  return bound !== undefined && Math.abs(bound) === Number.MAX_SAFE_INTEGER ? undefined : bound;
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}

function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}
