import { readFile } from 'node:fs/promises';
import type { APIRequestContext, Browser, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { bar, newWord, showBoxes, toast } from './inventory-people.ts';
import { payloads } from './xss-payloads.ts';

// A shop of its own: nobody else's test should meet these names.
test.use({ shop: 'xss' });

const manage = '/dashboard/manage-inventory';
const PICTURES = 'https://pictures.example';
const word = newWord();
const describe = (payload: string) => `${payload} ${word} and enough words around it to be a description.`;

/** Everything that would mean that a text was taken for more than text. */
type Alarm = { ran: string[] };

test('texts that would be script are shown as typed on every screen, and none runs', async ({
  page,
  browser,
  baseURL,
  faults,
}) => {
  test.setTimeout(180_000);
  // Pictures of an item may be anywhere; here they lead nowhere.
  faults.allow(/pictures\.example/);
  faults.allow(/status of 404 \(Not Found\) \(http:\/\/127\.0\.0\.1:\d+\/nowhere/);
  const alarm = await listen(page);
  const ids = await fill(browser, baseURL, page.request);

  await test.step('the home page, drawn by the server and by the browser', async () => {
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
    await check(page, alarm);
  });

  await test.step('addresses with a text in them', async () => {
    const drawn = await Promise.all(
      payloads.map(async (payload) => {
        const address = `/?q=${encodeURIComponent(payload)}`;
        return { payload, html: await (await page.request.get(address, { headers: { accept: 'text/html' } })).text() };
      }),
    );
    for (const { payload, html } of drawn) if (/<[a-z!?/]/i.test(payload)) expect(html).not.toContain(payload);
    for (const payload of [payloads[5], payloads[11]]) {
      const q = encodeURIComponent(payload ?? '');
      for (const path of ['/', manage, '/nowhere', '/login'])
        await page.goto(`${path}?q=${q}&error=${q}&returnTo=${q}&token=${q}&at=${q}&from=${q}&supplier=${q}#${q}`);
    }
    await check(page, alarm);
  });

  await test.step('manage, and its search', async () => {
    await page.goto(`${manage}?q=${word}`);
    await expect(page.locator('tr[data-row]').first()).toBeVisible({ timeout: 15_000 });
    await expectShown(page, payloads);
    const search = page.getByRole('main').getByRole('searchbox').first();
    for (const payload of payloads) await search.fill(payload);
    await expect(search).toHaveValue(payloads.at(-1) ?? '');
    await check(page, alarm);
  });

  await test.step('the printed page and the export', async () => {
    await page.goto(`${manage}?q=${word}`);
    await showBoxes(page);
    await page.getByRole('checkbox', { name: 'Select all items that match' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      bar(page).getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    const csv = await readFile(await download.path(), 'utf8');
    for (const payload of payloads) expect(csv).toContain(payload.replaceAll('"', '""'));
    expect(csv).not.toMatch(/(?:^|,)"[=+\-@\t\r]/m);
    await page.emulateMedia({ media: 'print' });
    await check(page, alarm);
    await page.emulateMedia({ media: null });
  });

  await test.step('the page of each item', async () => {
    await page.goto(`/dashboard/inventory/${ids[0]}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(payloads[0] ?? '');
    const pages = ids.map((id, at) => ({
      path: `/dashboard/inventory/${id}`,
      name: payloads[at] ?? '',
      description: describe(payloads[at] ?? ''),
    }));
    expect(await walkThrough(page, pages)).toEqual([]);
    await check(page, alarm);
    await page.goto(`/dashboard/inventory/${ids[9]}/edit`);
    await expect(page.getByRole('main').getByRole('textbox').first()).toHaveValue(payloads[9] ?? '');
    await check(page, alarm);
  });

  await test.step('toasts', async () => {
    await page.goto(`/dashboard/inventory/${ids[9]}`);
    await page.getByRole('button', { name: 'Delivered', exact: true }).click();
    await page.goto(`${manage}?q=${word}`);
    const row = page.locator('tr[data-row]').first();
    const name = await row.locator('th a').innerText();
    await row.getByRole('button', { name: `Delete ${name}`, exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await toast(page, `${name} was deleted.`).getByRole('button', { name: 'Undo' }).click();
    await check(page, alarm);
  });

  await test.step('the history: names, notes and who did it', async () => {
    await page.goto('/dashboard/history');
    await expect(page.locator('tr[data-entry]').first()).toBeVisible();
    await expectShown(page, [...payloads, ...payloads.map((payload) => `note ${payload}`)]);
    await expectShown(
      page,
      payloads.map((payload) => `by ${payload}`),
    );
    await check(page, alarm);
  });

  await test.step('my items, the time machine, Analysetic, the admin home and the settings', async () => {
    await page.goto('/dashboard/my-item');
    await expectShown(page, payloads.slice(0, 20));
    await page.goto(`${manage}?at=${encodeURIComponent(new Date().toISOString())}&q=${word}`);
    await expect(page.locator('tr[data-row]').first()).toBeVisible();
    await expectShown(page, payloads.slice(0, 20));
    await page.goto('/dashboard/anlaysetic?period=7');
    await expect(page.getByRole('table').first()).toBeVisible();
    await textWhileScrolling(page);
    for (const path of ['/dashboard/admin/home', '/dashboard/settings']) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    }
    await check(page, alarm);
  });

  await test.step('the palette and the alerts', async () => {
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Search and commands' });
    await palette.getByRole('combobox').fill(word);
    await expect(palette.getByRole('option').first()).toContainText(/xss|evil/);
    for (const payload of payloads.slice(0, 20)) await palette.getByRole('combobox').fill(payload);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Alerts: / }).click();
    await expect(page.getByRole('dialog', { name: 'Low stock' }).getByRole('listitem').first()).toBeVisible();
    await check(page, alarm);
  });
});

test('an address that is no picture is not taken, whatever it pretends to be', async ({ page }) => {
  await page.request.post('/demo/sign-in');
  const taken: string[] = [];
  for (const img of payloads) {
    const answer = await page.request.post('/new-inventory-item', { data: { ...item('Iris'), img } });
    if (answer.status() !== 422) taken.push(img);
  }
  expect(taken).toEqual([]);
});

function item(name: string) {
  return {
    name,
    price: 50,
    quantity: '12',
    img: `${PICTURES}/${encodeURIComponent(name)}.png`,
    description: describe(name),
    suplierName: name,
    email: 'demo@perfume.example',
  };
}

/** Four people, each of whom has many names one after the other, put an item on the shelf under each. */
async function fill(browser: Browser, baseURL: string | undefined, own: APIRequestContext): Promise<string[]> {
  const ids: string[] = [];
  const quarter = Math.ceil(payloads.length / 4);
  const makers = Array.from({ length: 4 }, async (_, maker) => {
    const context = await browser.newContext(baseURL === undefined ? {} : { baseURL });
    const request = maker === 0 ? own : context.request;
    await signUp(request, payloads[maker * quarter] ?? '');
    for (const [nth, payload] of payloads.slice(maker * quarter, (maker + 1) * quarter).entries()) {
      const renamed = await request.post('/api/auth/update-user', { data: { name: `by ${payload}` } });
      expect([payload, renamed.status()]).toEqual([payload, 200]);
      const made = await request.post('/new-inventory-item', { data: item(payload) });
      expect([payload, made.status()]).toEqual([payload, 201]);
      const { _id } = await made.json();
      ids[maker * quarter + nth] = _id;
      const moved = await request.post(`/inventory-items/${_id}/movements`, {
        data: { kind: 'deliver', units: 10, note: `note ${payload}` },
      });
      expect(moved.status()).toBe(201);
    }
    await context.close();
  });
  await Promise.all(makers);
  await own.post('/demo/sign-in');
  return ids;
}

async function signUp(request: APIRequestContext, name: string): Promise<void> {
  const email = `${newWord()}@house.example`;
  const answer = await request.post('/api/auth/sign-up/email', {
    data: { name, email, password: 'quiet otter lamp 7' },
  });
  expect(answer.status()).toBe(200);
  const link = async () => {
    const letters = await (await request.get('/demo/outbox', { headers: { accept: 'application/json' } })).json();
    return letters.find(({ to }: { to: string }) => to === email)?.links[0];
  };
  await expect.poll(link).toBeTruthy();
  await request.get(await link(), { maxRedirects: 0 });
}

async function listen(page: Page): Promise<Alarm> {
  const alarm: Alarm = { ran: [] };
  await page.context().exposeFunction('xss', () => void alarm.ran.push(`xss() on ${page.url()}`));
  page.on('dialog', (dialog) => {
    alarm.ran.push(`a dialog on ${page.url()}: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('frameattached', (frame) => alarm.ran.push(`a frame on ${page.url()}: ${frame.url()}`));
  await page.context().route(`${PICTURES}/**`, (route) => {
    const { referer } = route.request().headers();
    if (referer) alarm.ran.push(`a picture was told where it is shown: ${referer}`);
    return route.fulfill({ status: 404, contentType: 'text/plain' });
  });
  return alarm;
}

/** Nothing ran, and no text has become an element. What the policy had to stop is a console error: a fault anyway. */
async function check(page: Page, alarm: Alarm): Promise<void> {
  expect(alarm.ran).toEqual([]);
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

async function expectShown(page: Page, texts: readonly string[]): Promise<void> {
  const missing = async () => {
    const told = await textWhileScrolling(page);
    return texts.filter((text) => !told.includes(normal(text)));
  };
  // A walk down a long list takes its time on a busy machine.
  await expect.poll(missing, { timeout: 20_000 }).toEqual([]);
}

/** Within the app, as a click on a link goes, and without a question to the browser for each. Names what was not shown. */
function walkThrough(page: Page, pages: { path: string; name: string; description: string }[]): Promise<string[]> {
  return page.evaluate(async (pages) => {
    const missing: string[] = [];
    for (const { path, name, description } of pages) {
      history.pushState({}, '', path);
      dispatchEvent(new PopStateEvent('popstate', { state: {} }));
      const shown = () =>
        document.querySelector('h1')?.textContent?.trim() === name &&
        document.querySelector('main')?.textContent?.includes(description);
      const patience = performance.now() + 5_000;
      while (!shown() && performance.now() < patience) await new Promise((done) => requestAnimationFrame(done));
      if (!shown()) missing.push(name);
    }
    return missing;
  }, pages);
}

const normal = (text: string) => text.replace(/\s+/g, ' ');

/** All text on the page, from top to bottom: long lists draw only what is in sight. */
async function textWhileScrolling(page: Page): Promise<string> {
  const texts = await page.evaluate(async () => {
    const seen = new Set<string>();
    const collect = () => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const inScript = node.parentElement?.closest('script, style');
        if (!inScript && node.textContent?.trim()) seen.add(node.textContent);
      }
    };
    const painted = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    scrollTo({ top: 0, behavior: 'instant' });
    for (let still = 0; still < 2; ) {
      await painted();
      collect();
      const before = scrollY;
      scrollBy({ top: innerHeight * 0.7, behavior: 'instant' });
      still = scrollY === before ? still + 1 : 0;
    }
    return [...seen];
  });
  return texts.join('\n').replace(/[^\S\n]+/g, ' ');
}
