import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { axeViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { anyScreen, appearances, oneScreenFor } from './form.ts';
import { exportAs } from './inventory-helpers.ts';
import { expectToFitAt } from './screens.ts';

const isPhone = (page: Page) => (page.viewportSize()?.width ?? 0) < 640;
const analysetic = '/dashboard/anlaysetic';

async function openAsDealer(page: Page, path: string): Promise<void> {
  await page.request.post('/demo/sign-in');
  await page.goto(path);
}

/** Returns the figure with the given name, as a number. */
async function figure(place: Locator, name: string | RegExp): Promise<number> {
  const text = await place
    .getByRole('definition')
    .and(place.locator('dt', { hasText: name }).locator('+ dd'))
    .innerText();
  return Number(text.split('\n')[0]?.replace(/[^0-9.]/g, ''));
}

const overview = (page: Page) => page.getByRole('region', { name: 'Warehouse overview' });
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

async function largestItem(page: Page): Promise<{ _id: string; quantity: string; price: number }> {
  const [item] = await (await page.request.get('/all-inventory-items?sort=-quantity&limit=1')).json();
  return item;
}

async function deliver(page: Page, id: string, units: number): Promise<void> {
  const data = { kind: 'deliver', units };
  expect((await page.request.post(`/inventory-items/${id}/movements`, { data })).status()).toBe(201);
}

test('the figures on the dashboard are real and follow anyone’s delivery at once', async ({ page }) => {
  await openAsDealer(page, '/dashboard/admin/home');
  const figures = overview(page);
  const items = await (await page.request.get('/all-inventory-items')).json();
  const units = items.reduce((sum: number, item: { quantity: string }) => sum + Number(item.quantity), 0);
  const value = items.reduce(
    (sum: number, item: { quantity: string; price: number }) => sum + Number(item.quantity) * item.price,
    0,
  );
  await expect.poll(() => figure(figures, 'Items')).toBe(items.length);
  await expect.poll(() => figure(figures, 'Units on hand')).toBe(units);
  await expect.poll(() => figure(figures, 'Stock value')).toBeCloseTo(value, 2);
  const delivered = await figure(figures, 'Delivered last 7 days');

  const item = await largestItem(page);
  await deliver(page, item._id, 2);
  await expect.poll(() => figure(figures, 'Units on hand')).toBe(units - 2);
  await expect.poll(() => figure(figures, 'Delivered last 7 days')).toBe(delivered + 2);
  await expect.poll(() => figure(figures, 'Stock value')).toBeCloseTo(value - 2 * item.price, 2);

  // The real figures are above the sample figures of the spec.
  const samples = page.getByRole('heading', { name: 'Sample figures' });
  expect((await figures.boundingBox())?.y).toBeLessThan((await samples.boundingBox())?.y ?? 0);
  await figures.getByRole('link', { name: /^Out of stock: \d+$/ }).click();
  await expect(page).toHaveURL('/dashboard/manage-inventory?stock=out');
});

test('the sidebar opens Analysetic; period, step and supplier are in the URL', anyScreen, async ({ page }) => {
  await openAsDealer(page, '/dashboard/admin/home');
  if (isPhone(page)) await page.getByRole('button', { name: 'Sidebar' }).click();
  await page.getByRole('link', { name: 'Analysetic', exact: true }).click();
  await expect(page).toHaveURL(analysetic);
  await expect(page).toHaveTitle('Analysetic · Perfume Warehouse');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Analysetic');

  await page.getByRole('radio', { name: '30 days', exact: true }).click();
  await expect(page).toHaveURL(`${analysetic}?period=30`);
  await page.getByRole('radio', { name: 'Week', exact: true }).click();
  await expect(page).toHaveURL(`${analysetic}?period=30&step=week`);

  const suppliers = section(page, 'Stock value by supplier');
  const first = suppliers.getByRole('row').nth(1);
  const name = (await first.getByRole('rowheader').innerText()).trim();
  await suppliers.getByRole('button', { name: `Show only ${name}` }).click();
  await expect(page).toHaveURL(new RegExp(`supplier=${encodeURIComponent(name).slice(0, 4)}`));
  await expect(page.getByRole('combobox', { name: 'Supplier' })).toHaveValue(name);
  const sellers = section(page, 'Fastest sellers');
  await expect
    .poll(async () => new Set(await sellers.getByRole('rowheader').locator('div > bdi').allInnerTexts()))
    .toEqual(new Set([name]));

  await page.reload();
  await expect(page.getByRole('combobox', { name: 'Supplier' })).toHaveValue(name);
  await page.goBack();
  await expect(page).toHaveURL(`${analysetic}?period=30&step=week`);
  await expect(page.getByRole('combobox', { name: 'Supplier' })).toHaveValue('');

  await page.getByRole('radio', { name: 'Custom', exact: true }).click();
  await page.getByLabel('From').fill('2030-01-01');
  await expect(page.getByText('The start date is after the end date. Change one of them.')).toBeVisible();
});

test(
  'Analysetic explains its days, and its charts work by keyboard, as tables and as files',
  anyScreen,
  async ({ page }) => {
    await openAsDealer(page, analysetic);
    await test.step('a button explains how the days are computed', () => explainDays(page));
    await test.step('the arrow keys read a chart point by point', () => readCharts(page));
    await test.step('a chart is also available as a table and as a file', () => takeTables(page));
  },
);

async function explainDays(page: Page): Promise<void> {
  const row = section(page, 'Fastest sellers').getByRole('row').nth(1);
  const days = Number.parseInt((await row.getByRole('cell').last().innerText()).replace(/\D/g, ''), 10);
  const why = row.getByRole('button', { name: /^Why\?/ });
  await why.click();
  await expect(why).toHaveAttribute('aria-expanded', 'true');
  const sum = section(page, 'Fastest sellers').getByRole('row').nth(2);
  const [delivered, looked, , left] = await sum.getByRole('definition').allInnerTexts();
  const onHand = Number(left?.split('÷')[0]);
  expect(Math.floor((onHand * Number(looked)) / Number(delivered))).toBe(days);
  expect(Number(left?.split('=')[1])).toBe(days);
  await why.press('Enter');
  await expect(why).toHaveAttribute('aria-expanded', 'false');
}

async function readCharts(page: Page): Promise<void> {
  const chart = section(page, 'Stock over time').getByRole('slider');
  await chart.focus();
  await expect(chart).toHaveAttribute('aria-valuetext', /\d units on hand, worth \$[\d,.]+$/);
  const points = Number(await chart.getAttribute('aria-valuemax'));
  await chart.press('ArrowLeft');
  await expect(chart).toHaveAttribute('aria-valuenow', String(points - 1));
  await chart.press('Home');
  await expect(chart).toHaveAttribute('aria-valuenow', '0');
  await chart.press('ArrowRight');
  await chart.press('PageUp');
  await expect(chart).toHaveAttribute('aria-valuenow', '11');
  const moves = section(page, 'Movements').getByRole('slider');
  await moves.focus();
  await moves.press('End');
  await expect(moves).toHaveAttribute('aria-valuetext', /\d restocked, \d+ delivered$/);
}

async function takeTables(page: Page): Promise<void> {
  const movements = section(page, 'Movements');
  const asTable = movements.getByRole('button', { name: 'Movements as a table' });
  await asTable.click();
  await expect(asTable).toHaveAttribute('aria-pressed', 'true');
  await expect(movements.getByRole('columnheader')).toHaveText([
    'Week',
    'Restocked',
    'Delivered',
    'Corrected',
    'Other changes',
  ]);
  const rows = movements.getByRole('row');
  await expect(movements.getByRole('slider')).toHaveCount(0);

  for (const [name, file] of [
    ['Movements', /^stock-by-week-.*\.csv$/],
    ['Fastest sellers', /^fastest-sellers-.*\.csv$/],
    ['Stock value by supplier', /^suppliers-.*\.csv$/],
    ['Dead stock', /^dead-stock-90-days-.*\.csv$/],
  ] as const) {
    const download = await exportAs(page, name, 'CSV');
    expect(download.suggestedFilename()).toMatch(file);
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines[0]).toMatch(/^\ufeff"/);
    if (name === 'Movements') expect(lines).toHaveLength(await rows.count());
  }
}

test(
  'the figures say that they could not be loaded, and can be retried',
  anyScreen,
  async ({ page, browserErrors }) => {
    browserErrors.allow(/status of 500/);
    await page.route('**/insights/**', (route) => route.fulfill({ status: 500, json: { code: 'internal' } }));
    await openAsDealer(page, '/dashboard/admin/home');
    const alert = overview(page).getByRole('alert');
    await expect(alert).toContainText('Could not load the figures.');
    await page.unroute('**/insights/**');
    await alert.getByRole('button', { name: 'Try again' }).click();
    await expect(overview(page).getByText('Units on hand').first()).toBeVisible();
  },
);

for (const [language, colorScheme] of appearances) {
  test(
    `is accessible and fits in ${language}, ${colorScheme}`,
    oneScreenFor(colorScheme),
    async ({ page, context, baseURL }) => {
      await page.emulateMedia({ colorScheme });
      await context.addCookies([{ name: 'language', value: language, url: baseURL ?? '' }]);
      await openAsDealer(page, '/dashboard/admin/home');
      await expect(page.getByRole('slider')).toBeVisible();
      expect(await axeViolations(page)).toEqual([]);
      await page.goto(`${analysetic}?period=7`);
      await expect(page.getByRole('slider')).toHaveCount(2);
      await page.locator('button[aria-expanded="false"][aria-controls]').filter({ hasText: /\?|؟/ }).first().click();
      await page.locator('button[aria-pressed]').first().click();
      await expect(page.getByRole('slider')).toHaveCount(1);
      expect(await axeViolations(page)).toEqual([]);
      for (const width of [320, 683]) {
        await expectToFitAt(page, width);
      }
    },
  );
}
