import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { BrowserContext, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { twoPeople, unique } from './two-people.ts';

// In these tests, two people work on the same inventory in two browsers.

const shownQuantity = (page: Page) => page.getByText('Available quantity').locator('xpath=following-sibling::p');
const deliverButton = (page: Page) => page.getByRole('button', { name: /^(Delivered|Sold Out)$/ });
const toast = (page: Page, text: string) => page.locator('.Toastify__toast').filter({ hasText: text });

type TestItem = { id: string; name: string };

async function openItemPage(context: BrowserContext, { id, name }: TestItem): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`/dashboard/inventory/${id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
  return page;
}

async function createItem(context: BrowserContext, quantity: number): Promise<TestItem> {
  const name = `Duo ${unique()}`;
  const response = await context.request.post('/new-inventory-item', {
    data: {
      name,
      price: 72,
      quantity: String(quantity),
      img: '/bottles/rose-chartreuse.svg',
      description: 'A green rose, cut with stems and all, bright and a little bitter, for two at once.',
      suplierName: 'Jardin Mirandole',
      email: 'demo@perfume.example',
    },
  });
  return { id: (await response.json())._id, name };
}

type Movement = { kind: string; delta: number; by: { name: string } };

async function deliveries(context: BrowserContext, { id }: TestItem): Promise<Movement[]> {
  const response = await context.request.get(`/inventory-items/${id}/movements?limit=200`);
  const ledger: Movement[] = await response.json();
  return ledger.filter(({ kind }) => kind === 'deliver');
}

function unansweredChanges(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const open = indexedDB.open('stock-queue');
        open.onsuccess = () => {
          const counting = open.result.transaction('changes').objectStore('changes').count();
          counting.onsuccess = () => resolve(counting.result);
          open.result.close();
        };
      }),
  );
}

test('with two stale screens every delivery counts, and the last unit is sold once', async ({
  browser,
  context,
  baseURL,
  browserErrors,
}) => {
  browserErrors.allow(/events|ERR_FAILED|409/);
  const [one, other] = await twoPeople({ browser, context, baseURL });
  // Blocks the live updates of both people.
  for (const person of [one, other]) await person.route('**/events*', (route) => route.abort());
  const item = await createItem(one, 33);
  const screens = [await openItemPage(one, item), await openItemPage(other, item)] as const;
  const [mine, theirs] = screens;

  await test.step('both click Delivered, and both count', async () => {
    await deliverButton(mine).click();
    await expect(shownQuantity(mine)).toHaveText('32');
    await expect(shownQuantity(theirs)).toHaveText('33');
    await deliverButton(theirs).click();
    await expect(shownQuantity(theirs)).toHaveText('31');
    const taken = await deliveries(one, item);
    expect(taken.map(({ delta }) => delta)).toEqual([-1, -1]);
    expect(new Set(taken.map(({ by }) => by.name)).size).toBe(2);
  });

  await test.step('both click as fast as they can, and no click is lost', async () => {
    await Promise.all(
      screens.map((screen) =>
        deliverButton(screen).evaluate(async (button: HTMLButtonElement) => {
          for (let click = 0; click < 15; click++) {
            button.click();
            await new Promise((resolve) => setTimeout(resolve));
          }
        }),
      ),
    );
    await expect.poll(async () => (await deliveries(one, item)).length).toBe(32);
    for (const screen of screens) {
      // A reload before the screen has read every answer would send the rest again, and the next click would wait.
      await expect.poll(() => unansweredChanges(screen)).toBe(0);
      await screen.reload();
      await expect(shownQuantity(screen)).toHaveText('1');
    }
  });

  await test.step('both take the last unit: it is sold once, and the other person is told why', async () => {
    await deliverButton(mine).click();
    await expect(toast(mine, `Delivered 1 × ${item.name}`)).toBeVisible();
    await expect(shownQuantity(theirs)).toHaveText('1');
    await deliverButton(theirs).click();
    await expect(toast(theirs, "Item's out of stock")).toBeVisible();
    for (const screen of screens) {
      await expect(shownQuantity(screen)).toHaveText('0');
      await expect(deliverButton(screen)).toHaveText('Sold Out');
    }
    await expect.poll(() => deliveries(one, item)).toHaveLength(33);
  });
  await other.close();
});

test('changes of one person show on the other’s screens, also after a lost connection', async ({
  browser,
  context,
  product,
  browserErrors,
}) => {
  const line = await proxyTo(product.url);
  browserErrors.allow(new RegExp(line.url));
  const [one, other] = await twoPeople({ browser, context, baseURL: line.url });
  const item = await createItem(one, 20);
  const mine = await openItemPage(one, item);
  const theirs = await openItemPage(other, item);
  const theirList = await other.newPage();
  await theirList.goto(`/dashboard/manage-inventory?q=${encodeURIComponent(item.name)}`);
  const row = theirList.getByRole('row').filter({ hasText: item.name });
  await expect(row).toContainText('Abailable: 20 in stock');
  const field = theirs.getByLabel('Restock the items');

  await test.step('at once, while they type', async () => {
    await field.pressSequentially('12');
    await deliverButton(mine).click();
    await expect(shownQuantity(theirs)).toHaveText('19');
    await expect(theirs.getByText('-1 from another screen')).toBeVisible();
    await expect(row).toContainText('Abailable: 19 in stock');
    await expect(field).toHaveValue('12');
    await expect(field).toBeFocused();
    await field.press('Enter');
    await expect(shownQuantity(mine)).toHaveText('31');
    // A person's own change is not announced as from another screen.
    await expect(theirs.getByText('+12 from another screen')).toBeHidden();
    await expect(row).toContainText('Abailable: 31 in stock');
  });

  await test.step('as soon as a lost connection is back', async () => {
    await field.fill('7');
    line.cut();
    await deliverButton(mine).click();
    await deliverButton(mine).click();
    await expect(shownQuantity(mine)).toHaveText('29');
    await expect.poll(async () => (await deliveries(one, item)).length).toBe(3);
    await expect(shownQuantity(theirs)).toHaveText('31');
    await line.mend();
    await expect(shownQuantity(theirs)).toHaveText('29');
    await expect(field).toHaveValue('7');
    // The page has not only caught up once: it receives live updates again.
    await deliverButton(mine).click();
    await expect(shownQuantity(theirs)).toHaveText('28');
  });

  await test.step('the page of a deleted item says so and can restore it', async () => {
    await one.request.delete(`/inventory-items/${item.id}`);
    await expect(theirs.getByRole('main').getByRole('alert')).toContainText(
      `${item.name} was deleted while you were viewing it.`,
    );
    await theirs.getByRole('button', { name: 'Restore' }).click();
    await expect(shownQuantity(theirs)).toHaveText('28');
    await expect(toast(theirs, `${item.name} was restored.`)).toBeVisible();
  });
  await other.close();
  line.cut();
});

/** Starts a proxy to the product that can be cut like a cable: open streams break, and new requests get no response. */
async function proxyTo(target: string) {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => open.delete(socket));
    }
    near.pipe(far).pipe(near);
  });
  const listen = async (at: number) => {
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const own = await listen(0);
  return {
    url: `http://127.0.0.1:${own}`,
    cut: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
    mend: () => listen(own),
  };
}
