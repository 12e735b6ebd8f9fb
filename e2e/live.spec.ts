import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

// Two people, two browsers, one inventory.

const number = (page: Page) => page.getByText('Available quantity').locator('xpath=following-sibling::p');
const deliver = (page: Page) => page.getByRole('button', { name: /^(Delivered|Sold Out)$/ });
const toast = (page: Page, text: string) => page.locator('.Toastify__toast').filter({ hasText: text });

let made = 0;
const unique = () => `${Date.now()}-${process.pid}-${++made}`;

type Shelved = { id: string; name: string };
type Given = { browser: Browser; context: BrowserContext; baseURL: string | undefined };

/** The demo dealer, and somebody who has just signed up. */
async function twoPeople({ browser, context: one, baseURL }: Given): Promise<[BrowserContext, BrowserContext]> {
  await one.request.post('/demo/sign-in', { data: {} });
  const other = await browser.newContext({
    viewport: { width: 1366, height: 900 },
    ...(baseURL !== undefined && { baseURL }),
  });
  const email = `ines-${unique()}@example.com`;
  await other.request.post('/api/auth/sign-up/email', {
    data: { name: 'Ines Moreau', email, password: 'quiet otter lamp 7' },
  });
  await other.request.get(await letterTo(other, email));
  return [one, other];
}

async function screenOf(context: BrowserContext, { id, name }: Shelved): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`/dashboard/inventory/${id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
  return page;
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

async function perfume(context: BrowserContext, quantity: number): Promise<Shelved> {
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

async function deliveries(context: BrowserContext, { id }: Shelved): Promise<Movement[]> {
  const answer = await context.request.get(`/inventory-items/${id}/movements?limit=200`);
  const ledger: Movement[] = await answer.json();
  return ledger.filter(({ kind }) => kind === 'deliver');
}

test('with two stale screens every delivery counts, and the last unit is sold once', async ({
  browser,
  context,
  baseURL,
  faults,
}) => {
  faults.allow(/events|ERR_FAILED|409/);
  const [one, other] = await twoPeople({ browser, context, baseURL });
  // Their screens receive no live updates.
  for (const person of [one, other]) await person.route('**/events', (route) => route.abort());
  const item = await perfume(one, 33);
  const screens = [await screenOf(one, item), await screenOf(other, item)] as const;
  const [mine, theirs] = screens;

  await test.step('both click Delivered, and both count', async () => {
    await deliver(mine).click();
    await expect(number(mine)).toHaveText('32');
    await expect(number(theirs)).toHaveText('33');
    await deliver(theirs).click();
    await expect(number(theirs)).toHaveText('31');
    const taken = await deliveries(one, item);
    expect(taken.map(({ delta }) => delta)).toEqual([-1, -1]);
    expect(new Set(taken.map(({ by }) => by.name)).size).toBe(2);
  });

  await test.step('both click as fast as they can, and no click is lost', async () => {
    await Promise.all(
      screens.map((screen) =>
        deliver(screen).evaluate(async (button: HTMLButtonElement) => {
          for (let click = 0; click < 15; click++) {
            button.click();
            await new Promise((resolve) => setTimeout(resolve));
          }
        }),
      ),
    );
    await expect.poll(async () => (await deliveries(one, item)).length).toBe(32);
    for (const screen of screens) {
      await screen.reload();
      await expect(number(screen)).toHaveText('1');
    }
  });

  await test.step('both take the last unit: it is sold once, and the other person is told why', async () => {
    await deliver(mine).click();
    await expect(toast(mine, `Delivered 1 × ${item.name}`)).toBeVisible();
    await expect(number(theirs)).toHaveText('1');
    await deliver(theirs).click();
    await expect(toast(theirs, "Item's out of stock")).toBeVisible();
    for (const screen of screens) {
      await expect(number(screen)).toHaveText('0');
      await expect(deliver(screen)).toHaveText('Sold Out');
    }
    expect(await deliveries(one, item)).toHaveLength(33);
  });
  await other.close();
});

test('changes of one person show on the other’s screens, also after a lost connection', async ({
  browser,
  context,
  product,
  faults,
}) => {
  const line = await lineTo(product.url);
  faults.allow(new RegExp(line.url));
  const [one, other] = await twoPeople({ browser, context, baseURL: line.url });
  const item = await perfume(one, 20);
  const mine = await screenOf(one, item);
  const theirs = await screenOf(other, item);
  const theirList = await other.newPage();
  await theirList.goto(`/dashboard/manage-inventory?q=${encodeURIComponent(item.name)}`);
  const row = theirList.getByRole('row').filter({ hasText: item.name });
  await expect(row).toContainText('Abailable: 20 in stock');
  const field = theirs.getByLabel('Restock the items');

  await test.step('at once, while they type', async () => {
    await field.pressSequentially('12');
    await deliver(mine).click();
    await expect(number(theirs)).toHaveText('19');
    await expect(theirs.getByText('-1 from another screen')).toBeVisible();
    await expect(row).toContainText('Abailable: 19 in stock');
    await expect(field).toHaveValue('12');
    await expect(field).toBeFocused();
    await field.press('Enter');
    await expect(number(mine)).toHaveText('31');
    // Your own change is not announced as from another screen.
    await expect(theirs.getByText('+12 from another screen')).toBeHidden();
    await expect(row).toContainText('Abailable: 31 in stock');
  });

  await test.step('as soon as a lost connection is back', async () => {
    await field.fill('7');
    line.cut();
    await deliver(mine).click();
    await deliver(mine).click();
    await expect(number(mine)).toHaveText('29');
    await expect.poll(async () => (await deliveries(one, item)).length).toBe(3);
    await expect(number(theirs)).toHaveText('31');
    await line.mend();
    await expect(number(theirs)).toHaveText('29');
    await expect(field).toHaveValue('7');
    // It receives live updates again, and is not only up to date.
    await deliver(mine).click();
    await expect(number(theirs)).toHaveText('28');
  });

  await test.step('the page of a deleted item says so and can restore it', async () => {
    await one.request.delete(`/inventory-items/${item.id}`);
    await expect(theirs.getByRole('main').getByRole('alert')).toContainText(
      `${item.name} was deleted while you were viewing it.`,
    );
    await theirs.getByRole('button', { name: 'Restore' }).click();
    await expect(number(theirs)).toHaveText('28');
    await expect(toast(theirs, `${item.name} was restored.`)).toBeVisible();
  });
  await other.close();
  line.cut();
});

/** A proxy to the product that can be cut like a cable: open streams break, and nothing responds. */
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
