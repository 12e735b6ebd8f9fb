import { type Checked, type FieldError, invalid, valid } from '@perfume/domain/field-errors';
import { type CountReason, countReasons, type MovementKind } from '@perfume/domain/ledger';
import { MAX_QUANTITY, parseUnits } from '@perfume/domain/quantity';
import { isSafeText } from '@perfume/domain/safe-text';
import { countCharacters, normalText } from '@perfume/domain/text';
import * as z from 'zod/mini';
import { endpointsOf, itemReplyHeaders, pageReplyHeaders } from './endpoint.ts';
import { count, field, idParams, limitUpTo, textLike } from './fields.ts';
import { toWireActor, wireActor } from './identity.ts';
import { newItemBody, wireItem } from './items.ts';

const endpoint = endpointsOf('Stock');

export const NOTE_MAX = 500;
export const NOT_UNITS: FieldError = { code: 'not_a_whole_number', min: 1, max: MAX_QUANTITY };

export const wireMovement = z.strictObject({
  id: z.string(),
  itemId: z.string(),
  kind: z.enum(['opening', 'deliver', 'restock', 'correction', 'undo']),
  delta: z.int(),
  quantityAfter: count,
  by: wireActor,
  at: z.string(),
  note: z.nullable(z.string()),
  reason: z.nullable(z.enum(countReasons)),
  undoes: z.nullable(z.string()),
  undoneBy: z.nullable(z.string()),
});
export type WireMovement = z.output<typeof wireMovement>;

export type Movement = {
  id: string;
  itemId: string;
  kind: MovementKind;
  delta: number;
  quantityAfter: number;
  actorId: string;
  /** Null if the account was removed. */
  actorName: string | null;
  at: number;
  note: string | null;
  /** Of a correction: why the count differed, if that is known. */
  reason: CountReason | null;
  undoes: string | null;
  undoneBy: string | null;
};

export function toWireMovement(movement: Movement): WireMovement {
  return {
    id: movement.id,
    itemId: movement.itemId,
    kind: movement.kind,
    delta: movement.delta,
    quantityAfter: movement.quantityAfter,
    by: toWireActor(movement.actorId, movement.actorName),
    at: new Date(movement.at).toISOString(),
    note: movement.note,
    reason: movement.reason,
    undoes: movement.undoes,
    undoneBy: movement.undoneBy,
  };
}

export const noteField = field(checkNote, { type: 'string', maxLength: NOTE_MAX });
const note = z.optional(noteField);
const reason = z.optional(z.enum(countReasons));

const idempotencyKey = {
  'idempotency-key': "A UUID that the client creates for this request; it becomes the movement's id",
};

export const setQuantity = endpoint({
  method: 'PUT',
  path: '/inventory-items/:id',
  summary: 'Deliver, restock or correct by sending the new quantity',
  description:
    'With `Stock-Base`, the difference between the new quantity and the base is applied to the current quantity, so changes by two users add up. With `If-Match`, the request is refused if the item has changed since. Do not send both. With neither, the quantity is set as sent. With a `reason`, the change is a correction: the quantity was counted, and the difference was neither delivered nor restocked.',
  who: 'user',
  params: idParams,
  headers: {
    ...idempotencyKey,
    'stock-base': 'The quantity the user saw before changing it',
    'if-match': 'The version of the item that the user saw, in quotes',
  },
  body: z.strictObject({ quantity: newItemBody.shape.quantity, reason, note }),
  replyHeaders: itemReplyHeaders,
  replies: { 200: wireItem },
  problems: [
    'invalid_header',
    'invalid_input',
    'item_not_found',
    'out_of_stock',
    'over_full',
    'stale_version',
    'key_reused',
  ],
});

export const listMovements = endpoint({
  method: 'GET',
  path: '/inventory-items/:id/movements',
  summary: "The item's stock movements, newest first",
  who: 'user',
  params: idParams,
  query: z.object({
    limit: limitUpTo(200),
    cursor: z.optional(textLike(/^[1-9][0-9]{0,14}$/, { code: 'not_a_cursor' })),
  }),
  replyHeaders: pageReplyHeaders,
  replies: { 200: z.array(wireMovement) },
  problems: ['invalid_query', 'item_not_found'],
});

export const movementBody = z.strictObject({
  kind: z.enum(['deliver', 'restock', 'correction']),
  units: field(checkUnits, {
    anyOf: [{ type: 'integer' }, { type: 'string', pattern: '^-?(0|[1-9][0-9]{0,9})$' }],
    description: 'Units to deliver or restock, at least 1. For a correction, the difference, positive or negative',
  }),
  reason,
  note,
});

/** The change in quantity that a movement requests; null if its kind does not allow the sign of its units. */
export function signedDelta(body: z.output<typeof movementBody>): number | null {
  if (body.kind === 'correction') return body.units;
  if (body.units < 0) return null;
  return body.kind === 'deliver' ? -body.units : body.units;
}

export const recordMovement = endpoint({
  method: 'POST',
  path: '/inventory-items/:id/movements',
  summary: 'Deliver, restock or correct by sending the difference',
  who: 'user',
  params: idParams,
  headers: idempotencyKey,
  body: movementBody,
  replyHeaders: itemReplyHeaders,
  replies: { 201: z.strictObject({ movement: wireMovement, item: wireItem }) },
  problems: ['invalid_header', 'invalid_input', 'item_not_found', 'out_of_stock', 'over_full', 'key_reused'],
});

export const undoMovement = endpoint({
  method: 'POST',
  path: '/movements/:id/undo',
  summary: 'Undo a movement by adding its opposite; the ledger keeps both',
  who: 'user',
  params: idParams,
  headers: idempotencyKey,
  replyHeaders: itemReplyHeaders,
  replies: { 201: z.strictObject({ movement: wireMovement, item: wireItem }) },
  problems: [
    'invalid_header',
    'movement_not_found',
    'already_undone',
    'not_undoable',
    'item_deleted',
    'out_of_stock',
    'over_full',
    'key_reused',
  ],
});

function checkUnits(input: unknown): Checked<number> {
  if (input === undefined || input === null || input === '') return invalid({ code: 'required' });
  const negative = typeof input === 'number' ? input < 0 : typeof input === 'string' && input.startsWith('-');
  const size =
    typeof input === 'number' ? Math.abs(input) : typeof input === 'string' && negative ? input.slice(1) : input;
  const units = parseUnits(size);
  if (units === null) return invalid(NOT_UNITS);
  return valid(negative ? -units : units);
}

function checkNote(input: unknown): Checked<string> {
  if (typeof input !== 'string' || input.length > NOTE_MAX * 4) return invalid({ code: 'too_long', max: NOTE_MAX });
  const text = normalText(input);
  if (!isSafeText(text)) return invalid({ code: 'hidden_characters' });
  if (countCharacters(text) > NOTE_MAX) return invalid({ code: 'too_long', max: NOTE_MAX });
  return valid(text);
}
