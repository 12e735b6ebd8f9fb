import type { FieldError } from '@perfume/domain/field-errors';
import { checkName } from '@perfume/domain/items';
import { countReasons } from '@perfume/domain/ledger';
import { stockFilters } from '@perfume/domain/list-filters';
import { MAX_QUANTITY } from '@perfume/domain/quantity';
import { isSafeText } from '@perfume/domain/safe-text';
import * as z from 'zod/mini';
import { bulkResult } from './bulk.ts';
import { endpointsOf, pageReplyHeaders } from './endpoint.ts';
import { count, field, idParams, integer, limitUpTo, ownUuid, searchText, textLike, uuid } from './fields.ts';
import { wireActor } from './identity.ts';
import { wireItem } from './items.ts';
import { noteField } from './ledger.ts';
import { problems } from './problems.ts';

const endpoint = endpointsOf('Stock');

/** How many items one request may name. */
export const MAX_COUNTED_AT_ONCE = 100;

/** Entries of up to a week without a connection are compared with the ledger of their time. */
export const MAX_ENTRY_AGE_MS = 7 * 24 * 60 * 60 * 1_000;

const name = field(checkName, { type: 'string', minLength: 1, maxLength: 200 });
const reason = z.enum(countReasons);
const ids = z.array(uuid).check(z.minLength(1), z.maxLength(MAX_COUNTED_AT_ONCE));
const idempotent = {
  'idempotency-key': 'A UUID that the client creates for this request; repeating the request with it changes nothing',
};

export const countStates = ['open', 'posting', 'posted', 'cancelled'] as const;

/** A count session. It has a filter and no list of items: what matches the filter now belongs to it. */
const wireCount = z.strictObject({
  id: z.string(),
  name: z.string(),
  q: z.nullable(z.string()),
  stock: z.nullable(z.enum(stockFilters)),
  /** Only items with the email address of whoever opened the session. */
  mine: z.boolean(),
  /** The screens hide the expected quantities while people count. */
  blind: z.boolean(),
  state: z.enum(countStates),
  openedBy: wireActor,
  openedAt: z.string(),
  /** Who posted or cancelled it. */
  closedBy: z.nullable(wireActor),
  closedAt: z.nullable(z.string()),
  /** Who last renamed, cancelled or reopened it. */
  changedBy: z.nullable(wireActor),
  changedAt: z.nullable(z.string()),
  /** The batch of its corrections in the history; null before posting. */
  batch: z.nullable(z.string()),
  /** How many items have been counted. */
  counted: count,
});
export type WireCount = z.output<typeof wireCount>;

const figures = z.strictObject({
  /** The items that match the filter and are not counted yet. */
  uncounted: count,
  counted: count,
  /** The items with a difference, and their units. */
  differing: count,
  unitsOver: count,
  unitsShort: count,
  /** What the differences are worth at present prices, in cents; negative if stock is missing. */
  valueCents: z.number(),
  /** The items about which somebody has to decide before the session can be posted. */
  toCheck: count,
});

/** Somebody who counted in the last minutes, and the item they counted last. */
const wireCounter = z.strictObject({
  by: wireActor,
  at: z.string(),
  itemId: z.string(),
  itemName: z.string(),
});

const lineMovement = z.strictObject({
  id: z.string(),
  kind: z.enum(['opening', 'deliver', 'restock', 'correction', 'undo']),
  delta: z.int(),
  by: wireActor,
  at: z.string(),
});

/** An item in a session. The fields from `counted` on are null until somebody counts it. */
export const wireCountLine = z.strictObject({
  item: wireItem,
  isDeleted: z.boolean(),
  counted: z.nullable(count),
  /** The quantity in the ledger at the last entry. */
  expected: z.nullable(count),
  difference: z.nullable(z.int()),
  firstAt: z.nullable(z.string()),
  lastAt: z.nullable(z.string()),
  /** Who counted it; at most 20 people. */
  by: z.array(wireActor),
  /**
   * Why arithmetic cannot decide: `moved`: stock moved while the item was being counted. `corrected`: somebody
   * corrected the quantity after the count.
   */
  doubt: z.nullable(z.enum(['moved', 'corrected'])),
  decision: z.nullable(z.enum(['post', 'leave'])),
  reason: z.nullable(reason),
  note: z.nullable(z.string()),
  /** Who last set the decision, the reason or the note. */
  reviewedBy: z.nullable(wireActor),
  reviewedAt: z.nullable(z.string()),
  /** After posting: `posted`, or why the difference was refused. */
  outcome: z.nullable(z.enum(['posted', ...(Object.keys(problems) as (keyof typeof problems)[])])),
  /** The movements since the first entry, oldest first, where they matter; at most 20. */
  movements: z.array(lineMovement),
});
export type WireCountLine = z.output<typeof wireCountLine>;

export const openCount = endpoint({
  method: 'POST',
  path: '/counts',
  summary: 'Open a count session of everything or of the items that match a filter',
  who: 'user',
  headers: idempotent,
  body: z.strictObject({
    name,
    q: z.optional(searchText(isSafeText)),
    stock: z.optional(z.enum(stockFilters)),
    mine: z.optional(z.boolean()),
    blind: z.optional(z.boolean()),
  }),
  replies: { 201: wireCount },
  problems: ['invalid_header', 'invalid_input', 'too_many_counts', 'key_reused'],
});

export const listCounts = endpoint({
  method: 'GET',
  path: '/counts',
  summary: 'Count sessions, newest first',
  who: 'user',
  query: z.object({
    state: z.optional(z.enum(countStates)),
    limit: limitUpTo(100),
    cursor: z.optional(textLike(/^[1-9][0-9]{0,14}$/, { code: 'not_a_cursor' })),
  }),
  replyHeaders: pageReplyHeaders,
  replies: { 200: z.array(wireCount) },
  problems: ['invalid_query'],
});

export const findCount = endpoint({
  method: 'GET',
  path: '/counts/:id',
  summary: 'A count session with its progress and the people who are counting',
  who: 'user',
  params: idParams,
  replies: { 200: z.extend(wireCount, { figures, people: z.array(wireCounter) }) },
  problems: ['count_not_found'],
});

export const changeCount = endpoint({
  method: 'PUT',
  path: '/counts/:id',
  summary: 'Rename a count session, cancel it, or open a cancelled one again',
  who: 'user',
  params: idParams,
  body: z.strictObject({ name: z.optional(name), state: z.optional(z.enum(['open', 'cancelled'])) }),
  replies: { 200: wireCount },
  problems: ['invalid_input', 'count_not_found', 'count_closed'],
});

export const lineFilters = ['uncounted', 'counted', 'differences', 'check', 'refused'] as const;
export type LineFilter = (typeof lineFilters)[number];

export const listCountLines = endpoint({
  method: 'GET',
  path: '/counts/:id/lines',
  summary: 'The items of a count session: uncounted by name, counted with the latest first, or one item',
  description:
    '`check` lists items about which somebody has to decide before posting, `refused` the differences that could not be posted.',
  who: 'user',
  params: idParams,
  query: z.object({
    show: z.optional(z.enum(lineFilters)),
    item: z.optional(uuid),
    limit: limitUpTo(100),
    cursor: z.optional(z.string().check(z.maxLength(1_200))),
  }),
  replyHeaders: pageReplyHeaders,
  replies: { 200: z.array(wireCountLine) },
  problems: ['invalid_query', 'count_not_found'],
});

const eitherOr: FieldError = { code: 'not_both', names: ['add', 'set'] };

/** What became of one counted item: its new number, or why it was refused. */
const entryResult = z.union([
  z.strictObject({ _id: z.string(), ok: z.literal(true), entryId: z.string(), counted: count }),
  z.strictObject({
    _id: z.string(),
    ok: z.literal(false),
    code: z.enum(Object.keys(problems) as [keyof typeof problems]),
  }),
]);

export const recordCount = endpoint({
  method: 'POST',
  path: '/counts/:id/entries',
  summary: 'Count items: add units to what was counted so far, or set the whole number',
  description:
    'A scan is `{"ids": ["…"], "add": 1}`. `set` replaces what everybody counted before. The same number is recorded for each item, so `{"ids": […], "set": 0}` says that these shelves are empty. An item takes 10,000 entries per session.',
  who: 'user',
  params: idParams,
  headers: {
    ...idempotent,
    'counted-ago':
      'For an entry that waited for a connection: how many milliseconds ago somebody counted, at most seven days. It is compared with the ledger of that time, and refused with `count_overtaken` if the whole number was set since',
  },
  body: z
    .strictObject({
      ids,
      add: z.optional(integer(-MAX_QUANTITY, MAX_QUANTITY)),
      set: z.optional(integer(0, MAX_QUANTITY)),
    })
    .check(
      z.refine(({ add, set }) => (add === undefined) !== (set === undefined), { params: eitherOr, path: ['set'] }),
    ),
  replies: { 200: z.strictObject({ results: z.array(entryResult) }) },
  problems: ['invalid_header', 'invalid_input', 'count_not_found', 'count_closed', 'key_reused'],
});

export const undoCountEntry = endpoint({
  method: 'POST',
  path: '/count-entries/:id/undo',
  summary: 'Take back an entry of a count session',
  who: 'user',
  params: idParams,
  headers: idempotent,
  replies: {
    200: z.strictObject({
      /** Null if nobody has counted the item any more. */
      counted: z.nullable(count),
    }),
  },
  problems: [
    'invalid_header',
    'count_entry_not_found',
    'count_closed',
    'already_undone',
    'count_below_zero',
    'key_reused',
  ],
});

export const decideCountLines = endpoint({
  method: 'PUT',
  path: '/counts/:id/lines',
  summary: 'Explain the differences of counted items, or decide whether to post them',
  description:
    '`decision` is `post` to post a difference that is in doubt, `leave` to leave the item as it is, or null to decide later. Fields that are missing stay as they are.',
  who: 'user',
  params: idParams,
  body: z.strictObject({
    ids,
    reason: z.optional(z.nullable(reason)),
    note: z.optional(z.nullable(noteField)),
    decision: z.optional(z.nullable(z.enum(['post', 'leave']))),
  }),
  replies: { 200: z.strictObject({ changed: count }) },
  problems: ['invalid_input', 'count_not_found', 'count_closed'],
});

export const postCount = endpoint({
  method: 'POST',
  path: '/counts/:id/post',
  summary: 'Correct the stock by the differences of a count session, 100 items per call, as one batch',
  description:
    'Each difference is added to the current quantity, so deliveries and restocks after the count are kept. Items that nobody counted are left alone. While `left` is not 0, call again with the same `batch`. A call with another `batch` is told that somebody else is posting, and a `batch` that already has entries is refused.',
  who: 'user',
  params: idParams,
  body: z.strictObject({
    batch: ownUuid,
    /** For differences without a reason of their own; `miscount` if missing. */
    reason: z.optional(reason),
    note: z.optional(noteField),
  }),
  replies: { 200: z.strictObject({ results: z.array(bulkResult), left: count }) },
  problems: ['invalid_input', 'count_not_found', 'count_closed', 'count_posting', 'count_unsettled', 'batch_used'],
});
