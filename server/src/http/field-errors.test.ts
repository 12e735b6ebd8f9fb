import { fieldSentences } from '@perfume/domain/field-errors';
import { expect, test } from 'vitest';
import { aNewItem, anItem, onAnyDatabase, signedInAs } from '../testing.ts';

type Rule = [
  code: keyof typeof fieldSentences,
  field: string,
  sentence: string,
  request: string,
  body?: unknown,
  headers?: Record<string, string>,
];

const ADD = 'POST /new-inventory-item';
const SIGN_UP = 'POST /api/auth/sign-up/email';
const ada = { name: 'Ada', email: 'ada@house.example', password: 'quiet otter lamp 7' };
const uuid = '00000000-0000-4000-8000-000000000000';
const RESERVED = '00000000-0000-8000-8000-000000000000';

const CSV = { 'content-type': 'text/csv' };
const IMPORT = 'POST /imports';

// `{item}` is the id of an item with the name Iris.
const rules: Rule[] = [
  ['not_a_table', 'file', fieldSentences.not_a_table, IMPORT, 'a,b\n"1', CSV],
  ['table_empty', 'file', fieldSentences.table_empty, IMPORT, ' \n', CSV],
  ['table_too_wide', 'file', fieldSentences.table_too_wide({ max: 300 }), IMPORT, 'x,'.repeat(300), CSV],
  ['table_too_long', 'file', fieldSentences.table_too_long({ max: 200_000 }), IMPORT, 'a\n'.repeat(200_002), CSV],
  ['required', 'name', 'This field is required', ADD, aNewItem({ name: ' ' })],
  ['required', 'email', 'This field is required', 'POST /login', {}],
  ['description_too_short', 'description', 'Minimum 50 chracter required', ADD, aNewItem({ description: 'x' })],
  ['unknown', 'colour', 'Unknown field', ADD, aNewItem({ colour: 'red' })],
  ['repeated', 'q', 'This was sent more than once', 'GET /all-inventory-items?q=a&q=b'],
  ['wrong_type', 'rememberMe', 'This value has the wrong type', SIGN_UP, { ...ada, rememberMe: 'yes' }],
  ['wrong_type', '', 'This value has the wrong type', ADD, []],
  ['too_long', 'name', 'Use at most 200 characters', ADD, aNewItem({ name: 'x'.repeat(201) })],
  ['too_long', 'callbackURL', 'Use at most 2048 characters', SIGN_UP, { ...ada, callbackURL: 'x'.repeat(2_049) }],
  ['too_few', 'ids', 'Send at least 1', 'POST /bulk', { batch: uuid, action: 'deliver', ids: [] }],
  ['too_many', 'ids', 'Send at most 200', 'POST /bulk', { batch: uuid, action: 'deliver', ids: Array(201).fill(uuid) }],
  ['hidden_characters', 'name', 'Send text without invisible characters', ADD, aNewItem({ name: 'a\u0000b' })],
  ['hidden_characters', 'q', 'Send text without invisible characters', 'GET /all-inventory-items?q=%00'],
  ['not_a_choice', 'stock', 'Send one of in, low, out', 'GET /all-inventory-items?stock=much'],
  ['not_a_whole_number', 'limit', 'Enter a whole number from 1 to 200', 'GET /all-inventory-items?limit=0'],
  ['not_a_whole_number', 'quantity', 'Enter a whole number from 0 to 1,000,000,000', ADD, aNewItem({ quantity: -1 })],
  [
    'not_a_whole_number',
    'units',
    'Enter a whole number from 1 to 1,000,000,000',
    'POST /inventory-items/{item}/movements',
    { kind: 'deliver', units: -1 },
  ],
  [
    'not_a_whole_number',
    'reorderPoint',
    'Enter a whole number from 0 to 1,000,000,000',
    'PUT /settings',
    { reorderPoint: '3' },
  ],
  [
    'not_a_price',
    'price',
    'Enter a price from 0 to 10,000,000 with at most two decimals',
    ADD,
    aNewItem({ price: -1 }),
  ],
  [
    'not_a_web_address',
    'img',
    'Enter a web address that begins with http:// or https://',
    ADD,
    aNewItem({ img: 'javascript:alert(1)' }),
  ],
  [
    'not_https',
    'image',
    'Enter a web address that begins with https://',
    SIGN_UP,
    { ...ada, image: 'http://a.example/b.png' },
  ],
  [
    'private_address',
    'url',
    'Enter an address that is reachable from the internet',
    'POST /webhooks',
    { url: 'https://10.0.0.1/', events: ['stock.changed'] },
  ],
  ['not_an_email', 'email', 'Enter a valid email address', SIGN_UP, { ...ada, email: 'ada' }],
  ['not_a_date', 'from', 'Send a date such as 2026-01-31', 'GET /insights/series?from=yesterday'],
  [
    'not_a_coming_day',
    'expiresOn',
    'Choose a day from today to 5 years from now',
    'POST /api-keys',
    { name: 'Scanner', scope: 'read', expiresOn: '2020-01-31' },
  ],
  ['not_a_time', 'at', 'Send a time such as 2026-01-31T12:00:00Z', 'GET /as-of?at=2026-13-01T00:00Z'],
  [
    'not_a_query',
    'query',
    'Send filters as the address of the page has them, such as stock=low&sort=name',
    'POST /views',
    { name: 'Low stock', page: 'manageInventory', query: '?stock=low' },
  ],
  ['not_a_uuid', 'item', 'Send a UUID', 'GET /history?item=1'],
  ['not_a_uuid', 'Idempotency-Key', 'Send a UUID', ADD, aNewItem(), { 'idempotency-key': 'again' }],
  [
    'reserved_uuid',
    'Idempotency-Key',
    'Send a UUID that is not of version 8',
    ADD,
    aNewItem(),
    { 'idempotency-key': RESERVED },
  ],
  [
    'reserved_uuid',
    'batch',
    'Send a UUID that is not of version 8',
    'POST /bulk',
    { action: 'deliver', batch: RESERVED, ids: [RESERVED] },
  ],
  ['not_a_cursor', 'cursor', 'Not a valid cursor', 'GET /all-inventory-items?cursor=x'],
  ['not_a_cursor', 'cursor', 'Not a valid cursor', 'GET /history?cursor=x'],
  ['not_a_cursor', 'cursor', 'Not a valid cursor', 'GET /alerts?cursor=x'],
  ['not_a_position', 'upTo', 'Send the value of the `X-Alerts-Up-To` header', 'POST /alerts/seen', { upTo: 'now' }],
  [
    'not_a_version',
    'If-Match',
    'Send the version in double quotes, such as "3"',
    'PUT /inventory-items/{item}',
    { quantity: 1 },
    { 'if-match': '1' },
  ],
  [
    'not_an_event_id',
    'Last-Event-ID',
    'This event id is not from this server',
    'GET /events',
    undefined,
    { 'last-event-id': 'x' },
  ],
  [
    'not_both',
    'Stock-Base',
    'Send either Stock-Base or If-Match, not both',
    'PUT /inventory-items/{item}',
    { quantity: 1 },
    { 'stock-base': '2', 'if-match': '"1"' },
  ],
  [
    'reason_needs_correction',
    'reason',
    'Send a reason only with a correction',
    'POST /inventory-items/{item}/movements',
    { kind: 'deliver', units: 1, reason: 'theft' },
  ],
  ['after_end', 'from', 'Must not be after `to` or after today', 'GET /insights/series?from=2020-01-02&to=2020-01-01'],
  ['too_many_days', 'from', 'Choose a period of at most 3660 days', 'GET /insights/series?from=1990-01-01'],
  [
    'too_many_points',
    'step',
    'For more than 800 days, use week or month',
    'GET /insights/series?from=2020-01-01&to=2024-01-01&step=day',
  ],
  [
    'changed_by_other',
    'name',
    'Someone else changed this field',
    'POST /inventory-items/{item}/edit',
    { changes: { name: 'Rose' }, seen: { name: 'Lily' } },
  ],
  ['password_too_short', 'password', 'Use at least 8 characters', SIGN_UP, { ...ada, password: 'short' }],
  [
    'password_too_common',
    'password',
    'This password is too common. Choose another one.',
    SIGN_UP,
    { ...ada, password: 'password' },
  ],
  [
    'wrong_check_digit',
    'barcodes',
    'The last digit of 4006381333930 should be 1. Check it, or enter your own number as the SKU.',
    ADD,
    aNewItem({ barcodes: ['4006381333930'] }),
  ],
  [
    'picture_gone',
    'img',
    'This picture no longer exists. Upload it again.',
    ADD,
    aNewItem({ img: `/uploads/${'0'.repeat(40)}.webp` }),
  ],
  [
    'password_is_personal',
    'password',
    'Choose a password that is not your name or email address.',
    SIGN_UP,
    { ...ada, password: ada.email },
  ],
];

onAnyDatabase('a refused field', (shared) => {
  test.each(rules)('has the code %s and a sentence: %s', async (code, field, sentence, request, body, headers = {}) => {
    const person = await signedInAs(shared);
    const [method = '', path = ''] = request.split(' ');
    const url = path.includes('{item}') ? path.replace('{item}', (await anItem(person, { name: 'Iris' }))._id) : path;
    const answer = await person.call(method as 'GET', url, { body, headers });
    const { fields, fieldCodes } = answer.json();
    expect({ fields, fieldCodes }).toEqual({ fields: { [field]: sentence }, fieldCodes: { [field]: code } });
  });
});

test('every code has a rule above', () => {
  // Two items are needed for `code_taken`, two people for `batch_taken`: see codes.test.ts and bulk.test.ts.
  // Those of a row and of an archive to import are in src/transfer.
  const elsewhere = ['code_taken', 'batch_taken', 'rounded_number', 'same_as_row', 'table_too_large'];
  expect(new Set([...rules.map(([code]) => code), ...elsewhere])).toEqual(new Set(Object.keys(fieldSentences)));
});
