import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WireHouse } from '@perfume/contract/houses';
import type { PublicWireItem, WireItem } from '@perfume/contract/wire-item';
import { sortOrders } from '@perfume/domain/list-filters';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { BUDGETS } from '../http/budgets.ts';
import { propagatePublished } from '../items/published.store.ts';
import {
  aNewItem,
  anItem,
  deliver,
  edit,
  nextPage,
  onAnyDatabase,
  onBothDatabases,
  type Person,
  request,
  signedInAs,
  type TestApp,
} from '../testing.ts';

const webRoot = mkdtempSync(join(tmpdir(), 'perfume-web-'));
writeFileSync(join(webRoot, 'index.html'), '<html></html>');
// A stand-in for the built renderer. The browser tests use the real one.
writeFileSync(
  join(webRoot, 'render.mjs'),
  `export const render = async ({ boot }) => JSON.stringify(boot);
  export const languageOf = () => 'en';`,
);
afterAll(() => rmSync(webRoot, { recursive: true }));

onBothDatabases('what visitors see of houses', (shared) => tests(shared), { access: 'houses' }, { webRoot });

function tests(shared: TestApp): void {
  const get = (url: string) => request(shared, 'GET', url);
  const page = async (url: string) => {
    const answer = await request(shared, 'GET', url, { headers: { accept: 'text/html' } });
    return { status: answer.statusCode, boot: answer.json() };
  };
  const namesIn = (items: PublicWireItem[]) => items.map(({ name }) => name);
  const search = async (q: string, more = '') =>
    namesIn((await get(`/inventory-items?q=${encodeURIComponent(q)}${more}`)).json<PublicWireItem[]>());

  async function aHouse({ published }: { published: boolean }): Promise<{ owner: Person; house: WireHouse }> {
    const owner = await signedInAs(shared);
    const name = `Maison ${randomUUID().slice(0, 8)}`;
    const created = (await owner.call('POST', '/houses', { body: { name } })).json<WireHouse>();
    return { owner, house: published ? await publish(owner, created, true) : created };
  }

  async function publish(owner: Person, { id }: { id: string }, published: boolean): Promise<WireHouse> {
    const answer = await owner.call('PUT', `/houses/${id}`, { body: { published } });
    expect([answer.statusCode, answer.json().published]).toEqual([200, published]);
    return answer.json();
  }

  test('publishing a house shows its items at once, and unpublishing it hides them at once', async () => {
    const { owner, house } = await aHouse({ published: false });
    const mark = `mark${randomUUID().slice(0, 8)}`;
    await anItem(owner, { name: `One ${mark}` });
    const seen = async () => ({
      found: await search(mark),
      newest: namesIn((await get('/inventory-items?limit=200')).json()).filter((name) => name.includes(mark)),
      home: namesIn((await page('/')).boot.items.list).filter((name) => name.includes(mark)),
      ofHouse: (await get(`/inventory-items?house=${house.slug}`)).statusCode,
      name: (await get(`/published-houses/${house.slug}`)).statusCode,
      page: (await page(`/houses/${house.slug}`)).status,
    });
    const hidden = { found: [], newest: [], home: [], ofHouse: 404, name: 404, page: 404 };
    const names = [`One ${mark}`];
    const shown = { found: names, newest: names, home: names, ofHouse: 200, name: 200, page: 200 };
    expect(await seen()).toEqual(hidden);
    for (const published of [true, false, true]) {
      await publish(owner, house, published);
      expect(await seen()).toEqual(published ? shown : hidden);
    }
    expect((await owner.call('DELETE', `/houses/${house.id}`)).statusCode).toBe(200);
    expect(await seen()).toEqual(hidden);
  });

  test('an item comes and goes with its creation, deletion and restoration, and has the name of its house', async () => {
    const { owner, house } = await aHouse({ published: true });
    const item = await anItem(owner, { name: 'Rose' });
    const list = async () => (await get(`/inventory-items?house=${house.slug}`)).json<PublicWireItem[]>();
    const [shown] = await list();
    expect(shown).toMatchObject({ _id: item._id, house: { name: house.name, slug: house.slug } });
    expect(shown).not.toHaveProperty('email');
    await owner.call('DELETE', `/inventory-items/${item._id}`);
    expect(await list()).toEqual([]);
    // Restored while the house is hidden, and shown with it.
    await publish(owner, house, false);
    await owner.call('POST', `/inventory-items/${item._id}/restore`);
    expect(await search(item._id)).toEqual([]);
    await publish(owner, house, true);
    expect(await search(item._id)).toEqual(['Rose']);
    await owner.call('DELETE', `/inventory-items/${item._id}`);
    await owner.call('POST', `/inventory-items/${item._id}/restore`);
    await deliver(owner, item._id);
    await edit(owner, item._id, { name: 'Iris' });
    expect(await search(item._id)).toEqual(['Iris']);
    await owner.call('PUT', `/houses/${house.id}`, { body: { name: 'Renamed' } });
    expect((await list())[0]?.house).toEqual({ name: 'Renamed', slug: house.slug });
    expect((await page(`/houses/${house.slug}`)).boot).toMatchObject({
      house: { pathname: `/houses/${house.slug}`, found: { name: 'Renamed', slug: house.slug } },
      items: { list: [{ _id: item._id }], total: 1, next: null },
    });
  });

  test('nothing of an unpublished house is shown: no item, count, code or name', async () => {
    const { owner, house } = await aHouse({ published: true });
    const hidden = await aHouse({ published: false });
    const mark = `mark${randomUUID().slice(0, 8)}`;
    await anItem(owner, { name: `Shown ${mark}`, sku: `S-${mark}` });
    for (const name of ['a', 'b', 'c'])
      await anItem(hidden.owner, { name: `Hidden ${name} ${mark}`, sku: name + mark });
    for (const more of ['', '&limit=1', '&sort=name', '&sort=-price&limit=1', '&stock=in', `&house=${house.slug}`])
      expect([more, await search(mark, more)]).toEqual([more, [`Shown ${mark}`]]);
    const found = await get(`/inventory-items?q=${mark}&limit=1&skip=1`);
    expect([found.json(), found.headers['x-total-count']]).toEqual([[], '1']);
    for (const code of [`S-${mark}`, `a${mark}`]) expect(await search(code)).toEqual([]);
    const total = Number((await get('/inventory-items?limit=1')).headers['x-total-count']);
    const everything = namesIn((await get('/inventory-items?limit=200')).json());
    expect(everything.length).toBe(total);
    expect(everything.filter((name) => name.startsWith('Hidden'))).toEqual([]);
    const home = JSON.stringify((await page('/')).boot);
    for (const secret of [hidden.house.name, hidden.house.slug, 'Hidden']) expect(home).not.toContain(secret);
    expect((await page('/')).boot.items.total).toBe(total);
  });

  test('of a published house, visitors learn its name and its items without codes, and nothing of its people', async () => {
    const { owner, house } = await aHouse({ published: true });
    const [sku, barcodes, email] = [`S-${randomUUID()}`, ['4006381333931'], 'contact@maison.example'];
    await anItem(owner, { sku, barcodes, email });
    const items = await get(`/inventory-items?house=${house.slug}`);
    const { pathname, found } = (await page(`/houses/${house.slug}`)).boot.house;
    expect([pathname, found]).toEqual([`/houses/${house.slug}`, { name: house.name, slug: house.slug }]);
    expect((await get(`/published-houses/${house.slug}`)).json()).toEqual(found);
    expect(Object.keys(items.json()[0]).sort()).toEqual(
      [
        ...['_id', 'createdAt', 'description', 'house', 'img', 'lowAt', 'name', 'price', 'quantity', 'suplierName'],
        ...['updatedAt', 'version'],
      ].sort(),
    );
    const seen = [items.body, JSON.stringify((await page(`/houses/${house.slug}`)).boot)].join();
    const { id, name, email: address } = owner.user;
    for (const secret of [id, name, address, house.id, sku, ...barcodes, email]) expect(seen).not.toContain(secret);
  });

  test('a house that is unpublished, closed or unknown is the same 404', async () => {
    const unpublished = (await aHouse({ published: false })).house.slug;
    const gone = await aHouse({ published: true });
    await gone.owner.call('DELETE', `/houses/${gone.house.id}`);
    const closed = gone.house.slug;
    const slugs = [unpublished, closed, 'no-such-house', '%00', 'PERFUME-warehouse', '%20', '__proto__'];
    for (const path of ['/inventory-items?house=', '/published-houses/']) {
      const answers = [];
      for (const slug of slugs.slice(0, 4)) {
        const answer = await get(path + slug);
        const { requestId: _, ...problem } = answer.json();
        answers.push([answer.statusCode, problem]);
      }
      expect(answers[0]).toMatchObject([404, { code: 'house_not_found' }]);
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    }
    const pages = [];
    for (const slug of slugs) {
      const { status, boot } = await page(`/houses/${slug}`);
      pages.push({ status, boot: { ...boot, house: { ...boot.house, pathname: '' } } });
    }
    expect(pages[0]).toMatchObject({ status: 404, boot: { house: { found: null }, items: null } });
    for (const other of pages) expect(other).toEqual(pages[0]);
  });

  test('a house that is closed with the account of its only member disappears at once', async () => {
    const { owner, house } = await aHouse({ published: true });
    const item = await anItem(owner);
    expect(await search(item._id)).toEqual([item.name]);
    expect((await owner.call('POST', '/api/auth/delete-user', { body: {} })).statusCode).toBe(200);
    for (const when of ['at once', 'later']) {
      expect([when, await search(item._id)]).toEqual([when, []]);
      expect([when, (await page(`/houses/${house.slug}`)).status]).toEqual([when, 404]);
      await propagatePublished(shared.db);
    }
  });

  test('the items of two houses are sorted, searched and paged as one list', async () => {
    const [first, second] = [await aHouse({ published: true }), await aHouse({ published: true })];
    const mark = `mark${randomUUID().slice(0, 8)}`;
    const items: WireItem[] = [];
    for (let n = 0; n < 7; n++) {
      const changes = { name: `${'dbgacfe'[n]} ${mark}`, price: (n * 3) % 5, quantity: (n * 5) % 7 };
      items.push(await anItem(n % 2 === 0 ? first.owner : second.owner, changes));
    }
    const numbers = {
      name: (item: PublicWireItem) => item.name,
      price: numberIn('price'),
      quantity: numberIn('quantity'),
    };
    for (const sort of sortOrders) {
      const key = sort.replace('-', '') as keyof typeof numbers | 'newest';
      const by = key === 'newest' ? (item: PublicWireItem) => -indexOf(items, item) : numbers[key];
      const sign = sort.startsWith('-') ? -1 : 1;
      const position = (item: PublicWireItem) => (key === 'newest' ? 0 : indexOf(items, item));
      const expected = items.toSorted((a, b) => sign * (compare(by(a), by(b)) || position(a) - position(b)));
      const paged: PublicWireItem[] = [];
      for (let url: string | null = `/inventory-items?q=${mark}&sort=${sort}&limit=3`; url; ) {
        const answer = await get(url);
        expect(answer.headers['x-total-count']).toBe('7');
        paged.push(...answer.json<PublicWireItem[]>());
        url = nextPage(answer);
      }
      expect([sort, namesIn(paged)]).toEqual([sort, expected.map(({ name }) => name)]);
      // Without a search, by offset and by cursor.
      const all = (await get(`/inventory-items?sort=${sort}&limit=200`)).json<PublicWireItem[]>();
      expect([sort, namesIn(all.filter(({ name }) => name.includes(mark)))]).toEqual([sort, namesIn(expected)]);
      const skipped = (await get(`/inventory-items?sort=${sort}&limit=3&skip=2`)).json<PublicWireItem[]>();
      expect(namesIn(skipped)).toEqual(namesIn(all.slice(2, 5)));
      const start = await get(`/inventory-items?sort=${sort}&limit=2`);
      expect(namesIn((await get(nextPage(start) ?? '')).json())).toEqual(namesIn(all.slice(2, 4)));
    }
    const ofFirst = await get(`/inventory-items?q=${mark}&house=${first.house.slug}&limit=2&sort=name`);
    expect([namesIn(ofFirst.json()), ofFirst.headers['x-total-count']]).toEqual([[`c ${mark}`, `d ${mark}`], '4']);
    expect(namesIn((await get(nextPage(ofFirst) ?? '')).json())).toEqual([`e ${mark}`, `g ${mark}`]);
    expect((await search('g ', `&house=${first.house.slug}`)).length).toBe(1);
    expect(await search(mark, '&stock=out')).toEqual([`d ${mark}`]);
  });

  test('an item that is created while its house is published is shown', async () => {
    const { owner, house } = await aHouse({ published: false });
    const created = Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        owner.call('POST', '/new-inventory-item', {
          headers: { 'idempotency-key': randomUUID() },
          body: aNewItem({ name: `Item ${n}` }),
        }),
      ),
    );
    const published = publish(owner, house, true);
    const answers = await created;
    await published;
    const ids = answers.map((answer) => answer.json<WireItem>()._id);
    const listed = (await get('/inventory-items?limit=200')).json<PublicWireItem[]>();
    expect(ids.filter((id) => !listed.some(({ _id }) => _id === id))).toEqual([]);
  });

  test('a house can be published a limited number of times by one person, and renamed any time', async () => {
    const { owner, house } = await aHouse({ published: false });
    const change = (body: object) => owner.call('PUT', `/houses/${house.id}`, { body });
    const burst = BUDGETS.settings.burst;
    const answers = [];
    // On a busy machine some of the budget comes back meanwhile, so more changes than the burst may be allowed.
    for (let n = 0; n < 2 * burst && answers.at(-1)?.statusCode !== 429; n++)
      answers.push(await change({ published: n % 2 === 0 }));
    expect(answers.length).toBeGreaterThan(burst);
    expect(answers.at(-1)?.json()).toMatchObject({ status: 429, code: 'too_many' });
    expect((await change({ name: 'Renamed' })).json()).toMatchObject({ name: 'Renamed' });
  });

  test('houses that are published at once are updated one batch after the other', async () => {
    const houses = await Promise.all(Array.from({ length: 4 }, () => aHouse({ published: false })));
    for (const { owner } of houses) await anItem(owner);
    const { change } = shared.db;
    let [running, most] = [0, 0];
    const spy = vi.spyOn(shared.db, 'change').mockImplementation(async (work, options) => {
      // The batches are the repeatable changes here.
      if (options?.repeatable) most = Math.max(most, ++running);
      const done = await change(work, options);
      if (options?.repeatable) running--;
      return done as never;
    });
    onTestFinished(() => spy.mockRestore());
    await Promise.all(houses.map(({ owner, house }) => publish(owner, house, true)));
    await propagatePublished(shared.db);
    expect(most).toBe(1);
  });

  test('the page of a house is never taken for one of the dashboard', async () => {
    const owner = await signedInAs(shared);
    const { slug } = (await owner.call('POST', '/houses', { body: { name: 'Dashboard' } })).json<WireHouse>();
    expect(slug).toBe('house-dashboard');
  });

  test('the items of a large house follow in batches, but hide at once', async () => {
    const { owner, house } = await aHouse({ published: true });
    const item = await anItem(owner);
    const flagOf = async () =>
      shared.db.query.selectFrom('items').select('published').where('id', '=', item._id).executeTakeFirst();
    // As if a server had stopped after the first batch.
    await shared.db.change((db) =>
      db.updateTable('houses').set({ published: 0, publish_below: 1e9 }).where('id', '=', house.id).execute(),
    );
    const hidden = await get(`/inventory-items?q=${item._id}`);
    expect([hidden.json(), hidden.headers['x-total-count']]).toEqual([[], '0']);
    expect(await flagOf()).toEqual({ published: 1 });
    await propagatePublished(shared.db);
    expect(await flagOf()).toEqual({ published: 0 });
    await shared.db.change((db) =>
      db.updateTable('houses').set({ published: 1, publish_below: 1e9 }).where('id', '=', house.id).execute(),
    );
    await propagatePublished(shared.db);
    expect(await search(item._id)).toEqual([item.name]);
  });
}

onAnyDatabase(
  'what visitors see of one shared house',
  (shared) => {
    test('everything, without the name of a house, and no page of a house', async () => {
      await anItem(await signedInAs(shared), { name: 'Rose' });
      const [item] = (await request(shared, 'GET', '/inventory-items')).json<PublicWireItem[]>();
      expect(item?.name).toBe('Rose');
      expect(item).not.toHaveProperty('house');
      for (const path of ['/inventory-items?house=perfume-warehouse', '/published-houses/perfume-warehouse'])
        expect((await request(shared, 'GET', path)).json().code).toBe('house_not_found');
      const accept = { headers: { accept: 'text/html' } };
      const home = (await request(shared, 'GET', '/', accept)).json();
      expect(home).toMatchObject({ house: null, items: { list: [{ name: 'Rose' }], total: 1 } });
      expect((await request(shared, 'GET', '/houses/perfume-warehouse', accept)).statusCode).toBe(404);
    });
  },
  {},
  { webRoot },
);

function numberIn(field: 'price' | 'quantity') {
  return (item: PublicWireItem) => Number(item[field]);
}

function indexOf(items: WireItem[], { _id }: { _id: string }): number {
  return items.findIndex((item) => item._id === _id);
}

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
