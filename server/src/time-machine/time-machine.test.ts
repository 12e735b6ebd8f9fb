import type { WireItem } from '@perfume/contract/wire-item';
import { expect, test } from 'vitest';
import { anItem, deliver, edit, onBothDatabases, signedInAs } from '../testing.ts';

onBothDatabases('the time machine', (shared) => {
  test('shows stock, price and name as they were, including items deleted since', async () => {
    const person = await signedInAs(shared);
    const item = await anItem(person, { quantity: 5, price: 10 });
    const before = await instantBetween();
    await deliver(person, item._id);
    await edit(person, item._id, { price: 99, name: 'Renamed' });
    await person.call('DELETE', `/inventory-items/${item._id}`);
    const then = async (query: string) =>
      (await person.call('GET', `/as-of?at=${before}&q=${item._id}&${query}`)).json<WireItem[]>();
    expect(await then('')).toMatchObject([{ name: item.name, price: 10, quantity: '5' }]);
    expect(await then('stock=low')).toHaveLength(1);
    expect(await then('stock=out')).toHaveLength(0);
    await person.call('POST', `/inventory-items/${item._id}/restore`);
    await person.call('PUT', `/inventory-items/${item._id}`, { body: { quantity: '0' } });
    const empty = await instantBetween();
    for (const [stock, count] of [['low', 1] as const, ['out', 1] as const, ['in', 0] as const]) {
      const answer = await person.call('GET', `/as-of?at=${empty}&q=${item._id}&stock=${stock}`);
      expect([stock, answer.json().length]).toEqual([stock, count]);
    }
    await person.call('DELETE', `/inventory-items/${item._id}`);
    const now = (await person.call('GET', `/as-of?at=${await instantBetween()}&q=${item._id}`)).json();
    expect(now).toEqual([]);
    const start = new Date(Date.parse(item.createdAt) - 1).toISOString();
    expect((await person.call('GET', `/as-of?at=${start}&q=${item._id}`)).json()).toEqual([]);
  });

  test('requires a valid instant', async () => {
    const person = await signedInAs(shared);
    for (const query of ['', '?at=', '?at=now', '?at=2026-13-01T00:00:00Z', `?at=${Date.now()}`]) {
      expect((await person.call('GET', `/as-of${query}`)).json()).toMatchObject({ code: 'invalid_query' });
      expect((await person.call('GET', `/as-of/figures${query}`)).json()).toMatchObject({ code: 'invalid_query' });
    }
  });
});

/** An instant after everything so far and before everything later. */
async function instantBetween(): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, 3));
  const at = new Date().toISOString();
  await new Promise((resolve) => setTimeout(resolve, 3));
  return at;
}
