import type { Locator, Page } from '@playwright/test';
import { brokenRules } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { anyScreen, looks } from './form.ts';

const isPhone = (page: Page) => (page.viewportSize()?.width ?? 0) < 1024;
const toasts = (page: Page) => page.locator('.Toastify__toast');
const toast = (page: Page, text: string | RegExp) => toasts(page).filter({ hasText: text });
const deliver = (page: Page) => page.getByRole('button', { name: /^(Delivered|Sold Out)$/ });
const field = (page: Page) => page.getByLabel('Restock the items');
const update = (page: Page) => page.getByRole('button', { name: 'Update Stock' });

/** The number itself: the loudest thing on the screen. */
const number = (page: Page) => page.getByText('Available quantity').locator('xpath=following-sibling::p');

type Shelved = { id: string; name: string };
let made = 0;

/** A perfume of its own for each test, with so many on the shelf. */
async function perfume(page: Page, quantity: number): Promise<Shelved> {
  await page.request.post('/demo/sign-in', { data: {} });
  const name = `Essai ${process.pid}-${++made}`;
  const answer = await page.request.post('/new-inventory-item', {
    data: {
      name,
      price: 96.5,
      quantity: String(quantity),
      img: '/bottles/oud-clair.svg',
      description: 'Warm amber, sea salt and a thread of smoke on linen, for tests that count.',
      suplierName: 'Atelier Solène',
      email: 'demo@perfume.example',
    },
  });
  expect(answer.status()).toBe(201);
  return { id: (await answer.json())._id, name };
}

async function openItem(page: Page, quantity: number): Promise<Shelved> {
  const item = await perfume(page, quantity);
  await page.goto(`/dashboard/inventory/${item.id}`);
  await expect(number(page)).toHaveText(quantity.toLocaleString('en-US'));
  return item;
}

/** The kinds of the item's movements, oldest first, as its ledger has them. */
async function ledger(page: Page, id: string): Promise<string[]> {
  const movements = await (await page.request.get(`/inventory-items/${id}/movements?limit=200`)).json();
  return movements.map(({ kind, delta }: { kind: string; delta: number }) => `${kind} ${delta}`).reverse();
}

/** Which of these lie under the other, even in part. */
async function coveredBy(over: Locator, all: Locator[]): Promise<string[]> {
  const top = await over.boundingBox();
  const covered: string[] = [];
  for (const one of all) {
    const box = await one.boundingBox();
    if (!top || !box) throw new Error(`${one} is not there`);
    const apart =
      box.x + box.width <= top.x ||
      top.x + top.width <= box.x ||
      box.y + box.height <= top.y ||
      top.y + top.height <= box.y;
    if (!apart) covered.push(`${one}`);
  }
  return covered;
}

test.describe('the inventory update screen', () => {
  test('stands in the words of the spec', async ({ page }) => {
    const { id, name } = await openItem(page, 42);
    const table = page.getByRole('table', { name: `Stock of ${name}` });
    const heads = table.getByRole(isPhone(page) ? 'rowheader' : 'columnheader');
    await expect(heads).toHaveText(['Product Info', 'Price', 'Dealer Info', 'Stock Manage']);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
    for (const text of [id, '$ 96.50', 'USD', 'Atelier Solène', 'Sold Available'])
      await expect(table.getByText(text)).toBeVisible();
    const info = table.getByRole('cell').filter({ has: page.getByRole('heading') });
    await expect(info).toContainText('Available: 42');
    await expect(table.getByRole('button', { name: 'Delivered' })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Product information' })).toContainText('Warm amber, sea salt');
    await expect(field(page)).toHaveAttribute('placeholder', 'Enter imported stock number');
    await expect(field(page)).toHaveAttribute('inputmode', 'numeric');
    await expect(page.getByRole('main').getByRole('link', { name: 'Manage Inventory' })).toHaveAttribute(
      'href',
      '/dashboard/manage-inventory',
    );
    const loudest = await number(page).evaluate((one) => Number.parseFloat(getComputedStyle(one).fontSize));
    const heading = page.getByRole('heading', { level: 1 });
    expect(loudest).toBeGreaterThan(
      2 * (await heading.evaluate((one) => Number.parseFloat(getComputedStyle(one).fontSize))),
    );
  });

  test('leads back to the list as it was left', async ({ page }) => {
    test.skip(isPhone(page), 'the same on both');
    await perfume(page, 1);
    await page.goto('/dashboard/manage-inventory?q=essai&sort=name');
    await page.evaluate(() => sessionStorage.setItem('manage-inventory', '?q=essai&sort=name'));
    await openItem(page, 1);
    await page.getByRole('main').getByRole('link', { name: 'Manage Inventory' }).click();
    await expect(page).toHaveURL('/dashboard/manage-inventory?q=essai&sort=name');
  });

  test('shows that it is loading, what happened when it failed, and tries again', async ({ page, faults }) => {
    test.skip(isPhone(page), 'the same on both');
    faults.allow(/manage-inventory|Failed to load/);
    const { id } = await perfume(page, 7);
    let answer: 'wait' | 'fail' | 'work' = 'wait';
    await page.route('**/manage-inventory?_id=*', async (route) => {
      if (answer === 'work') return route.continue();
      if (answer === 'wait') await new Promise((resolve) => setTimeout(resolve, 400));
      await route.abort();
    });
    await page.goto(`/dashboard/inventory/${id}`);
    await expect(page.getByRole('main').getByRole('status').filter({ hasText: 'Loading...' })).toBeVisible();
    answer = 'fail';
    const alert = page.getByRole('main').getByRole('alert');
    await expect(alert).toContainText('The item could not be loaded.');
    await expect(alert).toContainText('could not be reached');
    answer = 'work';
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(number(page)).toHaveText('7');
  });

  test('says that there is no such item, and brings a deleted one back', anyScreen, async ({ page, faults }) => {
    faults.allow(/404|503/);
    const { id } = await perfume(page, 3);
    for (const unknown of ['no-such-thing', '0190a000-0000-7000-8000-000000000000']) {
      await page.goto(`/dashboard/inventory/${unknown}`);
      await expect(page.getByText('There is no item at this place on the shelf.')).toBeVisible();
      await expect(page.getByRole('main').getByRole('link', { name: 'Manage Inventory' })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Restore' })).toHaveCount(0);
    }
    await page.request.delete(`/inventory-items/${id}`);
    let isDown = true;
    await page.route('**/movements?*', (route) => (isDown ? route.fulfill({ status: 503 }) : route.continue()));
    await page.goto(`/dashboard/inventory/${id}`);
    await expect(page.getByRole('alert')).toContainText('Could not check whether it was deleted');
    isDown = false;
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await expect(page.getByText('This item has been deleted.')).toBeVisible();
    await page.getByRole('button', { name: 'Restore' }).click();
    await expect(number(page)).toHaveText('3');
  });
});

test.describe('Delivered', () => {
  test('takes one at each click, ten clicks in one breath take ten, and one Undo brings all ten back', async ({
    page,
  }) => {
    // The toasts' code comes late, so all ten have something to say at once.
    await page.route('**/toast-host*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      await route.continue();
    });
    const { id, name } = await openItem(page, 12);
    await deliver(page).evaluate((button: HTMLButtonElement) => {
      for (let click = 0; click < 10; click++) button.click();
    });
    await expect(number(page)).toHaveText('2');
    await expect(toast(page, `Delivered 10 × ${name}`)).toBeVisible();
    await expect(toast(page, 'Delivered')).toHaveCount(1);
    expect(await ledger(page, id)).toEqual(['opening 12', ...Array(10).fill('deliver -1')]);
    await toast(page, 'Delivered').getByRole('button', { name: 'Undo' }).click();
    await expect(number(page)).toHaveText('12');
    await expect(toast(page, `Undone: delivery of 10 × ${name}`)).toBeVisible();
    expect((await ledger(page, id)).slice(11)).toEqual(Array(10).fill('undo 1'));

    // Whatever follows is told in the same place, and nothing one needs lies under it.
    await deliver(page).click();
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+Shift+z');
    await expect(toasts(page)).toHaveText([new RegExp(`^Done again: delivery of 1 × ${name}Undo`)]);
    await expect(page.getByText('from another screen')).toHaveCount(0);
    expect(await coveredBy(toasts(page), [number(page), deliver(page), page.getByRole('banner')])).toEqual([]);
    await toasts(page).getByRole('button', { name: 'Undo' }).press('Enter');
    await expect(toasts(page).getByRole('button', { name: 'Redo' })).toBeFocused();
    await expect(number(page)).toHaveText('12');
    await page.reload();
    await expect(number(page)).toHaveText('12');
  });

  test('by a double click is two, by a key held down is one', anyScreen, async ({ page }) => {
    const { id } = await openItem(page, 9);
    await deliver(page).dblclick();
    await expect(number(page)).toHaveText('7');
    await deliver(page).focus();
    for (let beat = 0; beat < 5; beat++) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await expect(number(page)).toHaveText('6');
    await expect.poll(() => ledger(page, id)).toEqual(['opening 9', 'deliver -1', 'deliver -1', 'deliver -1']);
  });

  test('ends at none: then it says why nothing happens', anyScreen, async ({ page }) => {
    const { id } = await openItem(page, 1);
    await deliver(page).click();
    await expect(number(page)).toHaveText('0');
    await expect(page.getByText('Sold out', { exact: true })).toBeVisible();
    await expect(deliver(page)).toHaveText('Sold Out');
    await deliver(page).click();
    const refusal = toast(page, isPhone(page) ? 'No Items In stock' : "Item's out of stock");
    await expect(refusal).toHaveAttribute('role', 'alert');
    await deliver(page).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expect(refusal).toHaveCount(1);
    await expect(number(page)).toHaveText('0');
    expect(await ledger(page, id)).toEqual(['opening 1', 'deliver -1']);
  });

  test('whose answer got lost is not taken twice', async ({ page, faults }) => {
    test.skip(isPhone(page), 'the same on both');
    faults.allow(/failed request: PUT|ERR_CONNECTION_RESET/);
    const { id } = await openItem(page, 5);
    const keys: (string | undefined)[] = [];
    await page.route('**/inventory-items/*', async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      const answer = await route.fetch();
      return keys.length === 1 ? route.abort('connectionreset') : route.fulfill({ response: answer });
    });
    await deliver(page).click();
    await expect(toast(page, /^Delivered 1/)).toBeVisible();
    await expect(number(page)).toHaveText('4');
    expect(keys).toHaveLength(2);
    expect(keys[1]).toBe(keys[0]);
    expect(await ledger(page, id)).toEqual(['opening 5', 'deliver -1']);
  });

  test('that is refused goes back and says why', async ({ page, faults }) => {
    test.skip(isPhone(page), 'the same on both');
    faults.allow(/503/);
    const { id, name } = await openItem(page, 5);
    await page.route('**/inventory-items/*', (route) =>
      route.fulfill({ status: 503, json: { code: 'unavailable', detail: 'No' } }),
    );
    await deliver(page).click();
    await expect(number(page)).toHaveText('4');
    await expect(toast(page, `${name} was not delivered. The warehouse is busy.`)).toBeVisible();
    await expect(number(page)).toHaveText('5');
    expect(await ledger(page, id)).toEqual(['opening 5']);
  });
});

test.describe('Restock the items', () => {
  test('asks for a plain whole number above zero', anyScreen, async ({ page }) => {
    const { id } = await openItem(page, 42);
    const wrong: [entered: string, said: string][] = [
      ['', 'Please input stock number'],
      ['0', 'Input a positive value'],
      ['-5', 'Input a positive value'],
      ['2.5', 'Enter a whole number of 1 or more'],
      ['1,234', 'Enter a whole number of 1 or more'],
      ['1000000000', 'At most 999,999,958 more fit.'],
    ];
    const refusals = /input|Input|Enter|more fit/;
    await expect(field(page)).toHaveAccessibleDescription(/^A whole number of 1 or more/);
    for (const [entered, said] of wrong) {
      await field(page).fill(entered);
      await update(page).click();
      await expect(toast(page, said)).toBeVisible();
      await expect(toast(page, refusals)).toHaveCount(1);
      await expect(field(page)).toHaveAttribute('aria-invalid', 'true');
      await expect(field(page)).toHaveAccessibleDescription(
        /^(Enter a whole number of 1 or more|.*At most 999,999,958)/,
      );
      await expect(field(page)).toBeFocused();
      await expect(field(page)).toHaveValue(entered);
    }
    await expect(number(page)).toHaveText('42');
    expect(await ledger(page, id)).toEqual(['opening 42']);
  });

  test('adds to what is on the shelf, clears the field, and can be undone', async ({ page }) => {
    const { id, name } = await openItem(page, 0);
    await field(page).fill('8');
    await page.keyboard.press('Enter');
    await expect(number(page)).toHaveText('8');
    await expect(field(page)).toHaveValue('');
    await expect(deliver(page)).toHaveText('Delivered');
    await expect(toast(page, `Restocked 8 × ${name}`)).toBeVisible();
    await toast(page, 'Restocked').getByRole('button', { name: 'Undo' }).click();
    await expect(number(page)).toHaveText('0');
    expect(await ledger(page, id)).toEqual(['opening 0', 'restock 8', 'undo -8']);
  });

  test('by a double click adds once, and keeps what was typed when it is refused', async ({ page, faults }) => {
    test.skip(isPhone(page), 'the same on both');
    faults.allow(/500/);
    const { id, name } = await openItem(page, 2);
    await field(page).fill('30');
    // Slow enough for the answer to come between the two clicks.
    await update(page).dblclick({ delay: 150 });
    await expect(number(page)).toHaveText('32');
    await expect(toast(page, 'Please input stock number')).toHaveCount(0);
    await page.route('**/inventory-items/*', (route) => route.fulfill({ status: 500, json: { code: 'internal' } }));
    await field(page).fill('4');
    await update(page).click();
    await expect(toast(page, `${name} was not restocked.`)).toBeVisible();
    await expect(number(page)).toHaveText('32');
    await expect(field(page)).toHaveValue('4');
    expect(await ledger(page, id)).toEqual(['opening 2', 'restock 30']);
  });
});

test.describe('Delete', () => {
  const ask = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Delete' }).click();
  const question = (page: Page) => page.getByRole('alertdialog');
  const exists = async (page: Page, { id }: Shelved) =>
    (await (await page.request.get(`/manage-inventory?_id=${id}`)).json()).length === 1;

  test('asks first and does nothing if declined', async ({ page }) => {
    const item = await openItem(page, 3);
    await ask(page);
    await expect(question(page)).toContainText('Are you sure? You want to delete!');
    await question(page).getByRole('button', { name: 'Cancel' }).click();
    await expect(question(page)).toBeHidden();
    await ask(page);
    await page.keyboard.press('Escape');
    await expect(question(page)).toBeHidden();
    await expect(page.getByRole('main').getByRole('button', { name: 'Delete' })).toBeFocused();
    await expect(number(page)).toHaveText('3');
    expect(await exists(page, item)).toBe(true);
  });

  test('leads to the list, and Undo brings the item back', async ({ page }) => {
    const item = await openItem(page, 3);
    await ask(page);
    await question(page).getByRole('button', { name: 'Delete' }).click();
    await expect(page).toHaveURL(/\/dashboard\/manage-inventory/);
    const done = toast(page, `${item.name} was deleted.`);
    await expect(done).toBeVisible();
    expect(await exists(page, item)).toBe(false);
    await done.getByRole('button', { name: 'Undo' }).click();
    await expect(toast(page, `${item.name} is back.`)).toBeVisible();
    expect(await exists(page, item)).toBe(true);
    await page.goBack();
    await expect(number(page)).toHaveText('3');
  });

  test('that is refused says why', async ({ page, faults }) => {
    test.skip(isPhone(page), 'the same on both');
    faults.allow(/500/);
    const item = await openItem(page, 3);
    await page.route('**/inventory-items/*', (route) => route.fulfill({ status: 500, json: { code: 'internal' } }));
    await ask(page);
    await question(page).getByRole('button', { name: 'Delete' }).click();
    await expect(toast(page, `${item.name} was not deleted. Something went wrong.`)).toBeVisible();
    await page.goBack();
    await expect(number(page)).toHaveText('3');
  });
});

test.describe('everybody can use it', () => {
  for (const [language, scheme] of looks)
    test(`axe finds nothing, ${scheme}, ${language}`, async ({ page, context, baseURL }) => {
      await context.addCookies([{ name: 'language', value: language, url: baseURL ?? '' }]);
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      const { id } = await perfume(page, 1);
      await page.goto(`/dashboard/inventory/${id}`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      if (scheme === 'light' && language === 'en') expect(await brokenRules(page)).toEqual([]);
      const main = page.getByRole('main');
      await main.getByRole('table').first().getByRole('button').click();
      await main.getByRole('table').first().getByRole('button').click();
      await expect(page.locator('.Toastify__toast--error')).toBeVisible();
      await page.locator('[inputmode=numeric]').press('Enter');
      await expect(page.locator('[inputmode=numeric]')).toHaveAttribute('aria-invalid', 'true');
      expect(await brokenRules(page)).toEqual([]);
    });

  test('nothing is cut off or too small to hit at 320 px', async ({ page }) => {
    test.skip(!isPhone(page), 'about phones');
    await openItem(page, 1_000_000);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    for (const control of await page.getByRole('main').locator('a, button, input').all()) {
      const box = await control.boundingBox();
      expect(box?.height).toBeGreaterThanOrEqual(44);
    }
  });
});
