import type { Operation, Parameter, Schema } from './operations.ts';

const ITEM = '0197a3c2-5d1e-7b44-9c0f-3e8a61d2f907';
const MOVEMENT = '5f0c9a1e-8b7d-4c3a-a6f2-1d94e07b3c58';
const UNDOING = 'c2b81f60-47ae-4d19-8e35-90a7d6f4b213';
const BATCH = 'e41f7d03-92c5-4b6a-8f1d-57a0c3be2964';
const PERSON = '0197a3c0-11f2-7a06-8d5b-72c4e9b01a3d';
const SIGN_IN = '0197a3c1-6e20-7c31-9a4d-b85f02c7e914';
const NEW_KEY = '8d3e2b7a-1c64-4f0e-b9a8-6527c1f0de34';

type Values = Record<string, unknown>;

/** What a field is called says what stands in it; `by.name` goes before `name`. */
const values: Values = {
  _id: ITEM,
  itemId: ITEM,
  name: "Nuit d'Encre",
  price: 148,
  quantity: '41',
  img: '/bottles/nuit-d-encre.svg',
  description: 'A deep iris over wet ink and cedar, quiet as a late office; it stays on paper for a week.',
  suplierName: 'Maison Verrière',
  email: 'demo@perfume.example',
  image: 'https://pictures.example/dealer.jpg',
  photoURL: 'https://pictures.example/dealer.jpg',
  displayName: 'Demo Dealer',
  userAgent: 'Firefox · Windows',
  token: SIGN_IN,
  'session.id': SIGN_IN,
  userId: PERSON,
  'user.id': PERSON,
  'user.name': 'Demo Dealer',
  version: 8,
  createdAt: '2026-03-02T08:00:00.000Z',
  updatedAt: '2026-05-04T09:15:00.000Z',
  accessToken: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJlbWFpbCI6….kQ3v…',
  expiresAt: '2026-05-04T10:15:00.000Z',
  deletedCount: 1,
  id: MOVEMENT,
  kind: 'deliver',
  delta: -1,
  units: 1,
  quantityAfter: 41,
  'by.id': PERSON,
  'by.name': 'Demo Dealer',
  at: '2026-05-04T09:15:00.000Z',
  note: 'Order 1042',
  undoes: null,
  undoneBy: null,
  limit: '5',
  reorderPoint: null,
  lowAt: 10,
  itemName: "Nuit d'Encre",
  item: ITEM,
  undoneKind: null,
  field: 'price',
  from: 140,
  to: 148,
  batch: BATCH,
  ids: ITEM,
  after: MOVEMENT,
  movementId: MOVEMENT,
  next: null,
};

const ACCOUNT_NAME = { name: 'Demo Dealer' };
const DAYS = { from: '2026-05-01', to: '2026-05-04', supplier: 'Maison Verrière' };

const exceptions: Record<string, Values> = {
  'POST /new-inventory-item': { quantity: '42', version: 1, updatedAt: '2026-03-02T08:00:00.000Z' },
  'POST /uploads': { img: '/uploads/3f8a1c05b7e94d26a0c1f2e87b6d5940c3e1a72f.webp', width: 1_200, height: 1_600 },
  'POST /movements/:id/undo': {
    'movement.id': UNDOING,
    kind: 'undo',
    delta: 1,
    quantityAfter: 42,
    quantity: '42',
    version: 9,
    note: null,
    undoes: MOVEMENT,
  },
  'GET /history': { from: '2026-05-01T00:00:00.000Z', to: '2026-06-01T00:00:00.000Z' },
  'POST /history/:id/undo': { 'entry.id': UNDOING, kind: 'undo', delta: 1, quantityAfter: 42, undoes: MOVEMENT },
  'GET /history/:id/undo': { code: null, kind: 'stock', delta: 1, quantityAfter: 42, onHand: 41 },
  'GET /alerts': { id: '17', itemName: "Nuit d'Encre", kind: 'low', quantity: 9, lowAt: 10, mine: true, seen: false },
  'POST /alerts/seen': { upTo: '0-17', unseen: 0 },
  'GET /settings': { reorderPoint: 10, mail: 'daily', about: 'mine' },
  'PUT /settings': { reorderPoint: 12, mail: 'at_once', about: 'all' },
  'GET /insights/figures': {
    asOf: '2026-05-04T09:15:00.000Z',
    items: 24,
    unitsOnHand: 2_013,
    valueCents: 13_767_850,
    out: 3,
    low: 5,
    units: 254,
    before: 231,
  },
  'GET /insights/series': {
    ...DAYS,
    unitsOnHand: 2_013,
    valueCents: 13_767_850,
    delivered: 254,
    restocked: 218,
    corrected: -1,
    other: 0,
  },
  'GET /insights/sellers': { ...DAYS, onHand: 17, delivered: 41, days: 29.4, perDay: 1.3946, daysLeft: 12 },
  'GET /insights/suppliers': {
    ...DAYS,
    'total.suppliers': 1,
    items: 4,
    unitsOnHand: 77,
    valueCents: 1_274_600,
    delivered: 110,
  },
  'GET /insights/dead-stock': {
    supplier: DAYS.supplier,
    days: 90,
    'total.items': 1,
    onHand: 12,
    unitsOnHand: 12,
    valueCents: 252_000,
    lastDelivered: '2026-01-12',
    idleDays: 112,
  },
  'GET /events': { id: '0-184', kind: 'stock' },
  'POST /api/auth/sign-up/email': ACCOUNT_NAME,
  'POST /api/auth/update-user': ACCOUNT_NAME,
  'GET /api/auth/list-sessions': { id: SIGN_IN },
};

const headers: Record<string, string> = {
  Authorization: 'Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJlbWFpbCI6….kQ3v…',
  'Idempotency-Key': NEW_KEY,
  'Stock-Base': '42',
  'If-Match': '"7"',
  'Last-Event-ID': '0-183',
};

// Either the one or the other is sent, and a stream begins without a place in it.
const leftOut = ['If-Match', 'Last-Event-ID'];

export function bodyExample(operation: Operation): unknown {
  return operation.body && example(operation.body, valuesOf(operation));
}

export function replyExample(operation: Operation, schema: Schema): unknown {
  return example(schema, valuesOf(operation));
}

/** Any value that may stand there. */
export function parameterExample(operation: Operation, parameter: Parameter): string {
  if (parameter.in === 'header') return headers[parameter.name] ?? '';
  if (parameter.in === 'path')
    return { item: ITEM, movement: MOVEMENT, none: BATCH }[whatItNames(operation, parameter) ?? 'none'];
  const value = example(parameter.schema, valuesOf(operation), parameter.name);
  return value === undefined ? '' : String(value);
}

/** Whether an example request carries the parameter: what must be there, and what shows the call at its best. */
export function isInExample(parameter: Parameter): boolean {
  if (parameter.in === 'header') return !leftOut.includes(parameter.name);
  return parameter.required || parameter.name === 'limit';
}

/** Parameters that name something kept here; an invented id would only ever be answered with 404. */
export function whatItNames(operation: Operation, parameter: Parameter): 'item' | 'movement' | null {
  if (parameter.in === 'path' && parameter.name === 'id') {
    if (operation.path.startsWith('/batches/')) return null;
    return /^\/(?:movements|history)\//.test(operation.path) ? 'movement' : 'item';
  }
  return parameter.in === 'query' && parameter.name === '_id' ? 'item' : null;
}

function valuesOf(operation: Operation): Values {
  return { ...values, ...exceptions[operation.key] };
}

function example(schema: Schema, known: Values, name = '', parent = ''): unknown {
  for (const key of [`${parent}.${name}`, name]) {
    if (Object.hasOwn(known, key) && fits(schema, known[key])) return known[key];
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf?.[0]) return example(schema.anyOf[0], known, name, parent);
  if (schema.items) return [example(schema.items, known, name, parent)];
  if (schema.properties) {
    return Object.fromEntries(
      Object.entries(schema.properties).map(([field, inner]) => [field, example(inner, known, field, name)]),
    );
  }
  return plain(schema);
}

function plain({ type, minimum = 1, minLength = 1 }: Schema): unknown {
  if (type === 'integer' || type === 'number') return Math.max(minimum, 1);
  if (type === 'boolean') return true;
  if (type === 'array') return [];
  if (type === 'object') return {};
  return 'text'.padEnd(minLength, ' and more');
}

function fits(schema: Schema, value: unknown): boolean {
  if (schema.anyOf) return schema.anyOf.some((inner) => fits(inner, value));
  if (schema.const !== undefined) return schema.const === value;
  if (schema.enum) return schema.enum.includes(value);
  if (value === null) return schema.type === 'null';
  if (schema.type === 'integer') return Number.isInteger(Number(value));
  return schema.type === undefined || schema.type === typeof value;
}
