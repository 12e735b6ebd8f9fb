import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs/promises';
import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream';
import { type BrowserContext, chromium, type LaunchOptions, type Page, test } from '@playwright/test';
import { verify } from './email-link.ts';
import { addressOf, startProduct, stopServer } from './fixtures.ts';
import { anyScreen } from './form.ts';
import { scan } from './hand-scanner.ts';

// These tests close the browser, kill the server and take the network away. They have a server of their own behind a
// proxy, so that its address stays, and a browser profile on disk, which outlives the browser.

const { expect } = test;

class Shop {
  private server: ChildProcess | null = null;
  private target = '';
  private readonly proxy: Server;
  private readonly dataDir: string;
  url = '';
  /** What the proxy appends to the service worker: a new version of it. */
  newVersion = '';

  constructor(dataDir: string) {
    this.dataDir = dataDir;
    this.proxy = createServer((incoming, outgoing) => {
      const { method, url, headers } = incoming;
      const { 'if-none-match': _, ...unconditional } = headers;
      const options = { method, headers: { ...unconditional, 'accept-encoding': 'identity' } };
      const sent = forward(new URL(url ?? '/', this.target), options, (answer) => {
        const isWorker = url === '/sw.js' && answer.statusCode === 200;
        const { 'content-length': _, ...rest } = answer.headers;
        outgoing.writeHead(answer.statusCode ?? 502, isWorker ? rest : answer.headers);
        // Breaks the connection off when the server dies in the middle of an answer.
        if (!isWorker) return pipeline(answer, outgoing, () => {});
        answer.pipe(outgoing, { end: false });
        answer.on('end', () => outgoing.end(this.newVersion));
      });
      // A dead server must look dead, not like a proxy that answers in its place.
      sent.on('error', () => incoming.socket.destroy());
      outgoing.on('close', () => sent.destroy());
      incoming.pipe(sent);
    });
  }

  async start(): Promise<void> {
    if (this.url === '') {
      await new Promise<void>((resolve) => this.proxy.listen(0, '127.0.0.1', resolve));
      this.url = `http://127.0.0.1:${(this.proxy.address() as AddressInfo).port}`;
    }
    const port = await freePort();
    this.server = startProduct(this.dataDir, { PUBLIC_URL: this.url, DEMO: 'on', PORT: String(port) });
    await addressOf(this.server);
    this.target = `http://127.0.0.1:${port}`;
  }

  kill(): void {
    this.server?.kill('SIGKILL');
    this.server = null;
  }

  async stop(): Promise<void> {
    if (this.server) await stopServer(this.server);
    this.proxy.closeAllConnections();
    this.proxy.close();
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Opens a browser whose profile is on disk. */
function openBrowser(profile: string, baseURL: string, launchOptions: LaunchOptions): Promise<BrowserContext> {
  return chromium.launchPersistentContext(profile, {
    ...launchOptions,
    baseURL,
    serviceWorkers: 'allow',
    viewport: { width: 390, height: 844 },
    reducedMotion: 'reduce',
  });
}

async function withShop(
  launchOptions: LaunchOptions,
  walk: (shop: Shop, open: () => Promise<BrowserContext>) => Promise<void>,
): Promise<void> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'perfume-offline-'));
  const shop = new Shop(path.join(folder, 'data'));
  const contexts: BrowserContext[] = [];
  try {
    await fs.mkdir(path.join(folder, 'data'));
    await shop.start();
    await walk(shop, async () => {
      const context = await openBrowser(path.join(folder, 'profile'), shop.url, launchOptions);
      contexts.push(context);
      return context;
    });
  } finally {
    for (const context of contexts) await context.close();
    await shop.stop();
    await fs.rm(folder, { recursive: true, force: true });
  }
}

const quantity = (page: Page) => page.getByText('Available quantity').locator('xpath=following-sibling::p');
const deliver = (page: Page) => page.getByRole('button', { name: 'Delivered', exact: true });
const pill = (page: Page) => page.getByRole('button', { name: /pending|needs? you/ });
const dialog = (page: Page) => page.getByRole('dialog');

/** Waits until the app can open without a connection. */
async function untilInstalled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    while (!navigator.serviceWorker.controller || !(await caches.match('/noted-files')))
      await new Promise((resolve) => setTimeout(resolve, 50));
  });
}

async function addItem(context: BrowserContext, name: string, units: number): Promise<string> {
  const response = await context.request.post('/new-inventory-item', {
    data: {
      name,
      price: 72,
      quantity: String(units),
      img: '/bottles/rose-chartreuse.svg',
      description: 'A green rose, cut with stems and all, bright and a little bitter, for a cellar.',
      suplierName: 'Jardin Mirandole',
      email: 'demo@perfume.example',
    },
  });
  return (await response.json())._id;
}

async function ledger(context: BrowserContext, id: string): Promise<string[]> {
  const response = await context.request.get(`/inventory-items/${id}/movements?limit=200`);
  const movements: { kind: string; delta: number }[] = await response.json();
  return movements.map(({ kind, delta }) => `${kind} ${delta}`).reverse();
}

async function signUp(context: BrowserContext, email: string): Promise<void> {
  const password = 'quiet otter lamp 7';
  await context.request.post('/api/auth/sign-up/email', { data: { name: 'Ines Moreau', email, password } });
  const read = async () => {
    const outbox = await context.request.get('/demo/outbox', { headers: { accept: 'application/json' } });
    const emails: { to: string; links: string[] }[] = await outbox.json();
    return emails.find(({ to }) => to === email)?.links[0];
  };
  await expect.poll(read).toBeTruthy();
  await verify(context.request, (await read()) ?? '');
}

const formField = (page: Page, label: string) => page.getByRole('main').getByLabel(label, { exact: true });

/** Types seven bottles into the form for a new item. */
async function fillNewItem(page: Page, name: string, sku = ''): Promise<void> {
  await page.goto('/dashboard/add-inventory-item');
  await formField(page, 'Name').fill(name);
  await formField(page, 'Price').fill('58.50');
  await formField(page, 'Quantity').fill('7');
  await formField(page, 'Image').fill('/bottles/saffron-court.svg');
  await formField(page, 'Description').fill('Warm amber, sea salt and a thread of smoke on linen, worn late.');
  await formField(page, 'Supplier name').fill('Atelier Solène');
  if (sku === '') return;
  await page.getByText('More details').click();
  await formField(page, 'SKU').fill(sku);
}

test(
  'what is done without a connection is booked once, after a killed server, a reload and a closed browser',
  anyScreen,
  async ({ launchOptions }) => {
    test.slow();
    await withShop(launchOptions, async (shop, open) => {
      let context = await open();
      await context.request.post('/demo/sign-in', { data: {} });
      const id = await addItem(context, 'Rose of the cellar', 20);
      const scarce = await addItem(context, 'Last of its kind', 1);
      let page = context.pages()[0] ?? (await context.newPage());
      await page.goto('/dashboard/manage-inventory');
      // Within the app, as a person goes from page to page. What is seen is stored while it stays open.
      await page.getByRole('link', { name: 'Last of its kind' }).click();
      await expect(quantity(page)).toHaveText('1');
      await page.goBack();
      await page.getByRole('link', { name: 'Rose of the cellar' }).click();
      await expect(quantity(page)).toHaveText('20');
      await untilInstalled(page);

      await test.step('the server is killed: clicks count at once and wait', async () => {
        shop.kill();
        for (let click = 0; click < 3; click++) await deliver(page).click();
        await expect(quantity(page)).toHaveText('17');
        await expect(pill(page)).toHaveText('Offline · 3 pending');
        await expect(page.locator('.Toastify__toast').filter({ hasText: 'Saved on this device.' })).toBeVisible();
      });

      await test.step('a reload without a connection shows the same', async () => {
        await page.reload();
        await expect(quantity(page)).toHaveText('17');
        await expect(pill(page)).toContainText('3 pending');
      });

      await test.step('and so does a browser that was closed; the lists say how old they are', async () => {
        await context.close();
        context = await open();
        page = context.pages()[0] ?? (await context.newPage());
        await page.goto('/dashboard/manage-inventory');
        await expect(page.getByRole('link', { name: 'Rose of the cellar' })).toBeVisible();
        await pill(page).click();
        await expect(dialog(page)).toContainText('Last updated');
        await expect(dialog(page).getByRole('listitem')).toHaveCount(3);
        await page.keyboard.press('Escape');
        await page.goto(`/dashboard/inventory/${scarce}`);
        await deliver(page).click();
        await expect(quantity(page)).toHaveText('0');
      });

      let added = '';
      await test.step('a new item can be added and delivered before the server knows it', async () => {
        await fillNewItem(page, 'Found in the cellar');
        await page.getByRole('button', { name: 'Add Item', exact: true }).click();
        await page.getByRole('main').getByRole('link', { name: 'Open' }).click();
        await expect(quantity(page)).toHaveText('7');
        await deliver(page).click();
        await expect(quantity(page)).toHaveText('6');
        await expect(pill(page)).toHaveText('Offline · 6 pending');
        added = new URL(page.url()).pathname.split('/').at(-1) ?? '';
      });

      await test.step('and the rest can be counted', async () => {
        await page.goto(`/dashboard/inventory/${id}`);
        await page.getByRole('button', { name: 'Count', exact: true }).click();
        await page.getByLabel('Counted quantity').fill('15');
        await page.getByRole('button', { name: 'Save count' }).click();
        await expect(quantity(page)).toHaveText('15');
        await expect(pill(page)).toHaveText('Offline · 7 pending');
      });

      await test.step('others have delivered meanwhile: what still fits is booked once, the rest is listed', async () => {
        // The phone has no connection yet, only the other device.
        await context.setOffline(true);
        await shop.start();
        for (const one of [scarce, id])
          await context.request.post(`/inventory-items/${one}/movements`, { data: { kind: 'deliver', units: 1 } });
        await context.setOffline(false);
        await expect(pill(page)).toHaveText('2 changes need you');
        expect(await ledger(context, id)).toEqual(['opening 20', ...Array(4).fill('deliver -1')]);
        expect(await ledger(context, added)).toEqual(['opening 7', 'deliver -1']);
        expect(await ledger(context, scarce)).toEqual(['opening 1', 'deliver -1']);
      });

      await test.step('a count says what changed since, and sets the quantity when it is told to', async () => {
        await pill(page).click();
        const count = dialog(page).getByRole('listitem').filter({ hasText: 'Rose of the cellar' });
        await expect(count).toContainText('You counted 15 when 17 were on hand. Now there are 16,');
        await expect(count.getByRole('listitem')).toHaveText(/Demo Dealer.*−1/);
        await count.getByRole('button', { name: 'Set to 15' }).click();
        await expect(count).toHaveCount(0);
        expect((await ledger(context, id)).at(-1)).toBe('correction -1');
      });

      await test.step('a refused delivery is tried again when there is one more', async () => {
        await expect(dialog(page)).toContainText('Not done. Only 0 units are on hand.');
        await context.request.post(`/inventory-items/${scarce}/movements`, { data: { kind: 'restock', units: 1 } });
        await dialog(page).getByRole('button', { name: 'Try again' }).click();
        await expect(dialog(page)).toContainText('Everything is sent.');
        expect(await ledger(context, scarce)).toEqual(['opening 1', 'deliver -1', 'restock 1', 'deliver -1']);
      });

      await test.step('a new item whose code was taken meanwhile is corrected, and keeps its delivery', async () => {
        await context.setOffline(true);
        await fillNewItem(page, 'Found in the attic', 'ATTIC-1');
        await page.getByRole('button', { name: 'Add Item', exact: true }).click();
        await page.getByRole('main').getByRole('link', { name: 'Open' }).click();
        await deliver(page).click();
        await expect(quantity(page)).toHaveText('6');
        // Another item that is typed and not saved.
        await fillNewItem(page, 'Unsaved');
        const taken = {
          price: 1,
          quantity: '1',
          img: '/bottles/oud-clair.svg',
          suplierName: 'Verrière',
          sku: 'ATTIC-1',
        };
        const description = 'A bottle that somebody else has found, with the same code on its label.';
        await context.request.post('/new-inventory-item', {
          data: { name: 'Taken', description, email: 'demo@perfume.example', ...taken },
        });
        await context.setOffline(false);
        await expect(pill(page)).toHaveText('1 change needs you');
        await pill(page).click();
        await dialog(page).getByRole('button', { name: 'Correct it' }).click();
        const question = page.getByRole('alertdialog', { name: 'Replace the unsaved item?' });
        await question.getByRole('button', { name: 'Replace it' }).click();
        await expect(formField(page, 'Name')).toHaveValue('Found in the attic');
        await formField(page, 'SKU').fill('ATTIC-2');
        await page.getByRole('button', { name: 'Add Item', exact: true }).click();
        await page.getByRole('main').getByRole('link', { name: 'Open' }).click();
        await expect(quantity(page)).toHaveText('6');
        const corrected = new URL(page.url()).pathname.split('/').at(-1) ?? '';
        await expect.poll(() => ledger(context, corrected)).toEqual(['opening 7', 'deliver -1']);
      });
    });
  },
);

test(
  'two people on one phone stay apart, the service worker keeps nothing of theirs, and a new version replaces it',
  anyScreen,
  async ({ launchOptions }) => {
    test.slow();
    await withShop(launchOptions, async (shop, open) => {
      const context = await open();
      await context.request.post('/demo/sign-in', { data: {} });
      const id = await addItem(context, 'Rose of the cellar', 20);
      const page = context.pages()[0] ?? (await context.newPage());
      await page.goto(`/dashboard/inventory/${id}`);
      await untilInstalled(page);

      await test.step('Chromium can install the app', async () => {
        const devtools = await context.newCDPSession(page);
        const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
        expect(installabilityErrors).toEqual([]);
      });

      await test.step('the cache holds built files and one neutral page', async () => {
        const kept = await page.evaluate(async () => {
          const cache = await caches.open('files');
          const paths = (await cache.keys()).map(({ url }) => new URL(url).pathname);
          return { paths, page: await (await cache.match('/offline.html'))?.text() };
        });
        const others = kept.paths.filter((one) => !one.startsWith('/assets/'));
        expect(others.sort()).toEqual(['/noted-files', '/offline.html']);
        expect(kept.page).not.toContain('perfume.example');
      });

      await test.step('a dealer delivers without a connection and logs out', async () => {
        await context.setOffline(true);
        await deliver(page).click();
        await expect(quantity(page)).toHaveText('19');
        await expect(pill(page)).toBeVisible();
        await page.getByRole('button', { name: /account/i }).click();
        await page.getByRole('menuitem', { name: 'Logout' }).click();
        await expect(page.getByRole('alertdialog')).toContainText('1 change is not sent yet.');
        await page.getByRole('alertdialog').getByRole('button', { name: 'Logout' }).click();
        await context.setOffline(false);
        await page.waitForURL('/');
      });

      await test.step('the next person on the phone neither sees nor sends it', async () => {
        await signUp(context, 'ines@example.com');
        await page.goto(`/dashboard/inventory/${id}`);
        await expect(quantity(page)).toHaveText('20');
        await deliver(page).click();
        await expect.poll(() => ledger(context, id)).toEqual(['opening 20', 'deliver -1']);
        await expect(pill(page)).toHaveCount(0);
        const databases = await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
        expect(databases.filter((name) => name?.startsWith('seen '))).toHaveLength(1);
      });

      await test.step('the first person comes back, and it is sent', async () => {
        // The page must not notice it, or it would open the login page while the test opens the item.
        await page.goto('about:blank');
        await context.request.post('/api/auth/sign-out', { data: {} });
        await context.request.post('/demo/sign-in', { data: {} });
        await page.goto(`/dashboard/inventory/${id}`);
        await expect.poll(() => ledger(context, id)).toEqual(['opening 20', 'deliver -1', 'deliver -1']);
        await expect(quantity(page)).toHaveText('18');
      });

      await test.step('a page of theirs that was left open does not log out whoever has logged in since', async () => {
        // Otherwise the page would notice the other person and reload.
        await page.route('**/api/auth/get-session', (route) => route.abort());
        const ines = { email: 'ines@example.com', password: 'quiet otter lamp 7' };
        await context.request.post('/api/auth/sign-in/email', { data: ines });
        const other = await context.newPage();
        await other.goto(`/dashboard/inventory/${id}`);
        await expect(other.getByRole('button', { name: 'Account: Ines Moreau' })).toBeVisible();
        await page.getByRole('button', { name: /^Account:/ }).click();
        await page.getByRole('menuitem', { name: 'Logout' }).click();
        await page.waitForURL('/');
        const session = await (await context.request.get('/api/auth/get-session')).json();
        expect(session?.user.email).toBe(ines.email);
        await expect(other.getByRole('button', { name: 'Account: Ines Moreau' })).toBeVisible();
        await other.close();
        await page.unroute('**/api/auth/get-session');
      });

      await test.step('a new version takes over at once and drops the files of the one before the last', async () => {
        for (const version of ['second', 'third']) {
          shop.newVersion = `\nFILES.push('/favicon.svg?${version}'); // ${version}`;
          await page.evaluate(async () => {
            const registration = await navigator.serviceWorker.getRegistration();
            const taken = new Promise((resolve) =>
              navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
            );
            await registration?.update();
            await taken;
          });
        }
        const stateOf = () =>
          page.evaluate(async () => {
            const registration = await navigator.serviceWorker.getRegistration();
            const noted = await (await caches.match('/noted-files'))?.json();
            return [registration?.waiting ?? null, registration?.active?.state, noted.at(-1)];
          });
        await expect.poll(stateOf).toEqual([null, 'activated', '/favicon.svg?third']);
      });

      await test.step('once the server has said that a session has ended, nothing of that person opens without a connection', async () => {
        await page.goto('about:blank');
        await context.clearCookies();
        await page.goto('/dashboard/manage-inventory');
        const loginHeading = page.getByRole('heading', { name: 'Account Login' });
        await expect(loginHeading).toBeVisible();
        const copies = () =>
          page.evaluate(async () => (await indexedDB.databases()).filter(({ name }) => name?.startsWith('seen ')));
        await expect.poll(copies).toEqual([]);
        await context.setOffline(true);
        await page.goto('/dashboard/manage-inventory');
        await expect(loginHeading).toBeVisible();
      });
    });
  },
);

test(
  'a code that was moved to another item finds that item without a connection',
  anyScreen,
  async ({ launchOptions }) => {
    await withShop(launchOptions, async (_shop, open) => {
      const context = await open();
      await context.request.post('/demo/sign-in', { data: {} });
      const before = await addItem(context, 'Had the code', 5);
      const now = await addItem(context, 'Has the code', 5);
      const edit = (id: string, changes: { sku: string | null }) =>
        context.request.post(`/inventory-items/${id}/edit`, { data: { changes } });
      await edit(before, { sku: 'MOVED-1' });
      const page = context.pages()[0] ?? (await context.newPage());
      const kept = (id: string) =>
        page.evaluate(async (id) => {
          const { name = '' } = (await indexedDB.databases()).find((one) => one.name?.startsWith('seen ')) ?? {};
          const { promise, resolve } = Promise.withResolvers<string | undefined>();
          const opening = indexedDB.open(name);
          opening.onsuccess = () => {
            const reading = opening.result.transaction('items').objectStore('items').get(id);
            reading.onsuccess = () => resolve(reading.result?.item.sku);
          };
          return promise;
        }, id);
      await page.goto(`/dashboard/inventory/${before}`);
      await untilInstalled(page);
      await expect.poll(() => kept(before)).toBe('MOVED-1');

      // The app is closed meanwhile, so it does not hear of the change of the first item.
      await page.goto('about:blank');
      await edit(before, { sku: null });
      await edit(now, { sku: 'MOVED-1' });
      await page.goto(`/dashboard/inventory/${now}`);
      await expect.poll(() => kept(now)).toBe('MOVED-1');
      await context.setOffline(true);
      await page.goto('/dashboard/settings');
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await scan(page, 'MOVED-1');
      await expect(page).toHaveURL(`/dashboard/inventory/${now}`);
    });
  },
);

test(
  'with no room on the device, counting says so and asks before the page is closed, and logging out still holds',
  anyScreen,
  async ({ launchOptions }) => {
    await withShop(launchOptions, async (_shop, open) => {
      const context = await open();
      await context.request.post('/demo/sign-in', { data: {} });
      const id = await addItem(context, 'Rose of the cellar', 5);
      await context.request.post(`/inventory-items/${id}/edit`, { data: { changes: { sku: 'FULL-1' } } });
      const count = await (await context.request.post('/counts', { data: { name: 'Cellar' } })).json();
      const page = context.pages()[0] ?? (await context.newPage());
      await page.goto(`/dashboard/counts/${count.id}`);
      await untilInstalled(page);
      await scan(page, 'FULL-1');
      await expect(page.getByTestId('counted')).toContainText('1 unit counted');

      await page.evaluate(() => {
        for (let text = 'x'.repeat(2 ** 20), n = 0; text !== ''; n++) {
          try {
            localStorage.setItem(`fill ${n}`, text);
          } catch {
            text = text.slice(0, text.length / 2);
          }
        }
      });
      await context.setOffline(true);
      await scan(page, 'FULL-1');
      await expect(page.getByText('this device has no room to keep what you count')).toBeVisible();

      const asked: string[] = [];
      page.on('dialog', (question) => {
        asked.push(question.type());
        void question.accept();
      });
      await page.getByRole('button', { name: /^Account:/ }).click();
      await page.getByRole('menuitem', { name: 'Logout' }).click();
      await expect(page.getByRole('alertdialog')).toContainText('It is lost if you log out before it is sent.');
      await page.getByRole('alertdialog').getByRole('button', { name: 'Logout' }).click();
      const loggedOut = page.getByText('You are logged out on this device.');
      await expect(loggedOut).toBeVisible();
      await page.reload();
      expect(asked).toEqual(['beforeunload']);
      await expect(loggedOut).toBeVisible();
      await context.setOffline(false);
      await page.goto('/dashboard/manage-inventory');
      await expect(page.getByRole('heading', { name: 'Account Login' })).toBeVisible();
      expect(await (await context.request.get('/api/auth/get-session')).json()).toBeNull();
    });
  },
);
