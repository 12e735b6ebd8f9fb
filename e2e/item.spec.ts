import type { Locator, Page } from '@playwright/test';
import { axeViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { anyScreen, appearances, axeWidths } from './form.ts';
import { scan } from './hand-scanner.ts';
import { logInAsDealer, navigateInApp, uniqueWord } from './inventory-helpers.ts';
import { expectLargeEnough, expectToFitAt } from './screens.ts';

const isPhone = (page: Page) => (page.viewportSize()?.width ?? 0) < 1024;
const toasts = (page: Page) => page.locator('.Toastify__toast');
const toast = (page: Page, text: string | RegExp) => toasts(page).filter({ hasText: text });
const deliverButton = (page: Page) => page.getByRole('button', { name: /^(Delivered|Sold Out)$/ });
const restockField = (page: Page) => page.getByLabel('Restock the items');
const updateButton = (page: Page) => page.getByRole('button', { name: 'Update Stock' });
const deleteButton = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Delete' });
const confirmation = (page: Page) => page.getByRole('alertdialog');

/** The large quantity on the screen. */
const shownQuantity = (page: Page) => page.getByText('Available quantity').locator('xpath=following-sibling::p');

type TestItem = { id: string; name: string; word: string };

/** Creates an item for one test, with the given quantity. */
async function createItem(page: Page, quantity: number, sku = ''): Promise<TestItem> {
  await logInAsDealer(page.request);
  const word = uniqueWord();
  const name = `Essai ${word}`;
  const response = await page.request.post('/new-inventory-item', {
    data: {
      name,
      price: 96.5,
      quantity: String(quantity),
      img: '/bottles/oud-clair.svg',
      description: 'Warm amber, sea salt and a thread of smoke on linen, for tests that count.',
      suplierName: 'Atelier Solène',
      email: 'demo@perfume.example',
      ...(sku !== '' && { sku }),
    },
  });
  expect(response.status()).toBe(201);
  return { id: (await response.json())._id, name, word };
}

const exists = async (page: Page, { id }: TestItem) =>
  (await (await page.request.get(`/manage-inventory?_id=${id}`)).json()).length === 1;

/** Returns the item's movements in the ledger, oldest first, each as a text such as "deliver -1". */
async function ledger(page: Page, id: string): Promise<string[]> {
  const movements = await (await page.request.get(`/inventory-items/${id}/movements?limit=200`)).json();
  return movements.map(({ kind, delta }: { kind: string; delta: number }) => `${kind} ${delta}`).reverse();
}

/** Returns which of the elements in `all` are covered by `over`, even in part. */
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

test('an item can be delivered, restocked and deleted as in the spec, and all of it undone', async ({ page }) => {
  test.slow();
  // Enough units that ten deliveries do not make the stock low, which would show another toast.
  const item = await createItem(page, 21);
  const { id, name, word } = item;
  const list = `/dashboard/manage-inventory?q=${word}&sort=name`;
  // The code of the toasts is delayed, so that the toasts of ten clicks are shown at once.
  let sendToasts = () => {};
  const clicked = new Promise<void>((resolve) => {
    sendToasts = resolve;
  });
  await page.route('**/toast-host*', async (route) => {
    await clicked;
    await route.continue();
  });
  await page.goto(list);
  await page.getByRole('link', { name, exact: true }).click();
  await expect(shownQuantity(page)).toHaveText('21');

  await test.step('the page has the texts of the spec', async () => {
    const table = page.getByRole('table', { name: `Stock of ${name}` });
    const heads = table.getByRole(isPhone(page) ? 'rowheader' : 'columnheader');
    await expect(heads).toHaveText(['Product Info', 'Price', 'Dealer Info', 'Stock Manage']);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
    for (const text of [id, '$ 96.50', 'USD', 'Atelier Solène', 'Sold Available'])
      await expect(table.getByText(text)).toBeVisible();
    const info = table.getByRole('cell').filter({ has: page.getByRole('heading') });
    await expect(info).toContainText('Available: 21');
    await expect(table.getByRole('button', { name: 'Delivered' })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Product information' })).toContainText('Warm amber, sea salt');
    await expect(restockField(page)).toHaveAttribute('placeholder', 'Enter imported stock number');
    await expect(restockField(page)).toHaveAttribute('inputmode', 'numeric');
    const size = (one: Locator) => one.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
    expect(await size(shownQuantity(page))).toBeGreaterThan(2 * (await size(page.getByRole('heading', { level: 1 }))));
  });

  await test.step('ten quick clicks deliver ten, and one Undo takes all ten back', async () => {
    await deliverButton(page).evaluate((button: HTMLButtonElement) => {
      for (let click = 0; click < 10; click++) button.click();
    });
    await expect(shownQuantity(page)).toHaveText('11');
    sendToasts();
    await expect(toast(page, `Delivered 10 × ${name}`)).toBeVisible();
    await expect(toast(page, 'Delivered')).toHaveCount(1);
    await expect.poll(() => ledger(page, id)).toEqual(['opening 21', ...Array(10).fill('deliver -1')]);
    await toast(page, 'Delivered').getByRole('button', { name: 'Undo' }).click();
    await expect(shownQuantity(page)).toHaveText('21');
    await expect(toast(page, `Undone: delivery of 10 × ${name}`)).toBeVisible();
    await expect.poll(async () => (await ledger(page, id)).slice(11)).toEqual(Array(10).fill('undo 1'));
  });

  await test.step('later messages replace the toast and cover no controls', async () => {
    await deliverButton(page).click();
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+Shift+z');
    await expect(toasts(page)).toHaveText([new RegExp(`^Redone: delivery of 1 × ${name}Undo`)]);
    await expect(page.getByText('from another screen')).toHaveCount(0);
    await expect
      .poll(() => coveredBy(toasts(page), [shownQuantity(page), deliverButton(page), page.getByRole('banner')]))
      .toEqual([]);
    await toasts(page).getByRole('button', { name: 'Undo' }).press('Enter');
    await expect(toasts(page).getByRole('button', { name: 'Redo' })).toBeFocused();
    await expect(shownQuantity(page)).toHaveText('21');
  });

  await test.step('the back link leads to the list as it was left, also after a reload', async () => {
    await page.reload();
    await expect(shownQuantity(page)).toHaveText('21');
    await page.getByRole('main').getByRole('link', { name: 'Manage Inventory' }).click();
    await expect(page).toHaveURL(list);
    await page.getByRole('link', { name, exact: true }).click();
    await expect(shownQuantity(page)).toHaveText('21');
  });

  await test.step('Delete asks first and does nothing if declined', async () => {
    await deleteButton(page).click();
    await expect(confirmation(page)).toContainText('Are you sure? You want to delete!');
    await confirmation(page).getByRole('button', { name: 'Cancel' }).click();
    await expect(confirmation(page)).toBeHidden();
    await deleteButton(page).click();
    await page.keyboard.press('Escape');
    await expect(confirmation(page)).toBeHidden();
    await expect(deleteButton(page)).toBeFocused();
    await expect(shownQuantity(page)).toHaveText('21');
    await expect.poll(() => exists(page, item)).toBe(true);
  });

  await test.step('Delete leads to the list, and Undo brings the item back', async () => {
    await deleteButton(page).click();
    await confirmation(page).getByRole('button', { name: 'Delete' }).click();
    await expect(page).toHaveURL(list);
    const done = toast(page, `${name} was deleted.`);
    await expect(done).toBeVisible();
    await expect.poll(() => exists(page, item)).toBe(false);
    await done.getByRole('button', { name: 'Undo' }).click();
    await expect(toast(page, `${name} was restored.`)).toBeVisible();
    await expect.poll(() => exists(page, item)).toBe(true);
    await page.goBack();
    await expect(shownQuantity(page)).toHaveText('21');
  });

  await test.step('Delivered stops at zero and says why, even before the last delivery is confirmed', async () => {
    let confirmDeliveries = () => {};
    const refused = new Promise<void>((resolve) => {
      confirmDeliveries = resolve;
    });
    await page.route(`**/inventory-items/${id}`, async (route) => {
      await refused;
      await route.continue();
    });
    await deliverButton(page).evaluate((button: HTMLButtonElement) => {
      for (let click = 0; click < 21; click++) button.click();
    });
    await expect(shownQuantity(page)).toHaveText('0');
    await expect(page.getByText('Sold out', { exact: true })).toBeVisible();
    await expect(deliverButton(page)).toHaveText('Sold Out');
    await deliverButton(page).click();
    const refusal = toast(page, isPhone(page) ? 'No Items In stock' : "Item's out of stock");
    await expect(refusal).toHaveAttribute('role', 'alert');
    confirmDeliveries();
    await expect(toast(page, `Delivered 21 × ${name}`).getByRole('button', { name: 'Undo' })).toBeVisible();
    await expect(refusal).toBeVisible();
    await expect
      .poll(() => coveredBy(toasts(page).last(), [shownQuantity(page), deliverButton(page), page.getByRole('banner')]))
      .toEqual([]);
    await page.unroute(`**/inventory-items/${id}`);
    await deliverButton(page).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expect(refusal).toHaveCount(1);
    await expect(shownQuantity(page)).toHaveText('0');
  });

  await test.step('a restock adds to the quantity, clears the field, and can be undone', async () => {
    const before = await ledger(page, id);
    expect(before.slice(-21)).toEqual(Array(21).fill('deliver -1'));
    await restockField(page).fill('8');
    await page.keyboard.press('Enter');
    await expect(shownQuantity(page)).toHaveText('8');
    await expect(restockField(page)).toHaveValue('');
    await expect(deliverButton(page)).toHaveText('Delivered');
    await expect(toast(page, `Restocked 8 × ${name}`)).toBeVisible();
    await toast(page, 'Restocked').getByRole('button', { name: 'Undo' }).click();
    await expect(shownQuantity(page)).toHaveText('0');
    await expect.poll(() => ledger(page, id)).toEqual([...before, 'restock 8', 'undo -8']);
  });
});

test(
  'each click counts once, and a refusal changes nothing and says why',
  anyScreen,
  async ({ page, browserErrors }) => {
    test.slow();
    browserErrors.allow(/failed request: PUT|ERR_CONNECTION_RESET|500|404 .*\/codes\//);
    const item = await createItem(page, 46);
    const { id, name } = item;
    await page.goto(`/dashboard/inventory/${id}`);
    await expect(shownQuantity(page)).toHaveText('46');
    // No list was visited yet, so the link has no filters.
    const back = page.getByRole('main').getByRole('link', { name: 'Manage Inventory' });
    await expect(back).toHaveAttribute('href', '/dashboard/manage-inventory');

    await test.step('a delivery whose response was lost is not counted twice', async () => {
      const keys: (string | undefined)[] = [];
      await page.route('**/inventory-items/*', async (route) => {
        keys.push(route.request().headers()['idempotency-key']);
        const response = await route.fetch();
        return keys.length === 1 ? route.abort('connectionreset') : route.fulfill({ response });
      });
      await deliverButton(page).click();
      // First the toast, which stays for five seconds only.
      await expect(toast(page, /^Delivered 1/)).toBeVisible();
      expect(keys).toEqual([keys[0], keys[0]]);
      await expect(shownQuantity(page)).toHaveText('45');
      await expect.poll(() => ledger(page, id)).toEqual(['opening 46', 'deliver -1']);
      await page.unroute('**/inventory-items/*');
    });

    await test.step('a double click delivers two, a key held down one', async () => {
      await deliverButton(page).dblclick();
      await expect(shownQuantity(page)).toHaveText('43');
      await deliverButton(page).focus();
      for (let beat = 0; beat < 5; beat++) await page.keyboard.down('Enter');
      await page.keyboard.up('Enter');
      await expect(shownQuantity(page)).toHaveText('42');
      await expect.poll(() => ledger(page, id)).toEqual(['opening 46', ...Array(4).fill('deliver -1')]);
    });

    await test.step('a scan of another bottle opens that item and changes no stock', async () => {
      // Its last five characters are the shortcut that delivers twelve.
      const sku = `${uniqueWord()}-0012d`;
      const other = await createItem(page, 5, sku);
      await deliverButton(page).focus();
      await scan(page, sku);
      await expect(page).toHaveURL(`/dashboard/inventory/${other.id}`);
      await expect(shownQuantity(page)).toHaveText('5');
      await restockField(page).fill('3');
      await scan(page, `${sku}-7r`);
      await expect(toast(page, `No item has the code ${sku}-7r`)).toBeVisible();
      await expect(restockField(page)).toHaveValue('3');
      await page.goBack();
      await expect(shownQuantity(page)).toHaveText('42');
      expect(await ledger(page, other.id)).toEqual(['opening 5']);
      expect(await ledger(page, id)).toHaveLength(5);
    });

    const refuse = () =>
      page.route('**/inventory-items/*', (route) =>
        route.fulfill({ status: 500, json: { code: 'internal', detail: 'No' } }),
      );

    await test.step('a refused delivery restores the quantity and says why', async () => {
      await refuse();
      await deliverButton(page).click();
      await expect(toast(page, `${name} was not delivered. Something went wrong.`)).toBeVisible();
      await expect(shownQuantity(page)).toHaveText('42');
      await page.unroute('**/inventory-items/*');
    });

    await test.step('a restock accepts only a whole number above zero', async () => {
      const invalid: [entered: string, message: string][] = [
        ['', 'Please input stock number'],
        ['0', 'Input a positive value'],
        ['-5', 'Input a positive value'],
        ['2.5', 'Enter a whole number, 1 or more'],
        ['1,234', 'Enter a whole number, 1 or more'],
        ['1000000000', 'You can add at most 999,999,958 more.'],
      ];
      const refusals = /input|Input|Enter|at most/;
      await expect(restockField(page)).toHaveAccessibleDescription(/It is added to the quantity on hand/);
      for (const [entered, message] of invalid) {
        await restockField(page).fill(entered);
        await updateButton(page).click();
        await expect(toast(page, message)).toBeVisible();
        await expect(toast(page, refusals)).toHaveCount(1);
        await expect(restockField(page)).toHaveAttribute('aria-invalid', 'true');
        await expect(restockField(page)).toHaveAccessibleDescription(
          /^(Enter a whole number, 1 or more, without|.*at most 999,999,958)/,
        );
        await expect(restockField(page)).toBeFocused();
        await expect(restockField(page)).toHaveValue(entered);
      }
      await expect(shownQuantity(page)).toHaveText('42');
      await expect.poll(() => ledger(page, id)).toHaveLength(5);
    });

    await test.step('a double click restocks once', async () => {
      await restockField(page).fill('30');
      await updateButton(page).hover();
      await page.mouse.down();
      await page.mouse.up();
      // The response arrives between the two clicks.
      await expect(shownQuantity(page)).toHaveText('72');
      await expect(restockField(page)).toHaveValue('');
      await page.mouse.down({ clickCount: 2 });
      await page.mouse.up({ clickCount: 2 });
      await expect(toast(page, `Restocked 30 × ${name}`)).toBeVisible();
      await expect(toast(page, 'Please input stock number')).toHaveCount(0);
      await expect(restockField(page)).not.toHaveAttribute('aria-invalid');
    });

    await test.step('a refused restock keeps the input', async () => {
      await refuse();
      await restockField(page).fill('4');
      await updateButton(page).click();
      await expect(toast(page, `${name} was not restocked.`)).toBeVisible();
      await expect(shownQuantity(page)).toHaveText('72');
      await expect(restockField(page)).toHaveValue('4');
      await expect.poll(() => ledger(page, id)).toEqual(['opening 46', ...Array(4).fill('deliver -1'), 'restock 30']);
    });

    await test.step('a refused deletion says why', async () => {
      await deleteButton(page).click();
      await confirmation(page).getByRole('button', { name: 'Delete' }).click();
      await expect(toast(page, `${name} was not deleted. Something went wrong.`)).toBeVisible();
      await page.goBack();
      await expect(shownQuantity(page)).toHaveText('72');
      await expect.poll(() => exists(page, item)).toBe(true);
    });
  },
);

test(
  'the page says whether an item is loading, failed to load, never existed or was deleted',
  anyScreen,
  async ({ page, browserErrors }) => {
    browserErrors.allow(/manage-inventory|Failed to load|404|503/);
    const { id, name, word } = await createItem(page, 7);
    let lineIsDown = true;
    let giveUp = () => {};
    const waited = new Promise<void>((resolve) => {
      giveUp = resolve;
    });
    await page.route('**/manage-inventory?_id=*', async (route) => {
      await waited;
      return lineIsDown ? route.abort() : route.continue();
    });
    await page.goto(`/dashboard/inventory/${id}`);
    await expect(page.getByRole('main').getByRole('status').filter({ hasText: 'Loading...' })).toBeVisible();
    giveUp();
    const alert = page.getByRole('main').getByRole('alert');
    await expect(alert).toContainText('Could not load the item.');
    await expect(alert).toContainText('No answer from the server');
    lineIsDown = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(shownQuantity(page)).toHaveText('7');

    for (const unknown of ['no-such-thing', '0190a000-0000-7000-8000-000000000000']) {
      await navigateInApp(page, `/dashboard/inventory/${unknown}`);
      await expect(page.getByText('This item does not exist. Check the link.')).toBeVisible();
      await expect(page.getByRole('main').getByRole('link', { name: 'Manage Inventory' })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Restore' })).toHaveCount(0);
    }

    // The list shows when this page has heard of the deletion. The item's own page would say “while you were viewing it”.
    await navigateInApp(page, `/dashboard/manage-inventory?q=${word}`);
    await expect(page.getByRole('link', { name })).toBeVisible();
    await page.request.delete(`/inventory-items/${id}`);
    await expect(page.getByRole('link', { name })).toHaveCount(0);
    let isBusy = true;
    await page.route('**/movements?*', (route) => (isBusy ? route.fulfill({ status: 503 }) : route.continue()));
    await navigateInApp(page, `/dashboard/inventory/${id}`);
    await expect(page.getByRole('alert')).toContainText('It may have been deleted');
    isBusy = false;
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await expect(page.getByText('This item was deleted.')).toBeVisible();
    await page.getByRole('button', { name: 'Restore' }).click();
    await expect(shownQuantity(page)).toHaveText('7');
  },
);

for (const [language, scheme] of appearances)
  test(
    `axe finds nothing on any screen, and nothing is cut off or too small to hit: ${scheme}, ${language}`,
    anyScreen,
    async ({ page, context, baseURL }) => {
      test.slow();
      await context.addCookies([{ name: 'language', value: language, url: baseURL ?? '' }]);
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      const { id } = await createItem(page, 1_000_000);
      await page.goto(`/dashboard/inventory/${id}`);
      const main = page.getByRole('main');
      await expect(main.getByRole('table').first()).toBeVisible();
      await expectToFitAt(page, 320, 640);
      await expect(main.getByRole('rowheader')).not.toHaveCount(0);
      await expectLargeEnough(main.locator('a, button, input'));
      for (const width of [390, 1366]) {
        await expectToFitAt(page, width);
        if (scheme === 'light' && language === 'en') expect(await axeViolations(page)).toEqual([]);
      }
      const button = main.getByRole('table').first().getByRole('button').first();
      const delivered = await button.innerText();
      await page.request.put(`/inventory-items/${id}`, { data: { quantity: '0' } });
      await expect(button).not.toHaveText(delivered);
      for (const width of axeWidths(scheme)) {
        await expectToFitAt(page, width);
        // The notice about the change elsewhere moves the button while it appears.
        await expect(async () => {
          await button.click();
          await expect(page.locator('.Toastify__toast--error')).toBeVisible({ timeout: 2_000 });
        }).toPass();
        await page.locator('input[placeholder][inputmode=numeric]').press('Enter');
        await expect(page.locator('input[placeholder][inputmode=numeric]')).toHaveAttribute('aria-invalid', 'true');
        expect(await axeViolations(page)).toEqual([]);
      }
    },
  );
