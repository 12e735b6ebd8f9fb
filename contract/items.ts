import { BARCODES_MAX, CODE_MAX, checkBarcodes, checkSku } from '@perfume/domain/codes';
import type { Edit, EditableField } from '@perfume/domain/edits';
import {
  checkDescription,
  checkEmail,
  checkImageUrl,
  checkName,
  checkPrice,
  checkQuantity,
  checkSupplierName,
  type NewItem,
} from '@perfume/domain/items';
import { sortOrders, stockFilters } from '@perfume/domain/list-filters';
import { MAX_QUANTITY } from '@perfume/domain/quantity';
import { isSafeText } from '@perfume/domain/safe-text';
import * as z from 'zod/mini';
import { endpointsOf, itemReplyHeaders, pageReplyHeaders, readReplyHeaders, totalReplyHeaders } from './endpoint.ts';
import { count, field, idParams, integer, limitUpTo, searchText, wholeNumber } from './fields.ts';

const endpoint = endpointsOf('Items');

/** A house that shows its items to visitors. */
export const publishedHouse = z.strictObject({
  name: z.string(),
  /** The last part of the address of its page, `/houses/{slug}`. */
  slug: z.string(),
});
export type WirePublishedHouse = z.output<typeof publishedHouse>;

const publicFields = z.strictObject({
  _id: z.string(),
  name: z.string(),
  price: z.number().check(z.minimum(0)),
  quantity: z.string(),
  img: z.string(),
  description: z.string(),
  suplierName: z.string(),
  version: z.int().check(z.minimum(1)),
  createdAt: z.string(),
  updatedAt: z.string(),
  lowAt: count,
});
/** An item in the public list: without the email address of its owner. */
export const publicWireItem = z.extend(publicFields, {
  /** Whose item it is. Only on a server with several houses (`ACCESS=houses`). */
  house: z.optional(publishedHouse),
});
export const wireItem = z.extend(publicFields, {
  email: z.string(),
  reorderPoint: z.nullable(count),
  sku: z.nullable(z.string()),
  barcodes: z.array(z.string()),
});

const quantityField = field(checkQuantity, {
  anyOf: [
    { type: 'string', pattern: '^(0|[1-9][0-9]{0,9})$' },
    { type: 'integer', minimum: 0, maximum: 1_000_000_000 },
  ],
  description: 'A whole number from 0 to 1,000,000,000, as a string or a number',
});

export const newItemBody = z.strictObject({
  name: field(checkName, { type: 'string', minLength: 1, maxLength: 200 }),
  price: field(checkPrice, {
    anyOf: [
      { type: 'number', minimum: 0, maximum: 10_000_000, multipleOf: 0.01 },
      { type: 'string', pattern: '^(0|[1-9][0-9]{0,7})(\\.[0-9]{1,2})?$' },
    ],
    description: 'US dollars, at most two decimals',
  }),
  quantity: quantityField,
  img: field(checkImageUrl, {
    type: 'string',
    maxLength: 2_048,
    description: 'An http(s) address, or the `img` that `POST /uploads` returned',
  }),
  description: field(checkDescription, { type: 'string', minLength: 50, maxLength: 5_000 }),
  suplierName: field(checkSupplierName, { type: 'string', minLength: 1, maxLength: 200 }),
  email: field(checkEmail, { type: 'string', format: 'email', maxLength: 254 }),
  sku: z.optional(
    field(checkSku, {
      type: ['string', 'null'],
      minLength: 1,
      maxLength: CODE_MAX,
      description: 'Your own code for the item. No two items share a code; case and spaces do not matter',
    }),
  ),
  barcodes: z.optional(
    field(checkBarcodes, {
      type: 'array',
      maxItems: BARCODES_MAX,
      items: { type: 'string', minLength: 1, maxLength: CODE_MAX },
      description:
        'The codes on the item: EAN, UPC, Code 128, QR, Data Matrix. No two items share a code. Of 8, 12, 13 or 14 digits, the last must be the check digit of an EAN or UPC',
    }),
  ),
});

export function toNewItem(body: z.output<typeof newItemBody>): NewItem {
  return {
    name: body.name,
    priceCents: body.price,
    quantity: body.quantity,
    imageUrl: body.img,
    description: body.description,
    supplierName: body.suplierName,
    email: body.email,
    sku: body.sku ?? null,
    barcodes: body.barcodes ?? [],
  };
}

const reorderPoint = z.nullable(integer(0, MAX_QUANTITY));

const editable = z.strictObject({
  name: z.optional(newItemBody.shape.name),
  price: z.optional(newItemBody.shape.price),
  img: z.optional(newItemBody.shape.img),
  description: z.optional(newItemBody.shape.description),
  suplierName: z.optional(newItemBody.shape.suplierName),
  email: z.optional(newItemBody.shape.email),
  reorderPoint: z.optional(reorderPoint),
  sku: newItemBody.shape.sku,
  barcodes: newItemBody.shape.barcodes,
});

/**
 * An edit. `seen` has the values the user saw in the changed fields; they show whether somebody else has changed these
 * fields since.
 */
export const editBody = z.strictObject({ changes: editable, seen: z.optional(editable) });

const FIELD_OF_WIRE_NAME = {
  name: 'name',
  price: 'priceCents',
  img: 'imageUrl',
  description: 'description',
  suplierName: 'supplierName',
  email: 'email',
  reorderPoint: 'reorderPoint',
  sku: 'sku',
  barcodes: 'barcodes',
} as const satisfies Record<keyof z.output<typeof editable>, EditableField>;
export const wireNameOf = Object.fromEntries(
  Object.entries(FIELD_OF_WIRE_NAME).map(([wire, field]) => [field, wire]),
) as Record<EditableField, keyof typeof FIELD_OF_WIRE_NAME>;

export function toEdit(fields: z.output<typeof editable>): Edit {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    given.map(([wire, value]) => [FIELD_OF_WIRE_NAME[wire as keyof typeof FIELD_OF_WIRE_NAME], value]),
  ) as Edit;
}

const skip = wholeNumber(0, 99_999_999, 'How many rows to skip. Cannot be combined with `cursor`');

export const listQuery = z.object({
  limit: limitUpTo(200),
  skip: z.optional(skip),
  cursor: z.optional(z.string().check(z.maxLength(1_200))),
  q: z.optional(searchText(isSafeText)),
  sort: z.optional(z.enum(sortOrders)),
  stock: z.optional(z.enum(stockFilters)),
});
export type ListQuery = z.output<typeof listQuery>;

const idempotent = {
  'idempotency-key':
    'A UUID that the client creates; repeating the request with it changes nothing and returns the first response',
};

const listReplyHeaders = { ...readReplyHeaders, ...pageReplyHeaders, ...totalReplyHeaders };

export const listPublicItems = endpoint({
  method: 'GET',
  path: '/inventory-items',
  summary: 'All items without email addresses, newest first',
  description:
    'On a server with several houses: the items of the houses that publish them, or with `house` those of one house.',
  who: 'anyone',
  query: z.extend(listQuery, { house: z.optional(z.string().check(z.maxLength(100))) }),
  replyHeaders: listReplyHeaders,
  replies: { 200: z.array(publicWireItem) },
  problems: ['invalid_query', 'house_not_found'],
});

export const findPublishedHouse = endpoint({
  method: 'GET',
  path: '/published-houses/:slug',
  summary: 'A house that shows its items to visitors',
  who: 'anyone',
  params: z.object({ slug: z.string() }),
  replies: { 200: publishedHouse },
  problems: ['house_not_found'],
});

export const listAllItems = endpoint({
  method: 'GET',
  path: '/all-inventory-items',
  summary: 'All items, newest first',
  who: 'user',
  query: listQuery,
  replyHeaders: listReplyHeaders,
  replies: { 200: z.array(wireItem) },
  problems: ['invalid_query'],
});

export const listMyItems = endpoint({
  method: 'GET',
  path: '/my-items',
  summary: "The items of the access token's owner, newest first",
  who: 'bearer',
  query: z.extend(listQuery, { email: z.string() }),
  replyHeaders: listReplyHeaders,
  replies: { 200: z.array(wireItem) },
  problems: ['invalid_query', 'email_mismatch'],
});

export const findItem = endpoint({
  method: 'GET',
  path: '/manage-inventory',
  summary: 'One item by id, as an array with one element or none',
  who: 'user',
  query: z.object({ _id: z.string().check(z.maxLength(200)) }),
  replyHeaders: itemReplyHeaders,
  replies: { 200: z.array(wireItem) },
  problems: ['invalid_query'],
});

export const createItem = endpoint({
  method: 'POST',
  path: '/new-inventory-item',
  summary: 'Add an item with its opening stock',
  who: 'user',
  headers: { 'idempotency-key': "A UUID that the client creates for this request; it becomes the item's id" },
  body: newItemBody,
  replyHeaders: { ...itemReplyHeaders, location: 'The address of the new item' },
  replies: { 201: wireItem },
  problems: ['invalid_input', 'code_taken', 'key_reused'],
});

export const deleteItem = endpoint({
  method: 'DELETE',
  path: '/inventory-items/:id',
  summary: 'Delete an item; it can be restored',
  description: 'Deleting an item twice is not an error: the second time, `deletedCount` is 0.',
  who: 'user',
  headers: idempotent,
  params: idParams,
  replies: { 200: z.strictObject({ _id: z.string(), deletedCount: z.union([z.literal(0), z.literal(1)]) }) },
  problems: ['item_not_found', 'key_reused'],
});

export const editItem = endpoint({
  method: 'POST',
  path: '/inventory-items/:id/edit',
  summary: 'Edit an item; edits of different fields by different users are merged',
  who: 'user',
  headers: idempotent,
  params: idParams,
  body: editBody,
  replyHeaders: itemReplyHeaders,
  replies: { 200: wireItem },
  problems: ['invalid_input', 'item_not_found', 'edit_conflict', 'code_taken', 'key_reused'],
});

export const restoreItem = endpoint({
  method: 'POST',
  path: '/inventory-items/:id/restore',
  summary: 'Restore a deleted item with the stock it had',
  who: 'user',
  headers: idempotent,
  params: idParams,
  replyHeaders: itemReplyHeaders,
  replies: { 200: wireItem },
  problems: ['item_not_found', 'code_taken', 'key_reused'],
});
