import type { Checked } from '@perfume/domain/items';
import { parseUuid } from '@perfume/domain/uuid';
import * as z from 'zod/mini';

/** A field that a domain rule checks, so server and screens share the rule and its message. `jsonSchema` documents it. */
export function field<T>(check: (input: unknown) => Checked<T>, jsonSchema: Record<string, unknown>) {
  const schema = z.pipe(
    z.unknown(),
    z.transform((input, context): T => {
      const checked = check(input);
      if (checked.ok) return checked.value;
      context.issues.push({ code: 'custom', message: checked.message, input });
      return z.NEVER as T;
    }),
  );
  z.globalRegistry.add(schema, jsonSchema);
  return schema;
}

/** A whole number in a query string. */
export function wholeNumber(min: number, max: number, description?: string) {
  const message = `A whole number from ${min} to ${max.toLocaleString('en-US')}`;
  const schema = z.pipe(
    z.string(),
    z.transform((text, context) => {
      const value = /^(?:0|[1-9][0-9]{0,8})$/.test(text) ? Number(text) : Number.NaN;
      if (!(value >= min && value <= max)) context.issues.push({ code: 'custom', message, input: text });
      return value;
    }),
  );
  z.globalRegistry.add(schema, { type: 'integer', minimum: min, maximum: max, ...(description && { description }) });
  return schema;
}

/** A count or a quantity in a response. */
export const count = z.int().check(z.minimum(0));

/** Cents in a response. Above 2^53 they are rounded. */
export const cents = z.number().check(z.minimum(0));

/** The id of an item, an entry or a batch. Upper case is accepted; ids are stored in lower case. */
export const uuid = z.pipe(
  z.string('Invalid id'),
  z.transform((text, context) => {
    const id = parseUuid(text);
    if (id === null) context.issues.push({ code: 'custom', message: 'Invalid id', input: text });
    return id ?? '';
  }),
);
z.globalRegistry.add(uuid, { type: 'string', pattern: '^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' });

/** The id in a path. Any text passes here, because a malformed id gets the same response as an unknown one. */
export const idParams = z.object({ id: z.string() });

/** How many rows a list returns at most. */
export function limitUpTo(max: number) {
  return z.optional(wholeNumber(1, max, 'How many to return at most'));
}

/** The first message for each field. A message about the whole body is under the name "". */
export function fieldErrors(error: z.core.$ZodError, unknownField: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const issue of error.issues) {
    const names = issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.join('.')];
    const message = issue.code === 'unrecognized_keys' ? unknownField : issue.message;
    for (const name of names) if (!Object.hasOwn(fields, name)) fields[name] = message;
  }
  return fields;
}
