import type { APIRequestContext, Page } from '@playwright/test';
import { axeViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { anyScreen, appearancesWithLongWords, oneScreenFor, phoneOnly } from './form.ts';
import { addItems, isPhone, logInAsDealer, uniqueWord } from './inventory-helpers.ts';
import { expectToFitAt } from './screens.ts';

const manage = '/dashboard/manage-inventory';
const DAY = 24 * 60 * 60 * 1_000;

test.use({ timezoneId: 'America/New_York' });
test.beforeEach(({ context }) => logInAsDealer(context.request));

test('going back in time shows the past inventory, and each move is one entry in the browser history', async ({
  page,
  context,
}) => {
  await open(page, manage);
  const now = Object.fromEntries(Object.entries(await quantities(page)).slice(0, 5));
  await page.getByRole('button', { name: 'Time machine' }).click();
  const slider = page.getByRole('slider', { name: 'Point in time' });
  await expect(slider).toBeFocused();
  await expect(slider).toHaveAttribute('aria-valuetext', 'Now');
  // The page itself presses the keys: sent one by one to a busy browser they can be a second apart, which is another move.
  await slider.evaluate(async (input) => {
    for (let week = 0; week < 3; week++) {
      input.dispatchEvent(new KeyboardEvent('keydown', { key: 'PageDown', bubbles: true, cancelable: true }));
      await new Promise((resolve) => setTimeout(resolve));
    }
  });
  await expect(slider).toHaveAttribute('aria-valuetext', /^\w+day, \w+ \d+, \d{4} at /);
  await expect(page).toHaveURL(/[?&]at=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  await expect(page.getByText('Stock on', { exact: true })).toBeVisible();
  const fromThreeWeeksAgo = () => Math.abs(Date.parse(instantInUrl(page)) - (Date.now() - 21 * DAY));
  await expect.poll(fromThreeWeeksAgo).toBeLessThan(2 * 60 * 60 * 1_000);
  const at = instantInUrl(page);

  const then = await asOf(context.request, at, 'limit=5');
  await expect.poll(() => quantities(page)).toEqual(expect.objectContaining(then));
  expect(then).not.toEqual(now);

  const figures = await (await context.request.get(`/as-of/figures?at=${at}`)).json();
  if (isPhone(page)) await page.getByText(`${figures.units.toLocaleString('en-US')} units, $`).click();
  const units = page.locator('dl > div').filter({ hasText: 'Units on hand' });
  await expect(units).toContainText(figures.units.toLocaleString('en-US'));
  await expect(units).toContainText('than now');

  await page.goBack();
  await expect(page).toHaveURL(manage);
  await expect.poll(() => quantities(page)).toEqual(expect.objectContaining(now));
  await page.goForward();
  await expect.poll(() => quantities(page)).toEqual(expect.objectContaining(then));
  await page.getByRole('button', { name: 'A day forward' }).click();
  await expect.poll(() => Date.parse(instantInUrl(page)) - Date.parse(at)).toBeGreaterThan(22 * 60 * 60 * 1_000);

  await slider.press('Home');
  await expect(page.getByRole('button', { name: 'A day back' })).toHaveAttribute('aria-disabled', 'true');
  await expect.poll(() => Date.parse(instantInUrl(page))).toBeLessThan(Date.now() - 60 * DAY);
  const atFirst = Object.keys(await asOf(context.request, instantInUrl(page), 'limit=100')).length;
  expect(atFirst).toBeLessThan(24);
  await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', `${atFirst + 1}`);
  await slider.press('End');
  await expect(page).toHaveURL(manage);
  await expect.poll(() => quantities(page)).toEqual(expect.objectContaining(now));
});

test('the slider follows the pointer, and the list follows when it stops', anyScreen, async ({ page, context }) => {
  await open(page, manage);
  await page.getByRole('button', { name: 'Time machine' }).click();
  const slider = page.getByRole('slider', { name: 'Point in time' });
  const box = await slider.boundingBox();
  if (!box) throw new Error('The slider has no place on the page');
  const across = (share: number) => [box.x + 12 + (box.width - 24) * share, box.y + 22] as const;
  await page.mouse.move(...across(1));
  await page.mouse.down();
  await page.mouse.move(...across(0.8), { steps: 3 });
  await page.waitForURL(/[?&]at=/);
  await page.mouse.move(...across(0.5), { steps: 3 });
  await page.mouse.up();
  const { from } = await (await context.request.get('/as-of/span')).json();
  const middle = (Date.parse(from) + Date.now()) / 2;
  await expect.poll(() => Math.abs(Date.parse(instantInUrl(page)) - middle)).toBeLessThan(2 * DAY);
  const at = instantInUrl(page);
  expect(new Date(at).getUTCMinutes()).toBe(0);
  const then = await asOf(context.request, at, 'limit=4');
  await expect.poll(() => quantities(page)).toEqual(expect.objectContaining(then));
  await page.goBack();
  await expect(page).toHaveURL(manage);
});

test('an instant can be typed, is in the URL, and stays within the ledger', anyScreen, async ({ page, context }) => {
  await open(page, `${manage}?sort=price&stock=in&at=yesterday`);
  await expect(page.getByRole('button', { name: /^Delete / }).first()).toBeVisible();
  await expect(page.getByRole('region', { name: 'Time machine' })).toHaveCount(0);
  await page.keyboard.press('t');
  const field = page.getByLabel('Date and time');
  await expect(page.getByText('Your time zone: Eastern')).toBeVisible();
  const noon = new Date(Date.now() - 30 * DAY).toISOString().slice(0, 10);
  await field.fill(`${noon}T12:00`);
  // Noon in New York is 16:00 or 17:00 UTC.
  await expect.poll(() => instantInUrl(page)).toMatch(new RegExp(`^${noon}T1[67]:00:00Z$`));
  const then = await asOf(context.request, instantInUrl(page), 'sort=price&stock=in&limit=3');
  await expect.poll(() => quantities(page)).toEqual(expect.objectContaining(then));

  await page.reload();
  await expect(field).toHaveValue(`${noon}T12:00`);
  await expect.poll(() => quantities(page)).toEqual(expect.objectContaining(then));
  await expect(page.getByLabel('Sort by', { exact: true })).toHaveValue('price');

  await field.fill('2999-01-01T00:00');
  await field.blur();
  await expect(page.getByText('This time is in the future. Choose an earlier one.')).toBeVisible();
  await expect(page).not.toHaveURL(/[?&]at=2/);
  await field.fill('1999-12-31T23:59');
  await field.blur();
  await expect(page.getByText('The history starts on ')).toBeVisible();
  const { from } = await (await context.request.get('/as-of/span')).json();
  await expect.poll(() => Math.abs(Date.parse(instantInUrl(page)) - Date.parse(from))).toBeLessThanOrEqual(1_000);
  await open(page, `${manage}?at=1999-12-31T23:59:00Z`);
  await expect.poll(() => Math.abs(Date.parse(instantInUrl(page)) - Date.parse(from))).toBeLessThanOrEqual(1_000);
});

test('the past is read-only, and a delivery today does not change it', anyScreen, async ({ page, context }) => {
  const name = `${uniqueWord()} flacon`;
  const [id] = await addItems(context.request, [{ name, quantity: 20 }]);
  const created = (await (await context.request.get(`/manage-inventory?_id=${id}`)).json())[0].createdAt;
  const at = `${new Date(Date.parse(created) + 1_000).toISOString().slice(0, 19)}Z`;
  await page.waitForTimeout(Math.max(0, Date.parse(at) + 1_000 - Date.now()));
  await open(page, `${manage}?q=${name.split(' ')[0]}&at=${at}`);
  await expect.poll(() => quantities(page)).toEqual({ [name]: '20' });
  await expect(page.getByRole('checkbox')).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^(Delete|Select)/ })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Create new Items' })).toHaveCount(0);
  await expect(page.getByRole('link', { name, exact: true })).toHaveCount(0);
  await expect(page.getByText('You are viewing past stock. It cannot be changed.')).toBeVisible();

  if (isPhone(page)) await page.locator('summary').click();
  const units = page.locator('dl > div').filter({ hasText: 'Units on hand' });
  await expect(units).toContainText('the same as now');
  const moved = await context.request.post(`/inventory-items/${id}/movements`, { data: { kind: 'deliver', units: 3 } });
  expect(moved.status()).toBe(201);
  // The delivery has arrived on the page, but changes only the comparison with now.
  await expect(units).toContainText('3 more than now');
  await expect.poll(() => quantities(page)).toEqual({ [name]: '20' });

  await page.getByRole('link', { name: `Current item: ${name}` }).click();
  await expect(page).toHaveURL(`/dashboard/inventory/${id}`);
  await page.goBack();
  await expect.poll(() => quantities(page)).toEqual({ [name]: '20' });
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(`${manage}?q=${name.split(' ')[0]}`);
  await expect.poll(() => quantities(page)).toEqual({ [name]: '17' });
  await expect(page.getByRole('button', { name: 'Time machine' })).toBeFocused();
  await expect(page.getByRole('slider')).toHaveCount(0);
});

test('My Items has no time machine', anyScreen, async ({ page }) => {
  await open(page, '/dashboard/my-item?at=2026-01-01T00:00:00Z');
  await expect(page.getByRole('button', { name: 'Time machine' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Delete / }).first()).toBeVisible();
});

test(
  'the slider stays visible while scrolling, and time steps keep the scroll position',
  phoneOnly,
  async ({ page }) => {
    const at = new Date(Date.now() - 10 * DAY).toISOString().slice(0, 19);
    await open(page, `${manage}?sort=name&at=${at}Z`);
    await page.evaluate(() => window.scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }));
    const slider = page.getByRole('slider', { name: 'Point in time' });
    await expect(slider).toBeInViewport();
    const head = page.getByRole('columnheader', { name: 'Product' });
    const below = async (upper: typeof head, lower: typeof head) =>
      ((await lower.boundingBox())?.y ?? 0) >= ((await upper.boundingBox())?.y ?? 0) + 40;
    await expect.poll(() => below(slider, head)).toBe(true);
    const place = await page.evaluate(() => window.scrollY);
    await page.getByRole('button', { name: 'A day back' }).click();
    await expect.poll(() => instantInUrl(page)).not.toBe(`${at}Z`);
    await expect(page.locator('table[aria-busy]')).toHaveCount(0);
    await expect.poll(async () => Math.abs((await page.evaluate(() => window.scrollY)) - place)).toBeLessThan(100);
  },
);

for (const [language, colorScheme] of appearancesWithLongWords)
  test(
    `is accessible and fits in ${language}, ${colorScheme}`,
    oneScreenFor(colorScheme),
    async ({ page, context, baseURL }) => {
      await context.addCookies([{ name: 'language', value: language, url: baseURL ?? '' }]);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const at = new Date(Date.now() - 20 * DAY).toISOString().slice(0, 19);
      await open(page, `${manage}?at=${at}Z`);
      if (isPhone(page)) await page.locator('summary').click();
      await expect(page.locator('dl > div').nth(4)).toContainText(/\S \S/);
      await expect(page.locator('main [aria-busy]')).toHaveCount(0);
      expect(await page.locator('body').innerText()).not.toMatch(/\b(?:inventory|time)\.[a-z]|\{\w+\}/);
      expect(await axeViolations(page)).toEqual([]);
      for (const width of isPhone(page) ? [320, 390] : [768, 1366]) {
        await expectToFitAt(page, width, 800);
      }
      // The past is at the start of the slider: on the left in English, on the right in Arabic.
      const slider = page.getByRole('slider');
      await slider.press(language === 'ar' ? 'ArrowRight' : 'ArrowLeft');
      await expect.poll(() => Date.parse(instantInUrl(page))).toBeLessThan(Date.parse(`${at}Z`));
    },
  );

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(page.locator('tr[data-row]').first()).toBeVisible();
}

function instantInUrl(page: Page): string {
  return new URL(page.url()).searchParams.get('at') ?? '';
}

/** Returns the quantities on the page, by item name. */
async function quantities(page: Page): Promise<Record<string, string>> {
  await expect(page.locator('tr[data-row]').first()).toBeVisible();
  const rows = await page
    .locator('tr[data-row]')
    .evaluateAll((all) =>
      all.map((row) => [
        row.querySelector('th bdi')?.textContent ?? '',
        row.querySelector('strong')?.textContent ?? '',
      ]),
    );
  return Object.fromEntries(rows);
}

async function asOf(request: APIRequestContext, at: string, query: string): Promise<Record<string, string>> {
  const response = await request.get(`/as-of?at=${at}&${query}`);
  expect(response.status()).toBe(200);
  const items: { name: string; quantity: string }[] = await response.json();
  expect(items.length).toBeGreaterThan(0);
  return Object.fromEntries(items.map(({ name, quantity }) => [name, quantity]));
}
