import type { Checked } from '@perfume/domain/items';
import * as z from 'zod/mini';

/** A wire field whose rule lives in the domain: one rule, one message, both sides. `describes` is its JSON Schema. */
export function field<T>(check: (input: unknown) => Checked<T>, describes: Record<string, unknown>) {
  const schema = z.pipe(
    z.unknown(),
    z.transform((input, context): T => {
      const checked = check(input);
      if (checked.ok) return checked.value;
      context.issues.push({ code: 'custom', message: checked.message, input });
      return z.NEVER as T;
    }),
  );
  z.globalRegistry.add(schema, describes);
  return schema;
}

/** A whole number in a query, where everything arrives as text. */
export function wholeNumber(least: number, most: number, description?: string) {
  const message = `A whole number from ${least} to ${most.toLocaleString('en-US')}`;
  const schema = z.pipe(
    z.string(),
    z.transform((text, context) => {
      const value = /^(?:0|[1-9][0-9]{0,8})$/.test(text) ? Number(text) : Number.NaN;
      if (!(value >= least && value <= most)) context.issues.push({ code: 'custom', message, input: text });
      return value;
    }),
  );
  z.globalRegistry.add(schema, { type: 'integer', minimum: least, maximum: most, ...(description && { description }) });
  return schema;
}

/** How many rows a list answers at most. */
export function limitUpTo(most: number) {
  return z.optional(wholeNumber(1, most, 'How many to answer at most'));
}

/** The first message for each field, or the whole body's under "". */
export function fieldErrors(error: z.core.$ZodError, unknownField: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const issue of error.issues) {
    const names = issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.join('.')];
    const message = issue.code === 'unrecognized_keys' ? unknownField : issue.message;
    for (const name of names) if (!Object.hasOwn(fields, name)) fields[name] = message;
  }
  return fields;
}
