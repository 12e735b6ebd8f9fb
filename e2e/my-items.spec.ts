import { expect, test } from './fixtures.ts';
import { anyScreen } from './form.ts';
import {
  addItems,
  bar,
  box,
  hydrated,
  isPhone,
  logIn,
  names,
  newWord,
  row,
  showBoxes,
  signIn,
  toast,
} from './inventory-people.ts';

const mine = '/dashboard/my-item';

test.beforeEach(({ context }) => signIn(context.request));

test('the page shows the dealer’s own items, with bulk actions but neither search nor create link', async ({
  page,
  context,
}) => {
  const word = newWord();
  await addItems(context.request, [
    { name: `${word} a`, quantity: 4 },
    { name: `${word} b`, quantity: 6 },
    { name: `${word} other`, email: 'other@example.com' },
  ]);
  const asked = page.waitForRequest((request) => request.url().includes('/my-items?'));
  await page.goto(mine);
  await expect(page).toHaveTitle('My Items · Perfume Warehouse');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Items');
  expect((await asked).headers().authorization).toMatch(/^Bearer ey/);
  expect(new URL((await asked).url()).searchParams.get('email')).toBe('demo@perfume.example');
  await expect(row(page, `${word} a`)).toBeVisible();
  await expect(row(page, `${word} other`)).toHaveCount(0);
  await expect(page.locator('main').getByRole('searchbox')).toHaveCount(0);
  await expect(page.locator('main').getByRole('link', { name: 'Create new Items' })).toHaveCount(0);
  await expect(page.getByRole('columnheader')).toHaveText(
    isPhone(page) ? ['Product', 'Update'] : [/^Select all/, 'Product', 'Dealer Info', 'Abaility', 'price', 'Update'],
  );

  await showBoxes(page);
  for (const name of [`${word} a`, `${word} b`]) await box(page, name).click();
  await bar(page).getByRole('button', { name: 'Deliver one of each' }).click();
  await expect(toast(page, 'One unit each of 2 items was delivered.')).toBeVisible();
  await expect(row(page, `${word} a`)).toContainText('Abailable: 3 in stock');
  await expect(bar(page)).toBeHidden();

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
  async ({ page, context, faults }) => {
    faults.allow(/40[13]/);
    let answer: 401 | 403 | 'no items' = 401;
    let asked = 0;
    await page.route('**/my-items?*', (route) => {
      asked++;
      return answer === 'no items'
        ? route.fulfill({ json: [], headers: { 'x-total-count': '0' } })
        : route.fulfill({ status: answer, json: { code: 'invalid_token', detail: 'No' } });
    });
    await page.goto(mine);
    for (const next of [403, 'no items'] as const) {
      await expect.poll(() => asked).toBe(2);
      await expect(page).toHaveURL(`/login?from=${encodeURIComponent(mine)}`);
      await hydrated(page);
      await expect(page.getByRole('heading', { name: 'Account Login' })).toBeVisible();
      expect((await context.request.get('/all-inventory-items?limit=1')).status()).toBe(401);
      [answer, asked] = [next, 0];
      await logIn(page);
    }
    await expect(page.getByText('No items with your email address yet.')).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'Add Item' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Create New Item');
  },
);
