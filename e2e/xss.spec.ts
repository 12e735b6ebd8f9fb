import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type APIRequestContext, request as client, type Page } from '@playwright/test';
import { verify } from './email-link.ts';
import { expect, test } from './fixtures.ts';
import { isLongForm } from './form.ts';
import { selectionBar, showCheckboxes, toast, uniqueWord } from './inventory-helpers.ts';
import { payloads } from './xss-payloads.ts';

// These tests use a shop of their own, so that other tests do not see these names.
test.use({ shop: 'xss' });

const manage = '/dashboard/manage-inventory';
const word = uniqueWord();
const descriptionWith = (payload: string) => `${payload} ${word} and enough words around it to be a description.`;

/** Selects texts for checks that try one after the other: all in the long form, otherwise every sixth. */
const someOf = <T>(all: readonly T[]) => all.filter((_, at) => isLongForm || at % 6 === 0);

/** Collects signs that a text was interpreted as more than text. */
type ScriptRuns = { ran: string[] };

test('texts that contain scripts are shown as typed on every screen, and none runs', async ({
  page,
  request,
  baseURL,
  browserErrors,
}) => {
  test.setTimeout(180_000);
  browserErrors.allow(/status of 404 \(Not Found\) \(http:\/\/127\.0\.0\.1:\d+\/nowhere/);
  // The window is so tall that a long list is read in a few steps.
  await page.setViewportSize({ width: 1366, height: 3_000 });
  const scriptRuns = await watchForScripts(page);
  await using pictures = await otherHost(scriptRuns);
  browserErrors.allow(new RegExp(pictures.url));
  const ids = await createHostileItems(baseURL, pictures.url);
  await page.request.post('/demo/sign-in');

  await test.step('the home page, rendered by the server and by the browser', async () => {
    await page.goto('/');
    const more = page.getByRole('button', { name: 'Show more' });
    for (let shown = 12; shown < payloads.length; shown += 12) {
      await more.click();
      await expect(page.locator('article')).toHaveCount(Math.min(24 + payloads.length, shown + 12));
    }
    await expectShown(page, payloads);
    const card = page.locator('article').first();
    const name = await card.locator('h3').innerText();
    await card.getByRole('button').click();
    await expect(page.getByRole('dialog')).toContainText(name);
    await expectNoScriptRan(page, scriptRuns);
  });

  await test.step('URLs with a text in every parameter', async () => {
    // The home page shows results for `q`, so it is tried with each text in `q`.
    for (const [path, step] of [
      ['/', 1],
      ['/nowhere', parameters.length],
      ['/login', parameters.length],
      ['/register', parameters.length],
      ['/reset-password', parameters.length],
    ] as const)
      for (let first = 0; first < payloads.length; first += step) {
        const response = await request.get(pathWithPayloads(path, first), { headers: { accept: 'text/html' } });
        const html = await response.text();
        for (const payload of payloads) if (/<[a-z!?/]/i.test(payload)) expect(html).not.toContain(payload);
      }
    for (const [nth, path] of ['/', '/login', '/nowhere', manage].entries()) {
      await page.goto(pathWithPayloads(path, nth * parameters.length));
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectNoScriptRan(page, scriptRuns);
    }
  });

  await test.step('manage, and its search', async () => {
    await open(page, manage);
    const search = page.getByRole('main').getByRole('searchbox').first();
    for (const payload of someOf(payloads)) {
      await search.fill(payload);
      await expect(page).toHaveURL((url) => url.searchParams.get('q') === payload);
      await expectShown(page, [payload]);
      await expectNoScriptRan(page, scriptRuns);
    }
    await search.fill(word);
    await expect(page).toHaveURL(`${manage}?q=${word}`);
    await expectShown(page, payloads);
    await expectNoScriptRan(page, scriptRuns);
  });

  await test.step('the printed page and the export', async () => {
    await showCheckboxes(page);
    await page.getByRole('checkbox', { name: 'Select all matching items' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      selectionBar(page).getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    const csv = await readFile(await download.path(), 'utf8');
    for (const payload of payloads) expect(csv).toContain(payload.replaceAll('"', '""'));
    expect(csv).not.toMatch(/(?:^|,)"[=+\-@\t\r]/m);
    await page.emulateMedia({ media: 'print' });
    await expectNoScriptRan(page, scriptRuns);
    await page.emulateMedia({ media: null });
  });

  await test.step('the page of an item, its form and its toasts', async () => {
    // The first item has all texts in its description.
    for (const [at, payload] of someOf([...payloads.entries()])) {
      await open(page, `/dashboard/inventory/${ids[at]}`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(payload);
      await expect(page.getByRole('main')).toContainText(normal(descriptionOf(at)));
      await expectNoScriptRan(page, scriptRuns);
    }
    await page.getByRole('button', { name: 'Delivered', exact: true }).click();
    await expect(toast(page, 'Delivered 1 × ')).toBeVisible();
    await open(page, `/dashboard/inventory/${ids[9]}/edit`);
    await expect(page.getByRole('main').getByRole('textbox').first()).toHaveValue(payloads[9] ?? '');
    await expectNoScriptRan(page, scriptRuns);
    await open(page, `${manage}?q=${word}`);
    const row = page.locator('tr[data-row]').first();
    const name = await row.locator('th a').innerText();
    await row.getByRole('button', { name: `Delete ${name}`, exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await toast(page, `${name} was deleted.`).getByRole('button', { name: 'Undo' }).click();
    await expect(toast(page, `${name} was restored.`)).toBeVisible();
    await expectNoScriptRan(page, scriptRuns);
  });

  await test.step('the history: names, notes and who did it', async () => {
    await open(page, '/dashboard/history');
    await expectShown(
      page,
      payloads.flatMap((payload) => [payload, `note ${payload}`, `by ${payload}`]),
    );
    await expectNoScriptRan(page, scriptRuns);
  });

  await test.step('my items, the time machine, Analysetic, the admin home and the settings', async () => {
    await open(page, '/dashboard/my-item');
    await expectShown(page, payloads.slice(0, 20));
    await expectNoScriptRan(page, scriptRuns);
    await open(page, `${manage}?at=${encodeURIComponent(new Date().toISOString())}&q=${word}`);
    await expectShown(page, payloads.slice(0, 20));
    await expectNoScriptRan(page, scriptRuns);
    await open(page, '/dashboard/anlaysetic?period=7');
    await expect(page.getByRole('table').first()).toBeVisible();
    await lookFor(page, ['to the end of the page']);
    await expectNoScriptRan(page, scriptRuns);
    for (const path of ['/dashboard/admin/home', '/dashboard/settings']) {
      await open(page, path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectNoScriptRan(page, scriptRuns);
    }
  });

  await test.step('the palette and the alerts', async () => {
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Search and commands' });
    await palette.getByRole('combobox').fill(word);
    await expect(palette.getByRole('option').first()).toContainText(/xss|evil/);
    for (const payload of someOf(payloads)) await palette.getByRole('combobox').fill(payload);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Alerts: / }).click();
    await expect(page.getByRole('dialog', { name: 'Low stock' }).getByRole('listitem').first()).toBeVisible();
    await expectNoScriptRan(page, scriptRuns);
  });
});

test('an address that is not a picture is refused, whatever it pretends to be', async ({ request }) => {
  await request.post('/demo/sign-in');
  const taken: string[] = [];
  for (const img of payloads) {
    const response = await request.post('/new-inventory-item', {
      data: { ...item('Iris', descriptionWith('Iris'), ''), img },
    });
    if (response.status() !== 422) taken.push(img);
  }
  expect(taken).toEqual([]);
});

const parameters = ['q', 'error', 'returnTo', 'token', 'at', 'from', 'supplier', '#'];

/** Returns the path with a different text in each parameter that any page reads, beginning with text number `first`. */
function pathWithPayloads(path: string, first: number): string {
  const text = (nth: number) => encodeURIComponent(payloads[(first + nth) % payloads.length] ?? '');
  return parameters.reduce(
    (address, name, nth) => `${address}${name === '#' ? '#' : `${nth === 0 ? '?' : '&'}${name}=`}${text(nth)}`,
    path,
  );
}

/** Navigates within the app, as a link does. */
async function open(page: Page, path: string): Promise<void> {
  await page.evaluate((path) => {
    history.pushState({}, '', path);
    dispatchEvent(new PopStateEvent('popstate', { state: {} }));
  }, path);
}

function item(name: string, description: string, pictures: string) {
  return {
    name,
    price: 50,
    quantity: '12',
    img: `${pictures}/${encodeURIComponent(name)}.png`,
    description,
    suplierName: name,
    email: 'demo@perfume.example',
  };
}

const descriptionOf = (at: number) => descriptionWith(at === 0 ? payloads.join(' ') : (payloads[at] ?? ''));

/** How many names one person uses: a few less than the name changes that are allowed in 15 minutes. */
const NAMES_OF_ONE = 25;

/** Creates the items. Several people change their names to the texts and create an item under each name. */
async function createHostileItems(baseURL: string | undefined, pictures: string): Promise<string[]> {
  const ids: string[] = [];
  const makers = Array.from({ length: Math.ceil(payloads.length / NAMES_OF_ONE) }, async (_, maker) => {
    const request = await client.newContext(baseURL === undefined ? {} : { baseURL });
    const first = maker * NAMES_OF_ONE;
    await signUp(request, payloads[first] ?? '');
    for (const [nth, payload] of payloads.slice(first, first + NAMES_OF_ONE).entries()) {
      const renamed = await request.post('/api/auth/update-user', { data: { name: `by ${payload}` } });
      expect([payload, renamed.status()]).toEqual([payload, 200]);
      const response = await request.post('/new-inventory-item', {
        data: item(payload, descriptionOf(first + nth), pictures),
      });
      expect([payload, response.status()]).toEqual([payload, 201]);
      const { _id } = await response.json();
      ids[first + nth] = _id;
      const moved = await request.post(`/inventory-items/${_id}/movements`, {
        data: { kind: 'deliver', units: 10, note: `note ${payload}` },
      });
      expect(moved.status()).toBe(201);
    }
    await request.dispose();
  });
  await Promise.all(makers);
  return ids;
}

async function signUp(request: APIRequestContext, name: string): Promise<void> {
  const email = `${uniqueWord()}@house.example`;
  const response = await request.post('/api/auth/sign-up/email', {
    data: { name, email, password: 'quiet otter lamp 7' },
  });
  expect(response.status()).toBe(200);
  const link = async () => {
    const letters = await (await request.get('/demo/outbox', { headers: { accept: 'application/json' } })).json();
    return letters.find(({ to }: { to: string }) => to === email)?.links[0];
  };
  await expect.poll(link).toBeTruthy();
  await verify(request, await link());
}

async function watchForScripts(page: Page): Promise<ScriptRuns> {
  const scriptRuns: ScriptRuns = { ran: [] };
  await page.exposeFunction('xss', () => void scriptRuns.ran.push(`xss() on ${page.url()}`));
  page.on('dialog', (dialog) => {
    scriptRuns.ran.push(`a dialog on ${page.url()}: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('frameattached', (frame) => scriptRuns.ran.push(`a frame on ${page.url()}: ${frame.url()}`));
  return scriptRuns;
}

/**
 * Starts another host for pictures of items, which may be on any host. It serves none, and records a request that tells
 * it the address of the page.
 */
async function otherHost(scriptRuns: ScriptRuns) {
  const server = createServer(({ headers }, response) => {
    if (headers.referer) scriptRuns.ran.push(`a picture was told where it is shown: ${headers.referer}`);
    response.writeHead(404, { 'cache-control': 'max-age=3600' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: async () => void server.close() };
}

/**
 * Checks that no script ran and no text became an element. A script that the Content-Security-Policy blocked is a
 * console error, which fails the test anyway.
 */
async function expectNoScriptRan(page: Page, scriptRuns: ScriptRuns): Promise<void> {
  expect(scriptRuns.ran).toEqual([]);
  const strange = await page.evaluate(() =>
    [...document.querySelectorAll('*')]
      .filter(
        (element) =>
          element.matches('iframe, object, embed, base, math, marquee, listing, image, x, foreignObject') ||
          element.matches('img[src^=http]:not([referrerpolicy="no-referrer"])') ||
          element.getAttributeNames().some((name) => /^on|^srcdoc$/.test(name)) ||
          ['href', 'src', 'action', 'formaction', 'xlink:href'].some((name) =>
            /^\s*(?:javascript|vbscript|data:text)/i.test(element.getAttribute(name) ?? ''),
          ),
      )
      .map((element) => element.outerHTML.slice(0, 200)),
  );
  expect(strange).toEqual([]);
}

/** Checks that all texts are on the page. Texts that arrive during one pass down the page are found on the next. */
async function expectShown(page: Page, texts: readonly string[]): Promise<void> {
  let missing = texts.map(normal);
  const findMissing = async () => {
    missing = await lookFor(page, missing);
    return missing;
  };
  await expect.poll(findMissing).toEqual([]);
}

const normal = (text: string) => text.replace(/\s+/g, ' ');

/** Returns the texts that are not on the page. Scrolls down, because long lists render only visible rows. */
function lookFor(page: Page, texts: string[]): Promise<string[]> {
  return page.evaluate(async (texts) => {
    let missing = texts;
    const findMissing = () => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const seen: string[] = [];
      for (let node = walker.nextNode(); node; node = walker.nextNode())
        if (!node.parentElement?.closest('script, style')) seen.push((node.textContent ?? '').replace(/\s+/g, ' '));
      const all = seen.join('\n');
      missing = missing.filter((text) => !all.includes(text));
    };
    const painted = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    scrollTo({ top: 0, behavior: 'instant' });
    for (let still = 0; still < 2 && missing.length > 0; ) {
      await painted();
      findMissing();
      const before = scrollY;
      scrollBy({ top: innerHeight * 0.7, behavior: 'instant' });
      still = scrollY === before ? still + 1 : 0;
    }
    return missing;
  }, texts);
}
