import { expect, test } from './fixtures.ts';
import { anyScreen } from './form.ts';
import {
  addItems,
  checkbox,
  isPhone,
  logInAsDealer,
  logInOnPage,
  names,
  row,
  selectionBar,
  showCheckboxes,
  toast,
  uniqueWord,
  waitForHydration,
} from './inventory-helpers.ts';

const mine = '/dashboard/my-item';

test.beforeEach(({ context }) => logInAsDealer(context.request));

test('the page shows the dealer’s own items, with bulk actions but neither search nor create link', async ({
  page,
  context,
}) => {
  const word = uniqueWord();
  await addItems(context.request, [
    { name: `${word} a`, quantity: 4 },
    { name: `${word} b`, quantity: 6 },
    { name: `${word} other`, email: 'other@example.com' },
  ]);
  const requested = page.waitForRequest((request) => request.url().includes('/my-items?'));
  await page.goto(mine);
  await expect(page).toHaveTitle('My Items · Perfume Warehouse');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Items');
  expect((await requested).headers().authorization).toMatch(/^Bearer ey/);
  expect(new URL((await requested).url()).searchParams.get('email')).toBe('demo@perfume.example');
  await expect(row(page, `${word} a`)).toBeVisible();
  await expect(row(page, `${word} other`)).toHaveCount(0);
  await expect(page.locator('main').getByRole('searchbox')).toHaveCount(0);
  await expect(page.locator('main').getByRole('link', { name: 'Create new Items' })).toHaveCount(0);
  await expect(page.getByRole('columnheader')).toHaveText(
    isPhone(page) ? ['Product', 'Update'] : [/^Select all/, 'Product', 'Dealer Info', 'Abaility', 'price', 'Update'],
  );

  await showCheckboxes(page);
  for (const name of [`${word} a`, `${word} b`]) await checkbox(page, name).click();
  await selectionBar(page).getByRole('button', { name: 'Deliver one of each' }).click();
  await expect(toast(page, 'Delivered 1 each of 2 items.')).toBeVisible();
  await expect(row(page, `${word} a`)).toContainText('Abailable: 3 in stock');
  await expect(selectionBar(page)).toBeHidden();

  await page.getByLabel('Sort by', { exact: true }).selectOption('Name, A to Z');
  await expect(page).toHaveURL(`${mine}?sort=name`);
  await expect
    .poll(async () => {
      const shown = await names(page);
      return shown.every((name, place) => place === 0 || (shown[place - 1] ?? '').localeCompare(name, 'en') <= 0);
    })
    .toBe(true);
});

test(
  'a second refusal logs out; a dealer without items is told so and can add one',
  anyScreen,
  async ({ page, context, browserErrors }) => {
    browserErrors.allow(/40[13]/);
    let response: 401 | 403 | 'no items' = 401;
    let requested = 0;
    await page.route('**/my-items?*', (route) => {
      requested++;
      return response === 'no items'
        ? route.fulfill({ json: [], headers: { 'x-total-count': '0' } })
        : route.fulfill({ status: response, json: { code: 'invalid_token', detail: 'No' } });
    });
    await page.goto(mine);
    for (const next of [403, 'no items'] as const) {
      await expect.poll(() => requested).toBe(2);
      await expect(page).toHaveURL(`/login?from=${encodeURIComponent(mine)}`);
      await waitForHydration(page);
      await expect(page.getByRole('heading', { name: 'Account Login' })).toBeVisible();
      expect((await context.request.get('/all-inventory-items?limit=1')).status()).toBe(401);
      [response, requested] = [next, 0];
      await logInOnPage(page);
    }
    await expect(page.getByText('No items with your email address yet.')).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'Add Item' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Create New Item');
  },
);
