import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

// Two people, two browsers, one shelf.

const number = (page: Page) => page.getByText('Available quantity').locator('xpath=following-sibling::p');
const deliver = (page: Page) => page.getByRole('button', { name: /^(Delivered|Sold Out)$/ });
const toast = (page: Page, text: string) => page.locator('.Toastify__toast').filter({ hasText: text });

let made = 0;
const unique = () => `${Date.now()}-${process.pid}-${++made}`;

type Shelved = { id: string; name: string };
type Person = { context: BrowserContext; screen: (item: Shelved) => Promise<Page> };
type Given = { browser: Browser; baseURL: string | undefined };

/** The demo's dealer, and somebody who has just signed up. `deaf`: their screens hear nothing of each other. */
async function twoPeople({ browser, baseURL }: Given, { deaf = false } = {}): Promise<[Person, Person]> {
  const one = await person(browser, baseURL, deaf);
  await one.context.request.post('/demo/sign-in', { data: {} });
  const other = await person(browser, baseURL, deaf);
  const email = `ines-${unique()}@example.com`;
  const { request } = other.context;
  await request.post('/api/auth/sign-up/email', {
    data: { name: 'Ines Moreau', email, password: 'quiet otter lamp 7' },
  });
  await request.get(await letterTo(other.context, email));
  return [one, other];
}

async function person(browser: Browser, baseURL: string | undefined, deaf: boolean): Promise<Person> {
  const context = await browser.newContext({
    viewport: { width: 1366, height: 900 },
    ...(baseURL !== undefined && { baseURL }),
  });
  opened.push(context);
  if (deaf) await context.route('**/events', (route) => route.abort());
  const screen = async ({ id, name }: Shelved) => {
    const page = await context.newPage();
    await page.goto(`/dashboard/inventory/${id}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
    return page;
  };
  return { context, screen };
}

async function letterTo(context: BrowserContext, email: string): Promise<string> {
  const find = async (): Promise<string | undefined> => {
    const outbox = await context.request.get('/demo/outbox', { headers: { accept: 'application/json' } });
    const letters: { to: string; links: string[] }[] = await outbox.json();
    return letters.find(({ to }) => to === email)?.links[0];
  };
  await expect.poll(find).toBeTruthy();
  return (await find()) ?? '';
}

async function perfume({ context }: Person, quantity: number): Promise<Shelved> {
  const name = `Duo ${unique()}`;
  const answer = await context.request.post('/new-inventory-item', {
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
  return { id: (await answer.json())._id, name };
}

type Movement = { kind: string; delta: number; by: { name: string } };

async function ledger({ context }: Person, { id }: Shelved): Promise<Movement[]> {
  return (await context.request.get(`/inventory-items/${id}/movements?limit=200`)).json();
}

const deliveries = async (person: Person, item: Shelved) =>
  (await ledger(person, item)).filter(({ kind }) => kind === 'deliver');

const opened: BrowserContext[] = [];

test.afterEach(async () => {
  for (const context of opened.splice(0)) await context.close();
});

test.beforeEach(({ page }) => {
  test.skip((page.viewportSize()?.width ?? 0) < 1024, 'the same on both');
});

test.describe('two people whose screens are out of date', () => {
  test.beforeEach(({ faults }) => faults.allow(/events|ERR_FAILED/));

  test('both click Delivered, and both count', async ({ browser, baseURL }) => {
    const [one, other] = await twoPeople({ browser, baseURL }, { deaf: true });
    const item = await perfume(one, 10);
    const [mine, theirs] = [await one.screen(item), await other.screen(item)];
    await deliver(mine).click();
    await expect(number(mine)).toHaveText('9');
    await expect(number(theirs)).toHaveText('10');
    await deliver(theirs).click();
    await expect(number(theirs)).toHaveText('8');
    const taken = await deliveries(one, item);
    expect(taken.map(({ delta }) => delta)).toEqual([-1, -1]);
    expect(new Set(taken.map(({ by }) => by.name)).size).toBe(2);
  });

  test('click as fast as they can, and none is lost', async ({ browser, baseURL }) => {
    const [one, other] = await twoPeople({ browser, baseURL }, { deaf: true });
    const item = await perfume(one, 40);
    const screens = [await one.screen(item), await other.screen(item)];
    await Promise.all(
      screens.map((screen) =>
        deliver(screen).evaluate(async (button: HTMLButtonElement) => {
          for (let click = 0; click < 15; click++) {
            button.click();
            await new Promise((resolve) => setTimeout(resolve, 5));
          }
        }),
      ),
    );
    await expect.poll(async () => (await deliveries(one, item)).length).toBe(30);
    for (const screen of screens) {
      await screen.reload();
      await expect(number(screen)).toHaveText('10');
    }
  });

  test('want the last one: it is sold once, and the other reads why', async ({ browser, baseURL, faults }) => {
    faults.allow(/409/);
    const [one, other] = await twoPeople({ browser, baseURL }, { deaf: true });
    const item = await perfume(one, 1);
    const [mine, theirs] = [await one.screen(item), await other.screen(item)];
    await deliver(mine).click();
    await expect(toast(mine, `Delivered 1 × ${item.name}`)).toBeVisible();
    await expect(number(theirs)).toHaveText('1');
    await deliver(theirs).click();
    await expect(toast(theirs, "Item's out of stock")).toBeVisible();
    for (const screen of [mine, theirs]) {
      await expect(number(screen)).toHaveText('0');
      await expect(deliver(screen)).toHaveText('Sold Out');
    }
    expect(await deliveries(one, item)).toHaveLength(1);
  });
});

test.describe('what one person does', () => {
  test('shows on the other’s open screens within a second, while they type', async ({ browser, baseURL }) => {
    const [one, other] = await twoPeople({ browser, baseURL });
    const item = await perfume(one, 20);
    const mine = await one.screen(item);
    const theirItem = await other.screen(item);
    const theirList = await other.context.newPage();
    await theirList.goto(`/dashboard/manage-inventory?q=${encodeURIComponent(item.name)}`);
    const row = theirList.getByRole('row').filter({ hasText: item.name });
    await expect(row).toContainText('Abailable: 20 in stock');
    const field = theirItem.getByLabel('Restock the items');
    await field.pressSequentially('12');

    await deliver(mine).click();
    await expect(number(theirItem)).toHaveText('19');
    await expect(theirItem.getByText('-1 from another screen')).toBeVisible();
    await expect(row).toContainText('Abailable: 19 in stock');
    await expect(field).toHaveValue('12');
    await expect(field).toBeFocused();
    await field.press('Enter');
    await expect(number(mine)).toHaveText('31');
    // One's own change is not news from elsewhere.
    await expect(theirItem.getByText('+12 from another screen')).toBeHidden();
    await expect(row).toContainText('Abailable: 31 in stock');
  });

  test('deletes an item the other is looking at: they read so, and can bring it back', async ({ browser, baseURL }) => {
    const [one, other] = await twoPeople({ browser, baseURL });
    const item = await perfume(one, 20);
    const theirs = await other.screen(item);
    await one.context.request.delete(`/inventory-items/${item.id}`);
    await expect(theirs.getByRole('main').getByRole('alert')).toContainText(
      `${item.name} was deleted while you were looking at it.`,
    );
    await theirs.getByRole('button', { name: 'Restore' }).click();
    await expect(number(theirs)).toHaveText('20');
    await expect(toast(theirs, `${item.name} is back.`)).toBeVisible();
  });

  test('while the other’s connection was gone shows when it is back', async ({ browser, product, faults }) => {
    faults.allow(/third-party request: http:\/\/127\.0\.0\.1|ERR_|failed request/);
    const line = await lineTo(product.url);
    const [one] = await twoPeople({ browser, baseURL: product.url });
    const [, other] = await twoPeople({ browser, baseURL: line.url });
    const item = await perfume(one, 20);
    const mine = await one.screen(item);
    const theirs = await other.screen(item);
    const field = theirs.getByLabel('Restock the items');
    await field.fill('7');
    line.cut();
    await deliver(mine).click();
    await deliver(mine).click();
    await expect(toast(mine, 'Delivered 2')).toBeVisible();
    await expect(number(theirs)).toHaveText('20');
    await line.mend();
    await expect(number(theirs)).toHaveText('18', { timeout: 10_000 });
    await expect(field).toHaveValue('7');
    // And it is live again, not only up to date.
    await deliver(mine).click();
    await expect(number(theirs)).toHaveText('17');
    line.cut();
  });
});

/** A line to the product that can be cut, as a cable is: open streams break, and nobody answers. */
async function lineTo(target: string) {
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
