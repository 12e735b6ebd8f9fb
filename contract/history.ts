import type { EditableField, FieldValue } from '@perfume/domain/edits';
import { countReasons } from '@perfume/domain/ledger';
import { priceNumber } from '@perfume/domain/money';
import { isSafeLine } from '@perfume/domain/safe-text';
import * as z from 'zod/mini';
import { endpointsOf, pageReplyHeaders } from './endpoint.ts';
import { count, idParams, limitUpTo, parsedText, searchText, uuid } from './fields.ts';
import { wireActor } from './identity.ts';
import { wireItem, wireNameOf } from './items.ts';
import { problems } from './problems.ts';

const endpoint = endpointsOf('History');

export const movementKinds = ['opening', 'deliver', 'restock', 'correction', 'undo'] as const;
export const eventKinds = ['edited', 'deleted', 'restored'] as const;
export const historyKinds = [...movementKinds, ...eventKinds, 'settings'] as const;
export type HistoryKind = (typeof historyKinds)[number];

const value = z.nullable(z.union([z.string(), z.number(), z.array(z.string())]));

/**
 * A history entry: a stock movement, an edit, deletion or restoration of an item, or a change of a setting that everyone
 * shares, which has no item.
 */
export const wireEntry = z.strictObject({
  id: z.string(),
  itemId: z.nullable(z.string()),
  itemName: z.nullable(z.string()),
  kind: z.enum(historyKinds),
  delta: z.nullable(z.int()),
  quantityAfter: z.nullable(count),
  /** For an undo: the kind of the movement that was undone. */
  undoneKind: z.nullable(z.enum(movementKinds)),
  changes: z.array(z.strictObject({ field: z.string(), from: value, to: value })),
  by: wireActor,
  at: z.string(),
  note: z.nullable(z.string()),
  /** Of a correction: why the count differed. */
  reason: z.nullable(z.enum(countReasons)),
  batch: z.nullable(z.string()),
  undoes: z.nullable(z.string()),
  undoneBy: z.nullable(z.string()),
});
export type WireEntry = z.output<typeof wireEntry>;

/** Converts a changed field to the names and values of the API. */
export function toWireChange(change: { field: EditableField; from: FieldValue; to: FieldValue }) {
  const toWireValue = (value: FieldValue) =>
    change.field === 'priceCents' && typeof value === 'number' ? priceNumber(value) : value;
  return { field: wireNameOf[change.field], from: toWireValue(change.from), to: toWireValue(change.to) };
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z$/;
export const instant = parsedText(
  (text) => {
    const at = INSTANT.test(text) ? Date.parse(text) : Number.NaN;
    return Number.isNaN(at) ? null : at;
  },
  { code: 'not_a_time' },
  { type: 'string', format: 'date-time', pattern: INSTANT.source },
);

export const listHistory = endpoint({
  method: 'GET',
  path: '/history',
  summary: 'Every movement, edit, deletion, restoration and change of a shared setting, newest first',
  who: 'user',
  query: z.object({
    item: z.optional(uuid),
    kind: z.optional(z.enum(historyKinds)),
    reason: z.optional(z.enum(countReasons)),
    by: z.optional(searchText(isSafeLine)),
    from: z.optional(instant),
    to: z.optional(instant),
    limit: limitUpTo(500),
    cursor: z.optional(z.string().check(z.maxLength(400))),
  }),
  replyHeaders: pageReplyHeaders,
  replies: { 200: z.array(wireEntry) },
  problems: ['invalid_query'],
});

/** A person of the history under their present name, with the names that they had before, the latest first. */
const wirePerson = z.extend(wireActor, {
  earlierNames: z.array(z.strictObject({ name: z.string(), until: z.string() })),
});
export type WirePerson = z.output<typeof wirePerson>;

export const listPeople = endpoint({
  method: 'GET',
  path: '/history/people',
  summary: 'Everyone who appears in the history, by name',
  who: 'user',
  replies: { 200: z.array(wirePerson) },
  problems: [],
});

const effect = z.strictObject({
  kind: z.enum(['stock', 'edited', 'deleted', 'restored', 'settings']),
  delta: z.nullable(z.int()),
  quantityAfter: z.nullable(count),
  changes: z.array(z.strictObject({ field: z.string(), from: value, to: value })),
});

export const previewUndo = endpoint({
  method: 'GET',
  path: '/history/:id/undo',
  summary: 'What undoing an entry would do now, or why it cannot be undone',
  who: 'user',
  params: idParams,
  replies: {
    200: z.strictObject({
      possible: z.boolean(),
      code: z.nullable(z.enum(Object.keys(problems) as [keyof typeof problems])),
      onHand: z.nullable(count),
      effect: z.nullable(effect),
    }),
  },
  problems: ['entry_not_found'],
});

const UNDO_PROBLEMS = [
  'invalid_header',
  'entry_not_found',
  'already_undone',
  'item_deleted',
  'changed_since',
  'code_taken',
  'out_of_stock',
  'over_full',
  'key_reused',
] as const;

export const undoEntry = endpoint({
  method: 'POST',
  path: '/history/:id/undo',
  summary: 'Undo an entry by adding its opposite; the history keeps both, and the undo can be undone',
  who: 'user',
  params: idParams,
  headers: { 'idempotency-key': 'A UUID that the client creates for this request; it becomes the id of the new entry' },
  replies: { 201: z.strictObject({ entry: wireEntry, item: z.nullable(wireItem) }) },
  problems: UNDO_PROBLEMS,
});
