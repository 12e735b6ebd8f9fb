import type { Checked, FieldError } from '@perfume/domain/field-errors';
import { isDerivedUuid, parseUuid } from '@perfume/domain/uuid';
import * as z from 'zod/mini';

/**
 * A field that a domain rule checks, so server and screens share the rule. `jsonSchema` describes it in the API
 * reference.
 */
export function field<T>(check: (input: unknown) => Checked<T>, jsonSchema: Record<string, unknown>) {
  const schema = z.pipe(
    z.unknown(),
    z.transform((input, context): T => {
      const checked = check(input);
      if (checked.ok) return checked.value;
      context.issues.push({ code: 'custom', params: checked.error, input });
      return z.NEVER as T;
    }),
  );
  z.globalRegistry.add(schema, jsonSchema);
  return schema;
}

/** Text that stands for a value, such as a date. `parse` returns null for any other text. */
export function parsedText<T>(
  parse: (text: string) => T | null,
  params: FieldError,
  jsonSchema: Record<string, unknown>,
) {
  const schema = z.pipe(
    z.string(),
    z.transform((text, context): T => {
      const value = parse(text);
      if (value !== null) return value;
      context.issues.push({ code: 'custom', params, input: text });
      return z.NEVER as T;
    }),
  );
  z.globalRegistry.add(schema, jsonSchema);
  return schema;
}

/** A count or a quantity in a response. */
export const count = z.int().check(z.minimum(0));

/** Cents in a response. Above 2^53 they are rounded. */
export const cents = z.number().check(z.minimum(0));

/** Text that fits a pattern. */
export function textLike(pattern: RegExp, params: FieldError) {
  const schema = z.string().check(z.refine((text) => pattern.test(text), { params }));
  z.globalRegistry.add(schema, { pattern: pattern.source });
  return schema;
}

/** Of a check after which the next ones are not made: what is too long takes too long to look at. */
export const stops = { abort: true } as const;

/** One line of text to search for. */
export function searchText(isSafe: (text: string) => boolean) {
  const params: FieldError = { code: 'hidden_characters' };
  return z.string().check(z.maxLength(200, stops), z.refine(isSafe, { params }));
}

/** A whole number in a JSON body. */
export function integer(min: number, max: number) {
  const params: FieldError = { code: 'not_a_whole_number', min, max };
  const schema = z.custom<number>(
    (input) => Number.isInteger(input) && (input as number) >= min && (input as number) <= max,
    { params },
  );
  z.globalRegistry.add(schema, { type: 'integer', minimum: min, maximum: max });
  return schema;
}

/** A whole number in a query string. */
export function wholeNumber(min: number, max: number, description?: string) {
  return parsedText(
    (text) => {
      const value = /^(?:0|[1-9][0-9]{0,8})$/.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? value : null;
    },
    { code: 'not_a_whole_number', min, max },
    { type: 'integer', minimum: min, maximum: max, ...(description && { description }) },
  );
}

/** The id of an item, an entry or a batch. Upper case is accepted; ids are stored in lower case. */
export const uuid = parsedText(
  parseUuid,
  { code: 'not_a_uuid' },
  { type: 'string', pattern: '^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' },
);

/** An id that the client chooses. */
export const ownUuid = chosenUuid();

function chosenUuid() {
  const params: FieldError = { code: 'reserved_uuid' };
  const schema = z.pipe(uuid, z.string().check(z.refine((id) => !isDerivedUuid(id), { params })));
  z.globalRegistry.add(schema, z.globalRegistry.get(uuid) ?? {});
  return schema;
}

/** The id in a path. Any text passes here, because a malformed id gets the same response as an unknown one. */
export const idParams = z.object({ id: z.string() });

/** How many rows a list returns at most. */
export function limitUpTo(max: number) {
  return z.optional(wholeNumber(1, max, 'How many to return at most'));
}

type Parsed = { ok: true; value: unknown } | { ok: false; fields: Record<string, FieldError> };

/** Reads a body or a query: its value, or the first error of each field. An error of the whole body has the name "". */
export function parseInput(schema: z.ZodMiniType, input: unknown): Parsed {
  const parsed = schema.safeParse(input);
  if (parsed.success) return { ok: true, value: parsed.data };
  const fields: Record<string, FieldError> = {};
  // Only now with the values, which the errors need: copying them makes every valid request slower.
  for (const issue of schema.safeParse(input, { reportInput: true }).error?.issues ?? []) {
    const names = issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.join('.')];
    for (const name of names) if (!Object.hasOwn(fields, name)) fields[name] = errorOf(issue);
  }
  return { ok: false, fields };
}

/**
 * The field error of a zod issue. Our own rules name their error in `params`; for zod's own rules it follows from the
 * kind of issue.
 */
function errorOf(issue: z.core.$ZodIssue): FieldError {
  if (issue.code === 'custom') return issue.params as FieldError;
  if (issue.code === 'unrecognized_keys') return { code: 'unknown' };
  if (issue.input === undefined) return { code: 'required' };
  if (issue.code === 'invalid_value') return { code: 'not_a_choice', choices: issue.values };
  const isList = (issue.code === 'too_big' || issue.code === 'too_small') && issue.origin === 'array';
  if (issue.code === 'too_big') return { code: isList ? 'too_many' : 'too_long', max: Number(issue.maximum) };
  if (issue.code === 'too_small')
    return isList ? { code: 'too_few', min: Number(issue.minimum) } : { code: 'required' };
  return { code: 'wrong_type' };
}
