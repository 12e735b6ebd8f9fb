// A program as a third party would write it: its types are generated from /openapi.json, its client is openapi-fetch.
// Run by generated-client.test.ts as `node program.ts ADDRESS EMAIL PASSWORD`.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import createClient from 'openapi-fetch';
import type { components, paths } from './artefacts/api.ts';

const [baseUrl = '', email = '', password = ''] = process.argv.slice(2);
const api = createClient<paths>({ baseUrl });

// Node's fetch keeps no cookies, so the program stores and sends them itself.
const cookies = new Map<string, string>();
api.use({
  onRequest({ request }) {
    request.headers.set('cookie', [...cookies].map((pair) => pair.join('=')).join('; '));
  },
  onResponse({ response }) {
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = cookie.split(/=([^;]*)/);
      cookies.set(name, value);
    }
  },
});

function refusedWith(
  answer: { error?: components['schemas']['Problem']; response: Response },
  status: number,
  code: components['schemas']['Problem']['code'],
): components['schemas']['Problem'] {
  assert.equal(answer.response.status, status);
  assert.equal(answer.error?.code, code);
  assert.ok(answer.error.requestId && answer.error.detail);
  return answer.error;
}

refusedWith(await api.GET('/all-inventory-items'), 401, 'not_signed_in');
refusedWith(
  await api.POST('/api/auth/sign-in/email', { body: { email, password: 'a wrong one' } }),
  401,
  'invalid_email_or_password',
);
const signedIn = await api.POST('/api/auth/sign-in/email', { body: { email, password } });
// With two-step login the answer asks for a code instead.
assert.ok(signedIn.data && 'user' in signedIn.data);
assert.equal(signedIn.data.user.email, email);
const session = await api.GET('/api/auth/get-session');
assert.equal(session.data?.user.displayName, signedIn.data.user.displayName);
assert.deepEqual(session.data.user.providers, ['password']);

const created = await api.POST('/new-inventory-item', {
  params: { header: { 'idempotency-key': randomUUID() } },
  body: {
    name: 'Vetiver',
    price: 12.5,
    quantity: '2',
    img: 'https://pictures.example/vetiver.jpg',
    description: 'Dry grass after rain, a little smoke, and a clean wooden floor.',
    suplierName: 'Maison Verrière',
    email,
  },
});
assert.equal(created.response.status, 201);
const item = created.data;
assert.ok(item);
const id = item._id;

const refused = await api.POST('/new-inventory-item', {
  body: { name: '', price: 1, quantity: 1, img: 'no address', description: 'short', suplierName: 'x', email },
});
const { fields } = refusedWith(refused, 422, 'invalid_input');
assert.deepEqual(Object.keys(fields ?? {}).sort(), ['description', 'img', 'name']);

const list = await api.GET('/all-inventory-items', {
  params: { query: { limit: 1, sort: 'newest', stock: 'in', q: 'Vetiver' } },
});
assert.deepEqual(list.data, [item]);
// @ts-expect-error a limit is a number
const notANumber = await api.GET('/history', { params: { query: { limit: 'ten' } } });
refusedWith(notANumber, 400, 'invalid_query');

const key = randomUUID();
const deliver = () =>
  api.PUT('/inventory-items/{id}', {
    params: { path: { id }, header: { 'idempotency-key': key, 'stock-base': '2' } },
    body: { quantity: '1' },
  });
const delivered = await deliver();
assert.equal(delivered.data?.quantity, '1');
// A repeated request with the same key is applied once.
assert.deepEqual((await deliver()).data, delivered.data);
const tooMany = await api.POST('/inventory-items/{id}/movements', {
  params: { path: { id } },
  body: { kind: 'deliver', units: 5 },
});
assert.equal(refusedWith(tooMany, 409, 'out_of_stock').onHand, 1);

const movements = await api.GET('/inventory-items/{id}/movements', {
  params: { path: { id }, query: { limit: 10 } },
});
assert.deepEqual(
  movements.data?.map(({ kind, delta, quantityAfter }) => [kind, delta, quantityAfter]),
  [
    ['deliver', -1, 1],
    ['opening', 2, 2],
  ],
);

const history = await api.GET('/history', { params: { query: { item: id, kind: 'deliver', limit: 10 } } });
assert.deepEqual(
  history.data?.map((entry) => entry.id),
  [key],
);
const undone = await api.POST('/history/{id}/undo', {
  params: { path: { id: key }, header: { 'idempotency-key': randomUUID() } },
});
assert.equal(undone.data?.item?.quantity, '2');
refusedWith(await api.POST('/movements/{id}/undo', { params: { path: { id: key } } }), 409, 'already_undone');
refusedWith(await api.POST('/history/{id}/undo', { params: { path: { id: randomUUID() } } }), 404, 'entry_not_found');

const signedOut = await api.POST('/api/auth/sign-out');
assert.equal(signedOut.data?.success, true);
assert.equal((await api.GET('/api/auth/get-session')).data, null);
console.log('done');
