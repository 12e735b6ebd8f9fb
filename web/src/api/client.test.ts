import { afterEach, describe, expect, test, vi } from 'vitest';
import { ApiProblem, call, nextCursor, onSignInRefused, totalCount } from './client.ts';

function answering(answer: () => Response | Promise<Response>) {
  const asked = vi.fn<(url: string, init: RequestInit) => Promise<Response>>(async () => answer());
  vi.stubGlobal('fetch', asked);
  return asked;
}

afterEach(() => vi.unstubAllGlobals());

describe('a call', () => {
  test('sends the method, path and query of its route and returns the reply', async () => {
    const asked = answering(() => Response.json([], { headers: { 'x-total-count': '24' } }));
    const { data, headers } = await call('GET /inventory-items', { query: { limit: '12', q: 'a&b' } });
    expect(data).toEqual([]);
    expect(totalCount(headers)).toBe(24);
    expect(asked.mock.calls[0]?.[0]).toBe('/inventory-items?limit=12&q=a%26b');
    expect(asked.mock.calls[0]?.[1]).toMatchObject({ method: 'GET', body: null });
  });

  test('of a route that the contract does not have is refused by the compiler', async () => {
    answering(() => Response.json({}));
    // @ts-expect-error: the contract has no such path
    await call('GET /inventory');
    // @ts-expect-error: the path exists, but takes no DELETE
    await call('DELETE /alerts');
  });

  test('encodes its path parameters', async () => {
    const asked = answering(() => Response.json({}));
    await call('PUT /inventory-items/:id', {
      params: { id: '../x?y' },
      body: { quantity: '41' },
      headers: { 'stock-base': '42' },
    });
    const [url, init] = asked.mock.calls[0] ?? [];
    expect(url).toBe('/inventory-items/..%2Fx%3Fy');
    expect(init?.body).toBe('{"quantity":"41"}');
    expect(new Headers(init?.headers).get('stock-base')).toBe('42');
  });

  const one = () => call('GET /manage-inventory', { query: { _id: 'a' } });

  test('throws the code, the fields and the quantity on hand of a refusal', async () => {
    answering(() =>
      Response.json({ code: 'out_of_stock', detail: 'No', onHand: 0, fields: { a: 'b' } }, { status: 409 }),
    );
    const problem = await one().catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(ApiProblem);
    expect(problem).toMatchObject({ code: 'out_of_stock', status: 409, onHand: 0, fields: { a: 'b' } });
  });

  test('throws offline without a reply', async () => {
    answering(() => Promise.reject(new TypeError('Failed to fetch')));
    await expect(one()).rejects.toMatchObject({ code: 'offline' });
  });

  test.each([
    ['no answer', () => new Promise<Response>(() => {})],
    ['half an answer', () => new Response(new ReadableStream({ start: (body) => body.enqueue(new Uint8Array(1)) }))],
  ])('that gets %s times out', async (_, answer) => {
    vi.useFakeTimers();
    const asked = answering(answer);
    const outcome = expect(one()).rejects.toMatchObject({ code: 'offline' });
    await vi.advanceTimersByTimeAsync(20_000);
    await outcome;
    expect(asked.mock.calls[0]?.[1].signal?.aborted).toBe(true);
    vi.useRealTimers();
  });

  test('rejects at once when it is cancelled, with the reason', async () => {
    const asked = answering(() => new Promise<Response>(() => {}));
    const cancel = new AbortController();
    const outcome = call('GET /manage-inventory', { query: { _id: 'a' }, signal: cancel.signal });
    cancel.abort(new Error('enough'));
    await expect(outcome).rejects.toThrow('enough');
    expect(asked.mock.calls[0]?.[1].signal?.aborted).toBe(true);
  });

  test('throws offline when a captive portal answers with a page', async () => {
    answering(() => new Response('<html>Welcome to our network', { status: 200 }));
    await expect(one()).rejects.toMatchObject({ code: 'offline' });
  });

  test.each([
    ['not_signed_in', 401, 1],
    ['email_not_verified', 403, 1],
    ['invalid_token', 401, 0],
    ['not_the_owner', 403, 0],
    ['invalid_email_or_password', 401, 0],
  ])('refused with %s says that the sign-in is not what it was: %i, %i time(s)', async (code, status, times) => {
    answering(() => Response.json({ code }, { status }));
    const heard = vi.fn();
    const stop = onSignInRefused(heard);
    await expect(one()).rejects.toMatchObject({ code });
    expect(heard).toHaveBeenCalledTimes(times);
    stop();
    await expect(one()).rejects.toMatchObject({ code });
    expect(heard).toHaveBeenCalledTimes(times);
  });

  test('throws internal when a proxy answers without a problem', async () => {
    answering(() => new Response('<html>Bad gateway', { status: 502 }));
    await expect(one()).rejects.toMatchObject({ code: 'internal', status: 502 });
  });
});

describe('the next page', () => {
  test('is the cursor of the Link header', () => {
    vi.stubGlobal('location', { origin: 'http://here' });
    const link = '</inventory-items?limit=12&cursor=a%2Bb>; rel="next"';
    expect(nextCursor(new Headers({ link }))).toBe('a+b');
  });

  test('is none on the last page', () => {
    expect(nextCursor(new Headers())).toBeNull();
  });
});
