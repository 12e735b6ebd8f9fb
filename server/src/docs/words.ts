// What the contract leaves to the reader, said once. `Backticks` are code.

export const parameterMeanings: Record<string, string> = {
  cursor: 'Where the page before ended. Taken from the `Link` header, never made by hand',
  q: 'Text to look for in name, supplier, description and id',
  sort: 'The order; a `-` in front turns it around',
  stock: '`in`: any on hand. `low`: at or below the reorder point, none included. `out`: none',
  email: "The token owner's own address",
  _id: "The item's id",
  id: "The item's id",
};

export const parameterExceptions: Record<string, Record<string, string>> = {
  'POST /movements/:id/undo': { id: 'The id of the movement to undo' },
};

export const fieldMeanings: Record<string, string> = {
  _id: "The item's id, a UUID",
  name: 'What the perfume is called',
  price: 'USD, at most two decimals',
  quantity: 'Units on hand: a whole number, as a string',
  img: 'A web address, or a path on this host',
  description: 'What a buyer should know; characters are counted as people count them',
  suplierName: 'Who supplies it; the spelling is part of the wire',
  email: 'The address of whoever keeps the item',
  version: 'Grows by one with every change; `If-Match` takes it',
  createdAt: 'ISO 8601, UTC',
  updatedAt: 'ISO 8601, UTC',
  accessToken: 'Goes into `Authorization: Bearer …` of `GET /my-items`',
  expiresAt: 'ISO 8601, UTC: one hour from now',
  deletedCount: '`1`, or `0` when it had been deleted already',
  movement: 'The row written into the ledger',
  item: 'The item as it is now',
  kind: 'What happened',
  delta: 'Units added; below zero when they left',
  quantityAfter: 'Units on hand right after it',
  by: 'Who did it',
  at: 'ISO 8601, UTC',
  note: 'What the person wrote about it',
  undoes: 'The movement that this one undoes',
  undoneBy: 'The movement that undid this one',
  itemId: "The item's id",
  id: 'A UUID; the `Idempotency-Key` of the request, if it had one',
  'by.id': "The person's id",
  'by.name': "The person's name",
  reorderPoint: 'At or below this many units, stock is low',
  lowAt: 'The reorder point that counts: its own, or the one of the warehouse',
  alerts: 'How the reader hears of low stock',
  mail: 'Letters: none, at once, or a digest at 07:00 UTC',
  about: 'Items that carry the address of the reader, or all',
  mine: 'Whether the item carries the address of the reader',
  seen: 'Whether the reader has said so',
  upTo: 'What `X-Alerts-Up-To` said',
  unseen: 'How many are left to see, counted to 100',
  userAgent: 'What the browser is called, such as `Firefox · Windows`; `null` when it is not known',
  isThisOne: 'Whether it is the sign-in that asks',
  displayName: 'The same as `name`',
  photoURL: 'The same as `image`',
  providers: 'Every way this person can sign in',
};

const SIGN_IN_ID = 'The same as `id`: it ends the sign-in, and opens nothing';

export const fieldExceptions: Record<string, Record<string, string>> = {
  'GET /alerts': { id: 'Grows with every alert', quantity: 'Units on hand', kind: 'What holds since then' },
  'GET /api/auth/list-sessions': { id: 'Names the sign-in', token: SIGN_IN_ID, expiresAt: 'ISO 8601, UTC' },
  'GET /api/auth/get-session': { 'session.token': SIGN_IN_ID, expiresAt: 'ISO 8601, UTC' },
  'POST /api/auth/revoke-session': { token: 'The `token` of the sign-in, as the list names it' },
  'POST /login': { email: 'The address of the signed-in person' },
  'POST /uploads': {
    img: 'What goes into the `img` of an item; the same picture always gets the same path',
    width: 'In pixels, as it is kept',
    height: 'In pixels, as it is kept',
  },
  'GET /events': {
    id: 'The place in the feed; `Last-Event-ID` takes it',
    item: 'The item as it is now; `null` when deleted',
  },
};
