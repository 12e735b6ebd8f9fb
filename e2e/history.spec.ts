import { readFile } from 'node:fs/promises';
import type { APIRequestContext, Locator, Page } from '@playwright/test';
import { axeViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { anyScreen, appearancesWithLongWords, axeWidths, phoneOnly } from './form.ts';
import {
  addItems,
  checkbox,
  exportAs,
  isPhone,
  logInAsDealer,
  openInSidebar,
  selectionBar,
  showCheckboxes,
  toast,
  uniqueWord,
} from './inventory-helpers.ts';
import { expectLargeEnough, expectToFitAt } from './screens.ts';

const shownQuantity = (page: Page) => page.getByText('Available quantity').locator('xpath=following-sibling::p');
const entryRows = (page: Page) => page.locator('tr[data-entry]');
const entryRow = (page: Page, text: string | RegExp) => entryRows(page).filter({ hasText: text });
const dialog = (page: Page) => page.getByRole('dialog');
const confirmDialog = (page: Page, name = 'Undo') => dialog(page).getByRole('button', { name, exact: true }).click();
const openHistory = (page: Page, query: string) => page.goto(`/dashboard/history?${query}`);

async function createItem(request: APIRequestContext, quantity = 5): Promise<{ id: string; name: string }> {
  await logInAsDealer(request);
  const name = `Essai ${uniqueWord()}`;
  const [id = ''] = await addItems(request, [{ name, quantity }]);
  return { id, name };
}

const move = (request: APIRequestContext, id: string, data: { kind: string; units: number; note?: string }) =>
  request.post(`/inventory-items/${id}/movements`, { data });
const edit = (request: APIRequestContext, id: string, changes: object) =>
  request.post(`/inventory-items/${id}/edit`, { data: { changes } });

async function itemNow(request: APIRequestContext, id: string) {
  return (await (await request.get(`/manage-inventory?_id=${id}`)).json())[0];
}

/** Shows an entry that has just been added. In a scrolled list, new entries wait behind a button. */
async function showNewEntries(page: Page, entry: Locator): Promise<void> {
  const newEntries = page.getByRole('button', { name: /new entr/ });
  await expect(entry.or(newEntries).first()).toBeVisible();
  if (await newEntries.isVisible()) await newEntries.click();
  await expect(entry).toBeVisible();
}

async function startUndo(page: Page, entry: Locator): Promise<void> {
  await showNewEntries(page, entry);
  await entry.getByRole('button', { name: /^Undo/ }).click();
}

test('changes of an item can be undone and redone in its history and with Ctrl Z', anyScreen, async ({ page }) => {
  test.slow();
  const { id, name } = await createItem(page.request);
  await edit(page.request, id, { name: `${name} Noir`, price: 77 });
  await openHistory(page, `item=${id}`);
  await expect(entryRow(page, 'Edited')).toContainText('$77.00');
  await page.keyboard.press('Control+z');
  await expect(toast(page, 'Nothing to undo.')).toBeVisible();

  await test.step('an edit, a creation and a deletion', async () => {
    await startUndo(page, entryRow(page, 'Edited'));
    await expect(dialog(page)).toContainText('Restores the previous values:');
    await confirmDialog(page);
    await expect(entryRow(page, 'Made by an undo')).toHaveCount(1);
    await expect.poll(() => itemNow(page.request, id)).toMatchObject({ name, price: 50 });

    await startUndo(page, entryRow(page, 'Created'));
    await expect(dialog(page)).toContainText(`Deletes ${name}`);
    await confirmDialog(page);
    await showNewEntries(page, entryRow(page, 'Deleted'));
    await expect.poll(() => itemNow(page.request, id)).toBeUndefined();
    await startUndo(page, entryRow(page, 'Deleted'));
    await expect(dialog(page)).toContainText(`Restores ${name} with the stock it had`);
    await confirmDialog(page);
    await showNewEntries(page, entryRow(page, 'Restored'));
    await expect.poll(() => itemNow(page.request, id)).toMatchObject({ quantity: '5' });
  });

  await test.step('undoing a delivery is announced, done, reported, and can itself be undone', async () => {
    await entryRow(page, 'Restored').getByRole('link').click();
    await page.getByRole('button', { name: 'Delivered', exact: true }).click();
    await expect(entryRow(page, 'Delivered')).toContainText('−1');
    await startUndo(page, entryRow(page, 'Delivered'));
    await expect(dialog(page)).toContainText('Puts 1 unit back: 4 → 5');
    await confirmDialog(page);
    await expect(toast(page, `Undone: delivery of 1 × ${name}`)).toBeVisible();
    await expect(shownQuantity(page)).toHaveText('5');
    await expect(entryRow(page, 'Delivered').filter({ hasText: 'Undone by Demo Dealer' })).toHaveCount(1);
    await expect(entryRow(page, 'Delivery undone')).toContainText('+1');

    // The undo was done in this tab, so it is not announced as from another screen. The toast and Ctrl Z can undo it.
    await expect(page.getByText('from another screen')).toHaveCount(0);
    await expect(toast(page, 'Undone:').getByRole('button', { name: 'Undo' })).toBeVisible();
    await page.keyboard.press('Control+z');
    await expect(toast(page, `Undone: undo of delivery of 1 × ${name}`)).toBeVisible();
    await expect(shownQuantity(page)).toHaveText('4');
    await startUndo(page, entryRow(page, 'Delivery redone'));
    await confirmDialog(page);
    await expect(shownQuantity(page)).toHaveText('5');
  });

  await test.step('a correction and a restock appear live with their notes', async () => {
    await move(page.request, id, { kind: 'correction', units: 3, note: 'Three stood behind the shelf' });
    await startUndo(page, entryRow(page, 'Corrected'));
    await expect(entryRow(page, 'Corrected')).toContainText('Three stood behind the shelf');
    await expect(dialog(page)).toContainText('Removes 3 units: 8 → 5');
    await confirmDialog(page);
    await expect(shownQuantity(page)).toHaveText('5');
    await move(page.request, id, { kind: 'restock', units: 7 });
    await startUndo(page, entryRow(page, 'Restocked'));
    await confirmDialog(page);
    await expect(shownQuantity(page)).toHaveText('5');
    await showNewEntries(page, entryRow(page, 'Restock undone'));
    await expect(entryRow(page, 'Restock undone')).toContainText('−7');
  });

  await test.step('Ctrl Z undoes the last action on this screen, Ctrl Shift Z redoes it, and neither works in fields', async () => {
    const deliver = page.getByRole('button', { name: 'Delivered', exact: true });
    await deliver.click();
    await deliver.click();
    await page.getByLabel('Restock the items').fill('10');
    await page.getByRole('button', { name: 'Update Stock' }).click();
    await expect(shownQuantity(page)).toHaveText('13');
    // In a text field, Ctrl Z belongs to the field.
    await page.getByLabel('Restock the items').fill('5');
    await page.keyboard.press('Control+z');
    await expect(shownQuantity(page)).toHaveText('13');
    await page.getByRole('heading', { level: 1 }).click();

    await page.keyboard.press('Control+z');
    await expect(toast(page, `Undone: restock of 10 × ${name}`)).toBeVisible();
    await expect(shownQuantity(page)).toHaveText('3');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await expect(shownQuantity(page)).toHaveText('5');
    await page.keyboard.press('Control+Shift+z');
    await expect(shownQuantity(page)).toHaveText('4');
    await expect(toast(page, `Redone: delivery of 1 × ${name}`)).toBeVisible();
  });

  await test.step('undo says why it is impossible when the units are gone', async () => {
    await move(page.request, id, { kind: 'deliver', units: 4 });
    await move(page.request, id, { kind: 'restock', units: 3 });
    await move(page.request, id, { kind: 'deliver', units: 1 });
    await expect(shownQuantity(page)).toHaveText('2');
    await startUndo(page, entryRow(page, 'Restocked').filter({ hasText: '+3' }));
    await expect(dialog(page)).toContainText('This cannot be undone right now.');
    await expect(dialog(page)).toContainText('Not enough units left: 2 on hand.');
    await expect(dialog(page).getByRole('button', { name: 'Undo', exact: true })).toHaveCount(0);
    // The item is restocked elsewhere while the dialog is open.
    await move(page.request, id, { kind: 'restock', units: 9 });
    await expect(dialog(page)).toContainText('Removes 3 units: 11 → 8');
    await confirmDialog(page);
    await expect(shownQuantity(page)).toHaveText('8');
    await expect.poll(async () => (await itemNow(page.request, id)).quantity).toBe('8');
  });

  await test.step('Ctrl Z restores a deleted item, and the help lists the keys', async () => {
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page).toHaveURL(/manage-inventory/);
    await expect(toast(page, `${name} was deleted.`)).toBeVisible();
    await page.keyboard.press('Control+z');
    await expect(toast(page, `Undone: deletion of ${name}`)).toBeVisible();
    await expect.poll(() => itemNow(page.request, id)).toMatchObject({ quantity: '8' });

    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await expect(help).toContainText('Undo the last action');
    await expect(help).toContainText('Redo the last undone action');
  });
});

test(
  'a bulk action and a new item can be undone with Ctrl Z and in the history, also after a bad connection',
  anyScreen,
  async ({ page, browserErrors }) => {
    test.slow();
    browserErrors.allow(/422|history\?limit=50|null/);
    await logInAsDealer(page.request);
    const word = uniqueWord();
    const ids = await addItems(
      page.request,
      ['A', 'B', 'C'].map((letter) => ({ name: `${word} ${letter}`, quantity: 5 })),
    );
    const now = () => Promise.all(ids.map(async (id) => (await itemNow(page.request, id)).quantity));
    await page.goto(`/dashboard/manage-inventory?q=${word}`);

    await test.step('Ctrl Z undoes a bulk action as one', async () => {
      await showCheckboxes(page);
      for (const letter of ['A', 'B', 'C']) await checkbox(page, `${word} ${letter}`).check();
      await selectionBar(page).getByRole('button', { name: 'Deliver one of each' }).click();
      await expect(toast(page, 'Delivered 1 each of 3 items.')).toBeVisible();
      await page.keyboard.press('Control+z');
      await expect(toast(page, 'Undone: delivery of 1 each of 3 items')).toBeVisible();
      await expect.poll(() => now()).toEqual(['5', '5', '5']);
      await page.keyboard.press('Control+Shift+z');
      await expect(toast(page, 'Redone: delivery of 1 each of 3 items')).toBeVisible();
      await expect.poll(() => now()).toEqual(['4', '4', '4']);
    });

    await test.step('Ctrl Z removes an item that was just created', async () => {
      await page.getByRole('link', { name: 'Create new Items' }).click();
      await page.getByLabel('Name', { exact: true }).fill(`${word} New`);
      await page.getByLabel('Price').fill('12');
      await page.getByLabel('Quantity').fill('3');
      await page.getByLabel('Image').fill('/bottles/oud-clair.svg');
      await page
        .getByLabel('Description')
        .fill('A bottle that a test creates, only to take it off the shelf again at once.');
      await page.getByLabel('Supplier name').fill('Verrière');
      await page.getByRole('button', { name: 'Add Item' }).click();
      await expect(page.locator('#addItem')).toBeVisible();
      await page.getByRole('heading', { level: 1 }).click();
      await page.keyboard.press('Control+z');
      await expect(toast(page, `Undone: creation of ${word} New`)).toBeVisible();
      const found = await (await page.request.get(`/all-inventory-items?q=${word} New`)).json();
      expect(found).toEqual([]);
    });

    await test.step('the history says when it cannot be loaded, and retries', async () => {
      await page.request.post('/bulk', { data: { batch: crypto.randomUUID(), action: 'deliver', ids } });
      let mode: 'fail' | 'work' | 'break' = 'fail';
      await page.route('**/history?limit=50', (route) => {
        if (mode === 'work') return route.continue();
        return mode === 'fail' ? route.abort() : route.fulfill({ json: [null] });
      });
      await page.route('**/batches/*', (route) => route.fulfill({ status: 422, json: { code: 'invalid_query' } }));
      await openInSidebar(page, '/dashboard/manage-inventory');
      await page.getByRole('main').getByRole('link', { name: 'History' }).click();
      const alert = page.getByRole('main').getByRole('alert');
      await expect(alert).toContainText('Could not load the history.');
      mode = 'break';
      await page.getByRole('button', { name: 'Try again' }).click();
      await expect(alert).toContainText('Something went wrong on this page.');
      mode = 'work';
      await page.evaluate(() => dispatchEvent(new Event('online')));
      await expect(entryRows(page).first()).toBeVisible();
    });

    const head = page.getByRole('row').filter({ hasText: '3 items at once' }).first();

    await test.step('a bulk action whose size cannot be loaded shows no number, and retries', async () => {
      await page.getByLabel('Type').selectOption('Delivered');
      await expect(page).toHaveURL(/kind=deliver/);
      const several = page.getByRole('row').filter({ hasText: 'Show entries' }).first();
      await expect(several).toContainText('Several items at once');
      await several.getByRole('button', { name: 'Undo all', exact: true }).click();
      const failed = dialog(page).getByRole('alert');
      await expect(failed).toBeVisible();
      await expect(dialog(page)).not.toContainText('0 items');
      await page.unroute('**/batches/*');
      await failed.getByRole('button', { name: 'Try again' }).click();
      await expect(dialog(page).getByRole('button', { name: 'Undo all 3' })).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(dialog(page)).toHaveCount(0);
      await expect(head).toContainText('−3');
    });

    await test.step('one entry can be undone alone, the rest together, and redone', async () => {
      await head.getByRole('button', { name: /at once/ }).click();
      await startUndo(page, entryRow(page, `${word} B`).filter({ hasText: 'Delivered' }));
      await expect(dialog(page)).toContainText('3 of its changes have not been undone yet');
      await confirmDialog(page, 'Undo only this one');
      await expect(toast(page, `Undone: delivery of 1 × ${word} B`)).toBeVisible();
      await expect.poll(() => now()).toEqual(['3', '4', '3']);

      await head.getByRole('button', { name: 'Undo all 2' }).click();
      await confirmDialog(page, 'Undo all 2');
      await expect(toast(page, 'Undone: delivery of 1 each of 2 items')).toBeVisible();
      await expect.poll(() => now()).toEqual(['4', '4', '4']);
      await expect(head).toContainText('Undone');
      await expect(head.getByText('−3')).toHaveCSS('text-decoration-line', 'line-through');
      await toast(page, '1 each of 2').getByRole('button', { name: 'Undo' }).click();
      await expect(toast(page, 'Undone: undo of delivery of 1 each of 2 items')).toBeVisible();
      await expect.poll(() => now()).toEqual(['3', '4', '3']);
    });
  },
);

test(
  'the history keeps its scroll position, is filtered by URL, and is exported as shown',
  anyScreen,
  async ({ page }) => {
    test.slow();
    const { id, name } = await createItem(page.request, 200);
    // Long notes make rows of different heights, for the test of the scroll position.
    const note = 'For the shop window in the Rue du Four, to be fetched on Friday by whoever is there. '.repeat(3);
    for (let restocks = 0; restocks < 8; restocks++) await move(page.request, id, { kind: 'restock', units: 1, note });
    const formula = `=SUM(1) ${uniqueWord()}`;
    const [formulaId = ''] = await addItems(page.request, [{ name: formula, quantity: 3 }]);
    await move(page.request, formulaId, { kind: 'deliver', units: 2, note: '+49 to be called' });
    await move(page.request, formulaId, { kind: 'restock', units: 5 });
    await openHistory(page, '');
    await expect(entryRow(page, name).first()).toBeVisible();

    await test.step('it loads more while scrolling, restores its scroll position, and does not move while reading', async () => {
      // Scrolls until more than one page of fifty entries is loaded.
      const lastDrawn = async () => {
        await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
        return Number(await page.locator('tr[data-index]').last().getAttribute('data-index'));
      };
      await expect.poll(lastDrawn).toBeGreaterThan(80);
      await expect.poll(() => entryRows(page).count()).toBeLessThan(60);
      await page.evaluate(() => scrollTo(0, 3_000));
      const before = await settledTopEntry(page);
      await move(page.request, id, { kind: 'deliver', units: 1 });
      const newEntries = page.getByRole('button', { name: '1 new entry' });
      await expect(newEntries).toBeVisible();
      await expect.poll(() => topEntry(page)).toEqual(before);

      await page.locator(`tr[data-entry="${before.id}"]`).getByRole('link').click();
      await expect(page).toHaveURL(/inventory\//);
      await page.goBack();
      await expect.poll(() => topEntry(page)).toMatchObject({ id: before.id });
      if (await newEntries.isVisible()) await newEntries.click();
      else await page.evaluate(() => scrollTo(0, 0));
      await expect(entryRow(page, name).first()).toContainText('Delivered');
    });

    await test.step('it is filtered by kind, person, item and time, in the URL', async () => {
      const filters = page.getByRole('button', { name: 'Filters' });
      if (await filters.isVisible()) await filters.click();
      await page.getByLabel('Type').selectOption('Restocked');
      await expect(page).toHaveURL(/kind=restock/);
      const dealer = page.getByLabel('Person').getByRole('option', { name: /^Demo Dealer/ });
      await page.getByLabel('Person').selectOption(await dealer.first().getAttribute('value'));
      await expect(page).toHaveURL(/by=/);
      await page.getByRole('combobox', { name: 'Item' }).fill(formula);
      await page.getByRole('option', { name: formula }).click();
      await expect(page).toHaveURL(new RegExp(`item=${formulaId}`));
      await expect(entryRows(page)).toHaveCount(1);
      await expect(entryRows(page)).toContainText('+5');
      await page.getByLabel('To', { exact: true }).fill('2020-01-01');
      await expect(page.getByText('No entries match these filters.')).toBeVisible();
      await page.goBack();
      await expect(entryRows(page)).toHaveCount(1);
      await page.reload();
      await expect(entryRows(page)).toHaveCount(1);
      await expect(page.getByRole('combobox', { name: 'Item' })).toHaveValue(formula);
    });

    await test.step('it is exported as CSV, with nothing in it that a spreadsheet would calculate', async () => {
      await page.getByLabel('Type').selectOption('');
      await expect(entryRows(page)).toHaveCount(3);
      const download = await exportAs(page, 'History', 'CSV');
      expect(download.suggestedFilename()).toMatch(/^history-\d{4}-\d{2}-\d{2}\.csv$/);
      const [first, restock, deliver, opening, end] = (await readFile(await download.path(), 'utf8')).split('\r\n');
      expect(first).toContain('"time","kind","item","difference","on hand","person"');
      expect(restock).toContain(`"restock","'${formula}",5,6,"Demo Dealer"`);
      expect(deliver).toContain(`"deliver","'${formula}",-2,1,"Demo Dealer","`);
      expect(deliver).toContain(`","","'+49 to be called"`);
      expect(opening).toContain(`"opening","'${formula}",3,3`);
      expect(end).toBe('');
      await expect(toast(page, `${download.suggestedFilename()} was saved.`)).toBeVisible();
    });

    await test.step('filters can be removed, and a day can be typed digit by digit', async () => {
      await page.getByRole('button', { name: 'Show all items' }).click();
      await expect(page).not.toHaveURL(/item=/);
      await expect(page.getByRole('combobox', { name: 'Item' })).toBeFocused();
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await expect(page).toHaveURL(/\/dashboard\/history$/);
      if (isPhone(page)) return;
      const from = page.getByLabel('From', { exact: true });
      await from.focus();
      await page.keyboard.type('05142025', { delay: 30 });
      await expect(from).toHaveValue('2025-05-14');
      await expect(page).toHaveURL(/[?&]from=2025-05-14/);
    });
  },
);

/** Returns the entry at the top of the window, and its distance from the top. */
function topEntry(page: Page): Promise<{ id: string; top: number }> {
  return page.evaluate(() => {
    const rows = [...document.querySelectorAll<HTMLElement>('tr[data-entry]')];
    const row = rows.find((one) => one.getBoundingClientRect().top > 120);
    return { id: row?.dataset.entry ?? '', top: Math.round(row?.getBoundingClientRect().top ?? 0) };
  });
}

/** Returns the entry at the top of the window once the visible rows are drawn and no longer move. */
async function settledTopEntry(page: Page): Promise<{ id: string; top: number }> {
  let last = await topEntry(page);
  await expect
    .poll(async () => {
      const before = last;
      last = await topEntry(page);
      const isVisible = last.id !== '' && last.top < 800;
      return isVisible && last.id === before.id && last.top === before.top;
    })
    .toBe(true);
  return last;
}

const ONE_PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test.describe('editing an item', () => {
  const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();

  test(
    'checks the fields, sends only what was changed, and can be undone in the toast',
    phoneOnly,
    async ({ page }) => {
      const { id, name } = await createItem(page.request);
      await page.goto(`/dashboard/inventory/${id}`);
      await page.getByRole('link', { name: 'Edit' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Edit item');
      await page.getByLabel('Name', { exact: true }).fill('');
      await save(page);
      await expect(page.getByText('This field is required')).toBeVisible();
      await page.getByLabel('Name', { exact: true }).fill(`${name} Noir`);
      await page.getByLabel('Reorder point').fill('2.5');
      await save(page);
      await expect(page.getByLabel('Reorder point')).toHaveAttribute('aria-invalid', 'true');
      await page.getByLabel('Reorder point').fill('7');
      const sent = page.waitForRequest('**/edit');
      await page.getByLabel('Reorder point').press('Enter');
      const request = await sent;
      expect(request.postDataJSON()).toEqual({
        changes: { name: `${name} Noir`, reorderPoint: 7 },
        seen: { name, reorderPoint: null },
      });
      await expect(page).toHaveURL(`/dashboard/inventory/${id}`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${name} Noir`);
      await toast(page, `${name} Noir was saved.`).getByRole('button', { name: 'Undo' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
      await expect.poll(() => itemNow(page.request, id)).toMatchObject({ name, reorderPoint: null });
    },
  );

  test(
    'keeps the input, saves nothing without its picture, and asks before overwriting another edit',
    anyScreen,
    async ({ page, browserErrors }) => {
      test.slow();
      browserErrors.allow(/415|409/);
      const { id, name } = await createItem(page.request);
      const field = page.getByLabel('Name', { exact: true });
      await page.goto(`/dashboard/inventory/${id}/edit`);

      await test.step('a draft survives a reload; without changes there is nothing to save', async () => {
        await page.getByLabel('Supplier name').fill('Port & Fils');
        await page.getByLabel('Reorder point').fill('9');
        await page.reload();
        await expect(page.getByText('Draft restored')).toBeVisible();
        await expect(page.getByLabel('Supplier name')).toHaveValue('Port & Fils');
        await expect(page.getByLabel('Reorder point')).toHaveValue('9');
        await page.getByRole('button', { name: 'Discard' }).click();
        await expect(page.getByLabel('Supplier name')).toHaveValue('Verrière');
        await save(page);
        await expect(toast(page, 'You made no changes, so nothing was saved.')).toBeVisible();
        await expect(page).toHaveURL(`/dashboard/inventory/${id}`);
      });

      await test.step('if a picture cannot be uploaded, nothing is saved, and the form is locked meanwhile', async () => {
        let refuse = () => {};
        const waited = new Promise<void>((resolve) => {
          refuse = resolve;
        });
        await page.route('**/uploads', async (route) => {
          await waited;
          await route.fulfill({ status: 415, json: { code: 'not_a_picture', status: 415 } });
        });
        let sent = 0;
        page.on('request', (request) => {
          if (request.url().endsWith('/edit') && request.method() === 'POST') sent++;
        });
        await page.getByRole('link', { name: 'Edit' }).click();
        await field.fill(`${name} Noir`);
        const buffer = Buffer.from(ONE_PIXEL, 'base64');
        await page.locator('input[type=file]').first().setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer });
        await save(page);
        await expect(field).not.toBeEditable();
        refuse();
        await expect(page.getByRole('main').getByRole('alert')).toContainText('not an image we can use');
        await expect(field).toBeEditable();
        await expect(page).toHaveURL(`/dashboard/inventory/${id}/edit`);
        expect(sent).toBe(0);
        await save(page);
        await expect(page).toHaveURL(`/dashboard/inventory/${id}`);
        await expect.poll(() => itemNow(page.request, id)).toMatchObject({ name: `${name} Noir` });
      });

      await test.step('two people: different fields are merged, the same field asks, and no input is lost', async () => {
        await page.getByRole('link', { name: 'Edit' }).click();
        await field.fill(`${name} mine`);
        await page.getByLabel('Supplier name').fill('Mine & Fils');
        await edit(page.request, id, { price: 61 });
        // Fields that were not edited here are updated.
        await expect(page.getByLabel('Price')).toHaveValue('61.00');
        await edit(page.request, id, { name: `${name} theirs`, suplierName: 'Theirs & Co' });
        await expect(page.getByText(`Someone else changed this to “${name} theirs”.`)).toBeVisible();
        await expect(field).toHaveValue(`${name} mine`);
        // A draft that is discarded and put back is compared with what others changed as before.
        await page.reload();
        await page.getByRole('button', { name: 'Discard' }).click();
        await expect(field).toHaveValue(`${name} theirs`);
        await toast(page, 'The draft was discarded.').getByRole('button', { name: 'Undo' }).click();
        await expect(field).toHaveValue(`${name} mine`);

        await save(page);
        await expect(dialog(page)).toContainText('2 fields changed');
        await expect(dialog(page)).toContainText(`${name} theirs`);
        await expect.poll(() => itemNow(page.request, id)).toMatchObject({ name: `${name} theirs` });
        await dialog(page)
          .getByRole('group', { name: 'Supplier name' })
          .getByRole('radio', { name: /Use theirs/ })
          .check();
        await save(page);
        await expect(page).toHaveURL(`/dashboard/inventory/${id}`);
        expect(await itemNow(page.request, id)).toMatchObject({
          name: `${name} mine`,
          suplierName: 'Theirs & Co',
          price: 61,
        });
      });
    },
  );
});

for (const [language, scheme] of appearancesWithLongWords)
  test(
    `axe finds nothing, and nothing is too wide or too small to hit: ${scheme}, ${language}`,
    anyScreen,
    async ({ page, context, baseURL, browserErrors }) => {
      test.slow();
      browserErrors.allow(/409/);
      await context.addCookies([{ name: 'language', value: language, url: baseURL ?? '' }]);
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      const { id, name } = await createItem(page.request);
      const ids = [id, ...(await addItems(page.request, [{ name }]))];
      await page.request.post('/bulk', { data: { batch: crypto.randomUUID(), action: 'deliver', ids } });
      await move(page.request, id, { kind: 'restock', units: 2, note: 'Delivery note 7' });
      const longName = `${name} ${'long '.repeat(20)}`.trim();
      await edit(page.request, id, { name: longName, price: 3, img: '/bottles/iris-de-craie.svg' });
      const edited = entryRow(page, name).first();

      const atWidth = async (width: number, ready: Locator) => {
        await expect(ready).toBeVisible();
        await expectToFitAt(page, width);
        await expect(ready).toBeVisible();
      };
      const expectToFit = async (ready: Locator) => {
        await atWidth(320, ready);
        await expectLargeEnough(
          page.getByRole('main').locator('button:visible, select:visible, input:visible:not([type="radio"])'),
        );
      };
      const expectAccessible = async (ready: Locator) => {
        for (const width of axeWidths(scheme)) {
          await atWidth(width, ready);
          expect(await axeViolations(page)).toEqual([]);
        }
      };

      await openHistory(page, '');
      await expect(edited).toBeVisible();
      // The undo button of a bulk action shows the number of items. Its text is the longest on the page.
      const undoAll = page.locator('tr:not([data-entry]) button', { hasText: /[2٢]|الاثنين/ }).first();
      await expectToFit(undoAll);
      await expectAccessible(undoAll);
      await edited.locator('button').click();
      await expectAccessible(dialog(page).locator('ins').first());
      await page.keyboard.press('Escape');
      await expect(dialog(page)).toHaveCount(0);

      await edited.getByRole('link').click();
      await expectToFit(entryRows(page).first());
      await page.locator('main a[href$="/edit"]').click();
      const field = page.locator('input[name="name"]');
      await expectToFit(field);
      await field.fill(`${longName} x`);
      await expectAccessible(field);
      await edit(page.request, id, { name: `${longName} y` });
      await page.locator('form button[type="submit"]').click();
      await expectAccessible(dialog(page));
    },
  );
