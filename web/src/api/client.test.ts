import { afterEach, describe, expect, test, vi } from 'vitest';
import { ApiProblem, call, callAs, nextCursor, onSignInRefused, totalCount } from './client.ts';

function stubFetch(respond: () => Response | Promise<Response>) {
  const fetchMock = vi.fn<(url: string, init: RequestInit) => Promise<Response>>(async () => respond());
  vi.stubGlobal('fetch', fetchMock);
  return fetchMock;
}

afterEach(() => vi.unstubAllGlobals());

describe('a call', () => {
  test('sends the method, path and query of its endpoint and returns the response', async () => {
    const fetchMock = stubFetch(() => Response.json([], { headers: { 'x-total-count': '24' } }));
    const { data, headers } = await call('GET /inventory-items', { query: { limit: '12', q: 'a&b' } });
    expect(data).toEqual([]);
    expect(totalCount(headers)).toBe(24);
    expect(fetchMock.mock.calls[0]?.[0]).toBe('/inventory-items?limit=12&q=a%26b');
    expect(fetchMock.mock.calls[0]?.[1]).toMatchObject({ method: 'GET', body: null });
  });

  test('names the user that it is made for, because somebody else may have logged in in another tab', async () => {
    const fetchMock = stubFetch(() => Response.json({}));
    const change = { params: { id: 'a' }, body: { quantity: '41' } };
    callAs({ id: 'ines' });
    await call('PUT /inventory-items/:id', change);
    await call('PUT /inventory-items/:id', { ...change, headers: { 'expected-user': 'otto' } });
    callAs(null);
    await call('PUT /inventory-items/:id', change);
    const named = fetchMock.mock.calls.map(([, { headers }]) => new Headers(headers).get('expected-user'));
    expect(named).toEqual(['ines', 'otto', null]);
  });

  test('names the house of the page, or that in which a stored change was made', async () => {
    const fetchMock = stubFetch(() => Response.json({ code: 'house_not_found' }, { status: 404 }));
    const refused = vi.fn();
    const stop = onSignInRefused(refused);
    callAs({ id: 'ines', house: { id: 'atelier', name: 'Atelier', role: 'owner' } });
    await call('GET /alerts', { headers: { house: 'comptoir' } }).catch(() => {});
    expect(refused).not.toHaveBeenCalled();
    await call('GET /alerts').catch(() => {});
    expect(refused).toHaveBeenCalledOnce();
    stop();
    callAs(null);
    const named = fetchMock.mock.calls.map(([, { headers }]) => new Headers(headers).get('house'));
    expect(named).toEqual(['comptoir', 'atelier']);
  });

  test('to an endpoint outside the contract does not compile', async () => {
    stubFetch(() => Response.json({}));
    // @ts-expect-error: the contract has no such path
    await call('GET /inventory');
    // @ts-expect-error: the path exists, but takes no DELETE
    await call('DELETE /alerts');
  });

  test('encodes its path parameters', async () => {
    const fetchMock = stubFetch(() => Response.json({}));
    await call('PUT /inventory-items/:id', {
      params: { id: '../x?y' },
      body: { quantity: '41' },
      headers: { 'stock-base': '42' },
    });
    const [url, init] = fetchMock.mock.calls[0] ?? [];
    expect(url).toBe('/inventory-items/..%2Fx%3Fy');
    expect(init?.body).toBe('{"quantity":"41"}');
    expect(new Headers(init?.headers).get('stock-base')).toBe('42');
  });

  test('sends a password in one Unicode form, whatever keyboard it was typed on, and leaves other texts alone', async () => {
    const fetchMock = stubFetch(() => Response.json({}));
    const typed = 'caf\u00e9 \uff11 \ufb01n ';
    for (const text of [typed, 'cafe\u0301 1 fin '])
      await call('POST /api/auth/sign-in/email', { body: { email: 'a@example.com', password: text } });
    await call('POST /api/auth/change-password', { body: { currentPassword: typed, newPassword: typed } });
    await call('POST /api/auth/update-user', { body: { name: typed } });
    expect(fetchMock.mock.calls.map(([, { body }]) => body)).toEqual([
      '{"email":"a@example.com","password":"caf\u00e9 1 fin "}',
      '{"email":"a@example.com","password":"caf\u00e9 1 fin "}',
      '{"currentPassword":"caf\u00e9 1 fin ","newPassword":"caf\u00e9 1 fin "}',
      JSON.stringify({ name: typed }),
    ]);
  });

  const getItem = () => call('GET /manage-inventory', { query: { _id: 'a' } });

  test('throws the code, the fields and the quantity on hand of a refusal', async () => {
    stubFetch(() =>
      Response.json({ code: 'out_of_stock', detail: 'No', onHand: 0, fields: { a: 'b' } }, { status: 409 }),
    );
    const problem = await getItem().catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(ApiProblem);
    expect(problem).toMatchObject({ code: 'out_of_stock', status: 409, onHand: 0, fields: { a: 'b' } });
  });

  test('throws offline without a response', async () => {
    stubFetch(() => Promise.reject(new TypeError('Failed to fetch')));
    await expect(getItem()).rejects.toMatchObject({ code: 'offline' });
  });

  test.each([
    ['no response', () => new Promise<Response>(() => {})],
    ['half a response', () => new Response(new ReadableStream({ start: (body) => body.enqueue(new Uint8Array(1)) }))],
  ])('that gets %s times out', async (_, respond) => {
    vi.useFakeTimers();
    const fetchMock = stubFetch(respond);
    const outcome = expect(getItem()).rejects.toMatchObject({ code: 'offline' });
    await vi.advanceTimersByTimeAsync(20_000);
    await outcome;
    expect(fetchMock.mock.calls[0]?.[1].signal?.aborted).toBe(true);
    vi.useRealTimers();
  });

  test('rejects at once when it is cancelled, with the reason', async () => {
    const fetchMock = stubFetch(() => new Promise<Response>(() => {}));
    const cancel = new AbortController();
    const outcome = call('GET /manage-inventory', { query: { _id: 'a' }, signal: cancel.signal });
    cancel.abort(new Error('enough'));
    await expect(outcome).rejects.toThrow('enough');
    expect(fetchMock.mock.calls[0]?.[1].signal?.aborted).toBe(true);
  });

  test.each(['<html>Welcome to our network', ''])('throws offline when a captive portal answers %j', async (page) => {
    stubFetch(() => new Response(page, { status: 200 }));
    await expect(getItem()).rejects.toMatchObject({ code: 'offline' });
  });

  test.each([
    ['not_signed_in', 401, 1],
    ['email_not_verified', 403, 1],
    ['invalid_token', 401, 0],
    ['not_allowed', 403, 0],
    ['invalid_email_or_password', 401, 0],
  ])('refused with %s (%i) reports the end of the session %i time(s)', async (code, status, times) => {
    stubFetch(() => Response.json({ code }, { status }));
    const onRefused = vi.fn();
    const stop = onSignInRefused(onRefused);
    await expect(getItem()).rejects.toMatchObject({ code });
    expect(onRefused).toHaveBeenCalledTimes(times);
    stop();
    await expect(getItem()).rejects.toMatchObject({ code });
    expect(onRefused).toHaveBeenCalledTimes(times);
  });

  test('throws internal when a proxy answers without a problem', async () => {
    stubFetch(() => new Response('<html>Bad gateway', { status: 502 }));
    await expect(getItem()).rejects.toMatchObject({ code: 'internal', status: 502 });
  });
});

describe('the next page', () => {
  test('is the cursor of the Link header', () => {
    vi.stubGlobal('location', { origin: 'http://here' });
    const link = '</inventory-items?limit=12&cursor=a%2Bb>; rel="next"';
    expect(nextCursor(new Headers({ link }))).toBe('a+b');
  });

  test('is null on the last page', () => {
    expect(nextCursor(new Headers())).toBeNull();
  });
});
