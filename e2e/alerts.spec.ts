import type { Browser, BrowserContext, Page } from '@playwright/test';
import { axeViolations } from './axe.ts';
import { verify } from './email-link.ts';
import { expect, test } from './fixtures.ts';
import { anyScreen, appearances, oneScreenFor, phoneOnly } from './form.ts';
import { scan } from './hand-scanner.ts';
import { addItems, isPhone, toast } from './inventory-helpers.ts';
import { expectToFitAt } from './screens.ts';

const PASSWORD = 'quiet otter lamp 7';
let dealerCount = 0;
let itemCount = 0;

type Email = { to: string; subject: string; text: string; links: string[] };

async function emailsTo(page: Page, email: string, subject: RegExp): Promise<Email[]> {
  const emails: Email[] = await (
    await page.request.get('/demo/outbox', { headers: { accept: 'application/json' } })
  ).json();
  return emails.filter((message) => message.to === email && subject.test(message.subject));
}

/** Signs up and logs in a verified dealer for one test, so that only the items of this test cause alerts. */
async function signUpDealer(page: Page): Promise<string> {
  const email = `nour-${Date.now()}-${process.pid}-${++dealerCount}@example.com`;
  await page.request.post('/api/auth/sign-up/email', { data: { name: 'Nour Haddad', email, password: PASSWORD } });
  await expect.poll(async () => (await emailsTo(page, email, /^Verify/)).length).toBe(1);
  const [message] = await emailsTo(page, email, /^Verify/);
  await verify(page.request, message?.links[0] ?? '');
  return email;
}

async function createItem(page: Page, email: string, quantity: number): Promise<{ id: string; name: string }> {
  const name = `Ambre ${process.pid}-${++itemCount}`;
  const [id = ''] = await addItems(page.request, [{ name, quantity, email }]);
  return { id, name };
}

function deliver(page: Page, id: string, units: number) {
  return page.request.post(`/inventory-items/${id}/movements`, { data: { kind: 'deliver', units } });
}

const bell = (page: Page) => page.getByRole('button', { name: /^Alerts: / });
const panel = (page: Page) => page.getByRole('dialog', { name: 'Low stock' });
const saved = (page: Page) => page.getByRole('status').filter({ hasText: 'Saved' });

test(
  'a delivery that reaches the reorder point rings the bell once, until the alert is seen',
  phoneOnly,
  async ({ page }) => {
    const email = await signUpDealer(page);
    const { id, name } = await createItem(page, email, 12);
    // What is there when the bell first looks is not announced, and on a slow machine it looks late.
    const looked = page.waitForResponse(/\/alerts\?/);
    await page.goto(`/dashboard/inventory/${id}`);
    await looked;
    await expect(bell(page)).toHaveAccessibleName('Alerts: nothing new');
    for (let i = 0; i < 3; i++) await page.getByRole('button', { name: 'Delivered', exact: true }).click();
    await expect(toast(page, `${name} is low on stock: `)).toBeVisible();
    await expect(bell(page)).toHaveAccessibleName('Alerts: 1 new');
    const { movement } = await (await deliver(page, id, 9)).json();
    await expect(toast(page, `${name} is out of stock`)).toBeVisible();
    await expect(bell(page)).toHaveAccessibleName('Alerts: 1 new');

    await bell(page).press('Enter');
    const alerts = panel(page).getByRole('listitem');
    await expect(alerts).toHaveText([/New.*Out of stock/]);
    await page.request.post(`/movements/${movement.id}/undo`);
    await expect(alerts).toHaveText([/New.*Low stock9 left/]);
    await panel(page).getByRole('button', { name: 'Mark all as seen' }).press('Enter');
    await expect(bell(page)).toHaveAccessibleName('Alerts: nothing new');
    await expect(panel(page).getByText('New')).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(panel(page)).toBeHidden();
    await expect(bell(page)).toBeFocused();

    await page.goto('/dashboard/admin/home');
    await expect(bell(page)).toHaveAccessibleName('Alerts: nothing new');
    await bell(page).click();
    await panel(page).getByRole('link', { name }).first().click();
    await expect(page).toHaveURL(`/dashboard/inventory/${id}`);
    await expect(panel(page)).toBeHidden();
  },
);

test(
  'the bell says when there are no alerts and when they cannot be loaded',
  anyScreen,
  async ({ page, browserErrors }) => {
    await signUpDealer(page);
    await page.goto('/dashboard/admin/home');
    await bell(page).click();
    await expect(panel(page).getByText('No alerts.')).toBeVisible();
    await expect(panel(page).getByRole('button', { name: 'Mark all as seen' })).toBeHidden();

    browserErrors.allow(/503|422/);
    await page.route('**/alerts?*', (route) => route.fulfill({ status: 422, json: { code: 'invalid_query' } }));
    await page.reload();
    await bell(page).click();
    await expect(panel(page).getByText('Could not load the alerts.')).toBeVisible();
    await page.unroute('**/alerts?*');
    await panel(page).getByRole('button', { name: 'Try again' }).click();
    await expect(panel(page).getByText('No alerts.')).toBeVisible();
  },
);

test('earlier alerts stay open when a new one comes', anyScreen, async ({ page }) => {
  const email = await signUpDealer(page);
  const { id, name } = await createItem(page, email, 11);
  const many = Array.from({ length: 44 }, (_, n) => ({ name: `Cuir ${n}`, quantity: 11, email }));
  await Promise.all((await addItems(page.request, many)).map((one) => deliver(page, one, 1)));
  await page.goto('/dashboard/admin/home');
  await bell(page).click();
  const alerts = panel(page).getByRole('listitem');
  await expect(alerts).toHaveCount(20);
  await panel(page).getByRole('button', { name: 'Show earlier alerts' }).click();
  await expect(alerts).toHaveCount(40);
  await panel(page).getByRole('button', { name: 'Show earlier alerts' }).click();
  await expect(alerts).toHaveCount(44);
  await deliver(page, id, 1);
  await expect(toast(page, `${name} is low on stock: 10 left`)).toBeVisible();
  await expect(alerts).toHaveCount(45);
});

test('alert settings are saved, and an immediate email is sent to those who chose it', anyScreen, async ({ page }) => {
  const email = await signUpDealer(page);
  await page.goto('/dashboard/admin/home');
  if (isPhone(page)) await page.goto('/dashboard/settings');
  else await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page).toHaveTitle('Settings · Perfume Warehouse');
  await page.getByRole('radio', { name: 'Immediately' }).check();
  await expect(saved(page)).toBeVisible();
  await page.getByRole('radio', { name: 'All items' }).check();
  await expect(saved(page)).toHaveCount(2);
  await page.reload();
  await expect(page.getByRole('radio', { name: 'Immediately' })).toBeChecked();
  await expect(page.getByRole('radio', { name: 'All items' })).toBeChecked();

  await page.getByRole('radio', { name: 'My items' }).check();
  await expect(saved(page)).toBeVisible();
  const { id, name } = await createItem(page, email, 11);
  await deliver(page, id, 4);
  await expect.poll(async () => (await emailsTo(page, email, /is low/)).length).toBe(1);
  const [message] = await emailsTo(page, email, /is low/);
  expect(message?.subject).toBe(`${name} is low on stock: 7 left · Perfume Warehouse`);
  await page.goto(new URL(message?.links[0] ?? '').pathname);
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
});

test('the reorder point of the warehouse applies to everybody', anyScreen, async ({ page }) => {
  const email = await signUpDealer(page);
  await createItem(page, email, 12);
  await page.goto('/dashboard/settings');
  const field = page.getByLabel('Reorder point');
  await field.fill('-3');
  await field.press('Enter');
  await expect(page.getByText('Enter a whole number from 0 to 1000000000, without commas or dots')).toBeVisible();
  await expect(field).toBeFocused();
  try {
    await field.fill('15');
    await field.press('Enter');
    await expect(saved(page)).toBeVisible();
    await expect(field).toBeFocused();
    await expect(page.getByText('Enter a whole number')).toBeHidden();
    await page.reload();
    await expect(field).toHaveValue('15');
    const low = await (await page.request.get(`/all-inventory-items?stock=low&limit=200`)).json();
    expect(low.some((item: { email: string }) => item.email === email)).toBe(true);
    // The new reorder point makes the stock low.
    await expect(bell(page)).toHaveAccessibleName('Alerts: 1 new');
    // The change is in the history, and can be undone there and in the message.
    await page.goto('/dashboard/history?kind=settings');
    await page.getByRole('button', { name: 'Undo: Settings changed, Warehouse' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click();
    await expect(toast(page, 'Undone: change of the reorder point')).toBeVisible();
    await page.goto('/dashboard/settings');
    await expect(field).toHaveValue('10');
    await field.fill('15');
    await field.press('Enter');
    await toast(page, 'The reorder point of the warehouse is now 15.').getByRole('button', { name: 'Undo' }).click();
    await expect(toast(page, 'Undone: change of the reorder point')).toBeVisible();
    expect(await (await page.request.get('/settings')).json()).toMatchObject({ reorderPoint: 10 });
  } finally {
    await page.request.put('/settings', { data: { reorderPoint: 10 } });
  }
});

test('an item uses the reorder point of the warehouse or its own', anyScreen, async ({ page }) => {
  const { id, name } = await createItem(page, await signUpDealer(page), 12);
  await page.goto(`/dashboard/inventory/${id}`);
  const part = page.getByRole('region', { name: 'Reorder point' });
  await expect(part).toContainText('Low stock at 10 units or fewer (warehouse setting)');
  await part.getByRole('button', { name: 'Change' }).click();
  const field = part.getByLabel('Reorder point', { exact: true });
  await expect(field).toBeFocused();
  await field.fill('2.5');
  await field.press('Enter');
  await expect(part.getByText('Enter a whole number')).toBeVisible();
  await field.fill('20');
  await field.press('Enter');
  await expect(toast(page, `The reorder point of ${name} was saved.`)).toBeVisible();
  await expect(part).toContainText('Low stock at 20 units or fewer');
  await expect(part.getByRole('button', { name: 'Change' })).toBeFocused();
  await part.getByRole('button', { name: 'Change' }).click();
  await field.press('Escape');
  await part.getByRole('button', { name: 'Change' }).click();
  await part.getByRole('button', { name: 'Use the warehouse setting' }).click();
  await expect(part).toContainText('Low stock at 10 units or fewer (warehouse setting)');
});

test(
  'name and password can be changed, with messages beside their fields',
  anyScreen,
  async ({ page, browser, baseURL, browserErrors }) => {
    browserErrors.allow(/400/);
    const email = await signUpDealer(page);
    const other = await loggedIn(browser, email, baseURL);
    await page.goto('/dashboard/settings');
    const signIns = page.getByRole('list', { name: 'Active sessions' }).getByRole('listitem');
    await expect(signIns).toHaveCount(2);
    const name = page.getByRole('region', { name: 'My account' }).getByLabel('Name', { exact: true });
    await name.fill('Nour El Haddad');
    await name.press('Enter');
    await expect(toast(page, 'Your name was saved.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Account: Nour El Haddad' })).toBeVisible();

    const change = page.getByRole('button', { name: 'Change password' });
    await page.getByLabel('Current password').fill('not this one');
    await page.getByRole('button', { name: 'Show password' }).last().click();
    await page.getByLabel('New password').focus();
    // Password managers type as fast as a scanner.
    await scan(page, 'a much longer phrase 9');
    await expect(page.getByText('This is not your current password.')).toBeVisible();
    await page.getByLabel('Current password').fill(PASSWORD);
    await change.click();
    await expect(toast(page, /^Your password was changed/)).toBeVisible();
    // Changing the password logs out every other browser.
    await expect(signIns).toHaveCount(1);
    await expect(page.getByLabel('Current password')).toHaveValue('');
    const again = await page.request.post('/api/auth/sign-in/email', {
      data: { email, password: 'a much longer phrase 9' },
    });
    expect(again.ok()).toBe(true);
    await other.close();
  },
);

test('active sessions are listed and can be ended', anyScreen, async ({ page, browser, baseURL, browserErrors }) => {
  browserErrors.allow(/500/);
  const email = await signUpDealer(page);
  const [first, second, third, fourth] = [
    await loggedIn(browser, email, baseURL),
    await loggedIn(browser, email, baseURL),
    await loggedIn(browser, email, baseURL),
    await loggedIn(browser, email, baseURL),
  ];
  const isIn = async ({ request }: BrowserContext) =>
    (await (await request.get('/api/auth/get-session')).json()) !== null;
  let requested = 0;
  await page.route('**/api/auth/list-sessions', (route) => {
    requested++;
    return route.fulfill({ status: 500 });
  });
  await page.goto('/dashboard/settings');
  const failed = page.getByRole('alert').filter({ hasText: 'Could not load your active sessions.' });
  await failed.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => requested).toBeGreaterThan(1);
  await page.unrouteAll();
  const list = page.getByRole('list', { name: 'Active sessions' });
  const rows = list.getByRole('listitem');
  // The list is also reloaded when the live connection starts, so 'Try again' may already be gone.
  const retry = failed.getByRole('button', { name: 'Try again' });
  await expect(async () => {
    if (await retry.isVisible()) await retry.click({ timeout: 1_000 });
    await expect(rows).toHaveCount(5, { timeout: 1_000 });
  }).toPass();
  await page.route('**/api/auth/revoke-session', (route) => route.fulfill({ status: 500 }));
  const end = list.getByRole('button', { name: /^Log out / }).first();
  await end.click();
  await expect(toast(page, /^Could not log out/)).toBeVisible();
  await page.unrouteAll();
  // A session that has logged out disappears from the list when the user returns to the tab.
  await fourth.request.post('/api/auth/sign-out');
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
  await expect(rows).toHaveCount(4);
  await expect(rows.filter({ hasText: 'This browser' })).toHaveCount(1);
  await end.click();
  await expect(toast(page, 'was logged out.')).toBeVisible();
  await expect(rows).toHaveCount(3);
  await expect(list).toBeFocused();
  expect([await isIn(first), await isIn(second), await isIn(third)]).toEqual([true, true, false]);
  await page.getByRole('button', { name: 'Log out everywhere else' }).click();
  await expect(toast(page, 'You were logged out everywhere else.')).toBeVisible();
  await expect(rows).toHaveCount(1);
  expect([await isIn(first), await isIn(second)]).toEqual([false, false]);
  for (const context of [first, second, third, fourth]) await context.close();
});

test(
  'an API key is shown once, works for a script, and ends when it is revoked',
  anyScreen,
  async ({ page, baseURL }) => {
    await signUpDealer(page);
    await page.goto('/dashboard/settings');
    await expect(page.getByText('You have no API keys.')).toBeVisible();
    const form = page.locator('form', { hasText: 'New key' });
    await form.getByLabel('Name').fill('Scanner 2');
    await form.getByLabel('Read and move stock').check();
    await form.getByRole('button', { name: 'Make key' }).click();
    const key = await page.getByLabel('Key', { exact: true }).inputValue();
    const status = async () =>
      (await fetch(`${baseURL}/all-inventory-items?limit=1`, { headers: { authorization: `Bearer ${key}` } })).status;
    expect(await status()).toBe(200);
    await page.getByRole('button', { name: 'Copy key' }).click();
    await expect(toast(page, 'Key copied.')).toBeVisible();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.reload();
    const row = page.getByRole('list', { name: 'API keys' }).getByRole('listitem');
    await expect(row).toHaveText(/Scanner 2Read and move stockWorks until .*Last used: /);
    await row.getByRole('button', { name: 'Revoke Scanner 2' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await expect(toast(page, '“Scanner 2” was revoked.')).toBeVisible();
    await expect(page.getByText('You have no API keys.')).toBeVisible();
    expect(await status()).toBe(401);
  },
);

async function loggedIn(browser: Browser, email: string, baseURL: string | undefined): Promise<BrowserContext> {
  const context = await browser.newContext({ ...(baseURL !== undefined && { baseURL }) });
  const response = await context.request.post('/api/auth/sign-in/email', { data: { email, password: PASSWORD } });
  expect(response.ok()).toBe(true);
  return context;
}

for (const [language, colorScheme] of appearances)
  test(
    `settings and alerts are accessible and fit in ${language}, ${colorScheme}`,
    oneScreenFor(colorScheme),
    async ({ page, context, baseURL }) => {
      const email = await signUpDealer(page);
      const [low, out, recovered] = [
        await createItem(page, email, 30),
        await createItem(page, email, 30),
        await createItem(page, email, 30),
      ];
      await deliver(page, low.id, 22);
      for (const { id } of [out, recovered]) await deliver(page, id, 30);
      await page.request.post(`/inventory-items/${recovered.id}/movements`, { data: { kind: 'restock', units: 40 } });
      await context.addCookies([{ name: 'language', value: language, url: baseURL ?? '' }]);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.goto('/dashboard/settings');
      await expect(page.getByRole('radio').first()).toBeVisible();
      await expectToFitAt(page, isPhone(page) ? 320 : 1366);
      await page.getByRole('button', { name: /^(Alerts|التنبيهات): / }).click();
      await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(3);
      expect(await axeViolations(page)).toEqual([]);
    },
  );
