import { readFile } from 'node:fs/promises';
import type { APIRequestContext, Locator, Page } from '@playwright/test';
import { brokenRules } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { anyScreen, looksWithLongWords } from './form.ts';
import { addItems, bar, box, colleague, isPhone, newWord, showBoxes, signIn, toast } from './inventory-people.ts';

const number = (page: Page) => page.getByText('Available quantity').locator('xpath=following-sibling::p');
const lines = (page: Page) => page.locator('tr[data-entry]');
const line = (page: Page, text: string | RegExp) => lines(page).filter({ hasText: text });
const dialog = (page: Page) => page.getByRole('dialog');
const confirm = (page: Page, name = 'Undo') => dialog(page).getByRole('button', { name, exact: true }).click();
const history = (page: Page, question: string) => page.goto(`/dashboard/history?${question}`);

async function anItem(request: APIRequestContext, quantity = 5): Promise<{ id: string; name: string }> {
  await signIn(request);
  const name = `Essai ${newWord()}`;
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

async function startUndo(row: Locator): Promise<void> {
  await row.getByRole('button', { name: /^Undo/ }).click();
}

/** Who has scrolled down is not moved: what is new waits behind a button. */
async function showNews(page: Page, entry: Locator): Promise<void> {
  const news = page.getByRole('button', { name: /new entr/ });
  await expect(entry.or(news).first()).toBeVisible();
  if (await news.isVisible()) await news.click();
  await expect(entry).toBeVisible();
}

test.describe('undo in the history', anyScreen, () => {
  test('of a delivery says what it will do, does it, is told there, and is undone in turn', async ({ page }) => {
    const { id, name } = await anItem(page.request);
    await page.goto(`/dashboard/inventory/${id}`);
    await page.getByRole('button', { name: 'Delivered', exact: true }).click();
    await expect(line(page, /^Delivered|Delivered/)).toContainText('−1');
    await startUndo(line(page, 'Delivered').first());
    await expect(dialog(page)).toContainText('Puts 1 unit back: 4 → 5');
    await confirm(page);
    await expect(toast(page, `Undone: delivery of 1 × ${name}`)).toBeVisible();
    await expect(number(page)).toHaveText('5');
    await expect(line(page, 'Undone by Demo Dealer')).toHaveCount(1);
    await expect(line(page, 'Delivery undone')).toContainText('+1');

    // It was done here, so it comes from no other screen, and the keys and the toast take it back.
    await expect(page.getByText('from another screen')).toHaveCount(0);
    await expect(toast(page, 'Undone:').getByRole('button', { name: 'Undo' })).toBeVisible();
    await page.keyboard.press('Control+z');
    await expect(toast(page, `Undone: undo of delivery of 1 × ${name}`)).toBeVisible();
    await expect(number(page)).toHaveText('4');
    await startUndo(line(page, 'Delivered again'));
    await confirm(page);
    await expect(number(page)).toHaveText('5');
  });

  test('of a restock and of a correction, seen live with its note', async ({ page }) => {
    const { id } = await anItem(page.request);
    await page.goto(`/dashboard/inventory/${id}`);
    await expect(line(page, 'Created')).toBeVisible();
    await move(page.request, id, { kind: 'correction', units: 3, note: 'Three stood behind the shelf' });
    await expect(line(page, 'Corrected')).toContainText('Three stood behind the shelf');
    await startUndo(line(page, 'Corrected'));
    await expect(dialog(page)).toContainText('Takes 3 units off again: 8 → 5');
    await confirm(page);
    await expect(number(page)).toHaveText('5');
    await move(page.request, id, { kind: 'restock', units: 7 });
    await startUndo(line(page, 'Restocked'));
    await confirm(page);
    await expect(number(page)).toHaveText('5');
    await expect(line(page, 'Restock undone')).toContainText('−7');
  });

  test('says why it cannot be when the units are gone, and offers nothing else', async ({ page }) => {
    const { id } = await anItem(page.request, 0);
    await move(page.request, id, { kind: 'restock', units: 3 });
    await move(page.request, id, { kind: 'deliver', units: 1 });
    await history(page, `item=${id}`);
    await startUndo(line(page, 'Restocked'));
    await expect(dialog(page)).toContainText('This cannot be undone now.');
    await expect(dialog(page)).toContainText('The units are gone already: 2 on hand.');
    await expect(dialog(page).getByRole('button', { name: 'Undo', exact: true })).toHaveCount(0);
    // Somebody brings units back while one is still looking.
    await move(page.request, id, { kind: 'restock', units: 9 });
    await expect(dialog(page)).toContainText('Takes 3 units off again: 11 → 8');
    await confirm(page);
    expect((await itemNow(page.request, id)).quantity).toBe('8');
  });

  test('of a creation, of a deletion, and of an edit', async ({ page }) => {
    const { id, name } = await anItem(page.request);
    await edit(page.request, id, { name: `${name} Noir`, price: 77 });
    await history(page, `item=${id}`);
    await expect(line(page, 'Edited')).toContainText('$77.00');
    await startUndo(line(page, 'Edited'));
    await expect(dialog(page)).toContainText('Puts back what was there before:');
    await confirm(page);
    await expect(line(page, 'by undo')).toHaveCount(1);
    expect(await itemNow(page.request, id)).toMatchObject({ name, price: 50 });

    await startUndo(line(page, 'Created'));
    await expect(dialog(page)).toContainText(`Deletes ${name}`);
    await confirm(page);
    await showNews(page, line(page, 'Deleted'));
    expect(await itemNow(page.request, id)).toBeUndefined();
    await startUndo(line(page, 'Deleted'));
    await expect(dialog(page)).toContainText(`Brings ${name} back`);
    await confirm(page);
    await showNews(page, line(page, 'Restored'));
    expect((await itemNow(page.request, id)).quantity).toBe('5');
  });

  test('of a bulk action is one, and so is its redo', async ({ page, faults }) => {
    await signIn(page.request);
    const word = newWord();
    const ids = await addItems(
      page.request,
      ['A', 'B', 'C'].map((letter) => ({ name: `${word} ${letter}`, quantity: 4 })),
    );
    const now = () => Promise.all(ids.map(async (id) => (await itemNow(page.request, id)).quantity));
    const batch = crypto.randomUUID();
    await page.request.post('/bulk', { data: { batch, action: 'deliver', ids } });
    await history(page, 'kind=deliver');
    const head = page.getByRole('row').filter({ hasText: '3 items at once' }).first();
    const several = page.getByRole('row').filter({ hasText: 'Show them' }).first();
    await expect(head).toContainText('−3');
    await head.getByRole('button', { name: /at once/ }).click();
    await startUndo(line(page, `${word} B`));
    await expect(dialog(page)).toContainText('of which 3 still stand');
    await confirm(page, 'Undo this one');
    await expect(toast(page, `Undone: delivery of 1 × ${word} B`)).toBeVisible();
    expect(await now()).toEqual(['3', '4', '3']);

    // How many there are cannot be learnt at first: no number is named, that is said, and asked again.
    faults.allow(/422/);
    await expect(head.getByRole('button', { name: 'Undo all 2' })).toBeVisible();
    await page.route('**/batches/*', (route) => route.fulfill({ status: 422, json: { code: 'invalid_query' } }));
    await page.reload();
    await expect(several).toContainText('Several items at once');
    await several.getByRole('button', { name: 'Undo all', exact: true }).click();
    const failed = dialog(page).getByRole('alert');
    await expect(failed).toBeVisible();
    await expect(dialog(page)).not.toContainText('0 items');
    await page.unroute('**/batches/*');
    await failed.getByRole('button', { name: 'Try again' }).click();
    await confirm(page, 'Undo all 2');
    await expect(toast(page, 'Undone: delivery of one each of 2 items')).toBeVisible();
    expect(await now()).toEqual(['4', '4', '4']);
    await expect(head).toContainText('Undone');
    await expect(head.getByText('−3')).toHaveCSS('text-decoration-line', 'line-through');
    await toast(page, 'one each of 2').getByRole('button', { name: 'Undo' }).click();
    await expect(toast(page, 'Undone: undo of delivery of one each of 2 items')).toBeVisible();
    expect(await now()).toEqual(['3', '4', '3']);
  });
});

test('Ctrl Z undoes what was last done here, Ctrl Shift Z does it again, and both leave fields alone', async ({
  page,
}) => {
  test.skip(isPhone(page), 'about keyboards');
  test.slow();
  const { id, name } = await anItem(page.request);
  await page.goto(`/dashboard/inventory/${id}`);
  await expect(number(page)).toHaveText('5');
  await page.keyboard.press('Control+z');
  await expect(toast(page, 'There is nothing to undo.')).toBeVisible();

  const deliver = page.getByRole('button', { name: 'Delivered', exact: true });
  await deliver.click();
  await deliver.click();
  await page.getByLabel('Restock the items').fill('10');
  await page.getByRole('button', { name: 'Update Stock' }).click();
  await expect(number(page)).toHaveText('13');
  // In a field the keys are the field's own.
  await page.getByLabel('Restock the items').fill('5');
  await page.keyboard.press('Control+z');
  await expect(number(page)).toHaveText('13');
  await page.getByRole('heading', { level: 1 }).click();

  await page.keyboard.press('Control+z');
  await expect(toast(page, `Undone: restock of 10 × ${name}`)).toBeVisible();
  await expect(number(page)).toHaveText('3');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await expect(number(page)).toHaveText('5');
  await page.keyboard.press('Control+Shift+z');
  await expect(number(page)).toHaveText('4');
  await expect(toast(page, `Done again: delivery of 1 × ${name}`)).toBeVisible();

  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page).toHaveURL(/manage-inventory/);
  await expect(toast(page, `${name} was deleted.`)).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(toast(page, `Undone: deletion of ${name}`)).toBeVisible();
  expect((await itemNow(page.request, id)).quantity).toBe('4');

  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(help).toContainText('Undo the last action');
  await expect(help).toContainText('Redo what was undone');
});

test('Ctrl Z takes a bulk action back as one, and an item that was just created', async ({ page }) => {
  test.skip(isPhone(page), 'about keyboards');
  await signIn(page.request);
  const word = newWord();
  const ids = await addItems(page.request, [{ name: `${word} A` }, { name: `${word} B` }]);
  await page.goto(`/dashboard/manage-inventory?q=${word}`);
  await showBoxes(page);
  for (const letter of ['A', 'B']) await box(page, `${word} ${letter}`).check();
  await bar(page).getByRole('button', { name: 'Deliver one of each' }).click();
  await expect(toast(page, 'One unit each of 2 items was delivered.')).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(toast(page, 'Undone: delivery of one each of 2 items')).toBeVisible();
  for (const id of ids) expect((await itemNow(page.request, id)).quantity).toBe('20');
  await page.keyboard.press('Control+Shift+z');
  await expect(toast(page, 'Done again: delivery of one each of 2 items')).toBeVisible();
  for (const id of ids) expect((await itemNow(page.request, id)).quantity).toBe('19');

  await page.goto('/dashboard/add-inventory-item');
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

test.describe('the page', () => {
  test('is filtered by kind, person, item and time, and the address says so', async ({ page }) => {
    const { id, name } = await anItem(page.request);
    await move(page.request, id, { kind: 'restock', units: 2 });
    await page.goto('/dashboard/history');
    await expect(lines(page).first()).toBeVisible();
    const filters = page.getByRole('button', { name: 'Filters' });
    if (await filters.isVisible()) await filters.click();
    await page.getByLabel('Kind').selectOption('Restocked');
    await expect(page).toHaveURL(/kind=restock/);
    await page.getByLabel('Person').selectOption('Demo Dealer');
    await expect(page).toHaveURL(/by=/);
    await page.getByRole('combobox', { name: 'Item' }).fill(name);
    await page.getByRole('option', { name }).click();
    await expect(page).toHaveURL(new RegExp(`item=${id}`));
    await expect(lines(page)).toHaveCount(1);
    await expect(lines(page)).toContainText('+2');
    await page.getByLabel('To', { exact: true }).fill('2020-01-01');
    await expect(page.getByText('Nothing in the history answers to this.')).toBeVisible();
    await page.goBack();
    await expect(lines(page)).toHaveCount(1);
    await page.reload();
    await expect(lines(page)).toHaveCount(1);
    await expect(page.getByRole('combobox', { name: 'Item' })).toHaveValue(name);
    await page.getByRole('button', { name: 'Any item again' }).click();
    await expect(page).not.toHaveURL(/item=/);
    await expect(page.getByRole('combobox', { name: 'Item' })).toBeFocused();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(page).toHaveURL(/\/dashboard\/history$/);
  });

  test('takes a day that is typed, digit by digit', anyScreen, async ({ page }) => {
    await anItem(page.request);
    await page.goto('/dashboard/history');
    await expect(lines(page).first()).toBeVisible();
    const filters = page.getByRole('button', { name: 'Filters' });
    if (await filters.isVisible()) await filters.click();
    const from = page.getByLabel('From', { exact: true });
    await from.focus();
    await page.keyboard.type('05142025', { delay: 30 });
    await expect(from).toHaveValue('2025-05-14');
    await expect(page).toHaveURL(/[?&]from=2025-05-14/);
  });

  test(
    'exports what it shows as CSV, with nothing in it that a spreadsheet would calculate',
    anyScreen,
    async ({ page }) => {
      await signIn(page.request);
      const name = `=SUM(1) ${newWord()}`;
      const [id = ''] = await addItems(page.request, [{ name, quantity: 3 }]);
      await move(page.request, id, { kind: 'deliver', units: 2, note: '+49 to be called' });
      await history(page, `item=${id}`);
      await expect(lines(page)).toHaveCount(2);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export CSV' }).click(),
      ]);
      expect(download.suggestedFilename()).toMatch(/^history-\d{4}-\d{2}-\d{2}\.csv$/);
      const [head, first, second, end] = (await readFile(await download.path(), 'utf8')).split('\r\n');
      expect(head).toContain('"time","kind","item","difference","on hand","person"');
      expect(first).toContain(`"deliver","'${name}",-2,1,"Demo Dealer","","'+49 to be called"`);
      expect(second).toContain(`"opening","'${name}",3,3`);
      expect(end).toBe('');
      await expect(toast(page, '2 entries were exported.')).toBeVisible();
    },
  );

  test('goes on as one scrolls, keeps its place for who comes back, and does not move under who reads', async ({
    page,
  }) => {
    const { id, name } = await anItem(page.request, 200);
    // Lines of several heights: to come back, one has to know them.
    const note = 'For the shop window in the Rue du Four, to be fetched on Friday by whoever is there. '.repeat(3);
    for (let restocks = 0; restocks < 8; restocks++) await move(page.request, id, { kind: 'restock', units: 1, note });
    await history(page, '');
    await expect(line(page, name).first()).toBeVisible();
    // More than one page of fifty.
    const lastDrawn = async () => {
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      return Number(await page.locator('tr[data-index]').last().getAttribute('data-index'));
    };
    await expect.poll(lastDrawn).toBeGreaterThan(80);
    expect(await lines(page).count()).toBeLessThan(60);
    await page.evaluate(() => scrollTo(0, 3_000));
    await page.waitForTimeout(300);
    const before = await topLine(page);
    await move(page.request, id, { kind: 'deliver', units: 1 });
    const news = page.getByRole('button', { name: '1 new entry' });
    await expect(news).toBeVisible();
    expect(await topLine(page)).toEqual(before);

    await page.locator(`tr[data-entry="${before.id}"]`).getByRole('link').click();
    await expect(page).toHaveURL(/inventory\//);
    await page.goBack();
    await expect.poll(() => topLine(page)).toMatchObject({ id: before.id });
    if (await news.isVisible()) await news.click();
    else await page.evaluate(() => scrollTo(0, 0));
    await expect(line(page, name).first()).toContainText('Delivered');
  });

  test('says when it cannot be loaded or breaks, and tries again', anyScreen, async ({ page, faults }) => {
    faults.allow(/history|Failed to load|null/);
    await signIn(page.request);
    let answer: 'fail' | 'work' | 'break' = 'fail';
    await page.route('**/history?limit=50', (route) => {
      if (answer === 'work') return route.continue();
      return answer === 'fail' ? route.abort() : route.fulfill({ json: [null] });
    });
    await history(page, '');
    const alert = page.getByRole('main').getByRole('alert');
    await expect(alert).toContainText('The history could not be loaded.');
    answer = 'break';
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(alert).toContainText('Something broke on this page.');
    answer = 'work';
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await expect(lines(page).first()).toBeVisible();
  });
});

/** The entry at the top of the window, and where exactly it is. */
function topLine(page: Page): Promise<{ id: string; top: number }> {
  return page.evaluate(() => {
    const rows = [...document.querySelectorAll<HTMLElement>('tr[data-entry]')];
    const row = rows.find((one) => one.getBoundingClientRect().top > 120);
    return { id: row?.dataset.entry ?? '', top: Math.round(row?.getBoundingClientRect().top ?? 0) };
  });
}

const ONE_PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test.describe('editing an item', () => {
  const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();

  test('checks the fields, sends only what was changed, and can be undone in the toast', async ({ page }) => {
    const { id, name } = await anItem(page.request);
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
    const [request] = await Promise.all([page.waitForRequest('**/edit'), save(page)]);
    expect(request.postDataJSON()).toEqual({
      changes: { name: `${name} Noir`, reorderPoint: 7 },
      seen: { name, reorderPoint: null },
    });
    await expect(page).toHaveURL(`/dashboard/inventory/${id}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${name} Noir`);
    await toast(page, `${name} Noir was saved.`).getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
    expect(await itemNow(page.request, id)).toMatchObject({ name, reorderPoint: null });
  });

  test('keeps what is typed over a reload, and says when nothing was changed', anyScreen, async ({ page }) => {
    const { id } = await anItem(page.request);
    await page.goto(`/dashboard/inventory/${id}/edit`);
    await page.getByLabel('Supplier name').fill('Port & Fils');
    await page.getByLabel('Reorder point').fill('9');
    await page.reload();
    await expect(page.getByText('Draft restored')).toBeVisible();
    await expect(page.getByLabel('Supplier name')).toHaveValue('Port & Fils');
    await expect(page.getByLabel('Reorder point')).toHaveValue('9');
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect(page.getByLabel('Supplier name')).toHaveValue('Verrière');
    await save(page);
    await expect(toast(page, 'Nothing was changed.')).toBeVisible();
  });

  test(
    'with a picture that does not arrive saves nothing without it, and keeps still meanwhile',
    anyScreen,
    async ({ page, faults }) => {
      faults.allow(/415/);
      const { id, name } = await anItem(page.request);
      await page.route('**/uploads', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 500));
        await route.fulfill({ status: 415, json: { code: 'not_a_picture', status: 415 } });
      });
      let sent = 0;
      page.on('request', (request) => {
        if (request.url().endsWith('/edit') && request.method() === 'POST') sent++;
      });
      await page.goto(`/dashboard/inventory/${id}/edit`);
      const field = page.getByLabel('Name', { exact: true });
      await field.fill(`${name} Noir`);
      const buffer = Buffer.from(ONE_PIXEL, 'base64');
      await page.locator('input[type=file]').first().setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer });
      await save(page);
      await expect(field).not.toBeEditable();
      await expect(page.getByRole('main').getByRole('alert')).toContainText('not a picture we can use');
      await expect(field).toBeEditable();
      await expect(page).toHaveURL(`/dashboard/inventory/${id}/edit`);
      expect(sent).toBe(0);
      await save(page);
      await expect(page).toHaveURL(`/dashboard/inventory/${id}`);
      expect(await itemNow(page.request, id)).toMatchObject({ name: `${name} Noir` });
    },
  );

  test(
    'by two people: different fields merge, of the same field one is asked, and nothing typed is lost',
    anyScreen,
    async ({ page, browser, baseURL, faults }) => {
      faults.allow(/409/);
      const { id, name } = await anItem(page.request);
      const other = await colleague(browser, page, baseURL);
      await page.goto(`/dashboard/inventory/${id}/edit`);
      await other.goto(`/dashboard/inventory/${id}/edit`);
      await page.getByLabel('Name', { exact: true }).fill(`${name} mine`);
      await page.getByLabel('Supplier name').fill('Mine & Fils');
      await other.getByLabel('Price').fill('61');
      await save(other);
      await expect(other).toHaveURL(`/dashboard/inventory/${id}`);
      // What nobody touched here follows.
      await expect(page.getByLabel('Price')).toHaveValue('61.00');
      await edit(other.request, id, { name: `${name} theirs`, suplierName: 'Theirs & Co' });
      await expect(page.getByText(`Somebody has changed this to “${name} theirs”.`)).toBeVisible();
      await expect(page.getByLabel('Name', { exact: true })).toHaveValue(`${name} mine`);

      await save(page);
      await expect(dialog(page)).toContainText('2 fields were changed');
      await expect(dialog(page)).toContainText(`${name} theirs`);
      expect(await itemNow(page.request, id)).toMatchObject({ name: `${name} theirs` });
      await dialog(page)
        .getByRole('group', { name: 'Supplier name' })
        .getByRole('radio', { name: /Take theirs/ })
        .check();
      await save(page);
      await expect(page).toHaveURL(`/dashboard/inventory/${id}`);
      expect(await itemNow(page.request, id)).toMatchObject({
        name: `${name} mine`,
        suplierName: 'Theirs & Co',
        price: 61,
      });
      await other.context().close();
    },
  );
});

test.describe('everybody can use it', () => {
  for (const [language, scheme] of looksWithLongWords)
    test(`axe finds nothing and nothing is too wide, ${scheme}, ${language}`, async ({
      page,
      context,
      baseURL,
      faults,
    }) => {
      // Four pages are looked through.
      test.slow();
      faults.allow(/409/);
      await context.addCookies([{ name: 'language', value: language, url: baseURL ?? '' }]);
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      const { id, name } = await anItem(page.request);
      const ids = [id, ...(await addItems(page.request, [{ name }]))];
      await page.request.post('/bulk', { data: { batch: crypto.randomUUID(), action: 'deliver', ids } });
      await move(page.request, id, { kind: 'restock', units: 2, note: 'Delivery note 7' });
      await edit(page.request, id, { price: 3, img: '/bottles/iris-de-craie.svg' });
      await history(page, '');
      await expect(line(page, name).first()).toBeVisible();
      // The button of the bulk action has named its number, and with it the longest words of the page.
      await expect(page.locator('tr:not([data-entry]) button', { hasText: /[2٢]|الاثنين/ }).first()).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      expect(await brokenRules(page)).toEqual([]);
      await line(page, name).first().locator('button').click();
      await expect(dialog(page).locator('ins').first()).toBeVisible();
      expect(await brokenRules(page)).toEqual([]);
      await page.goto(`/dashboard/inventory/${id}/edit`);
      await page.locator('input[name="name"]').fill(`${name} x`);
      expect(await brokenRules(page)).toEqual([]);
      await edit(page.request, id, { name: `${name} y` });
      await page.locator('form button[type="submit"]').click();
      await expect(dialog(page)).toBeVisible();
      expect(await brokenRules(page)).toEqual([]);
    });

  test('nothing is cut off or too small to hit at 320 px, from right to left', async ({ page, context, baseURL }) => {
    test.skip(!isPhone(page), 'about phones');
    const { id, name } = await anItem(page.request);
    await edit(page.request, id, { name: `${name} ${'long '.repeat(20)}` });
    await page.setViewportSize({ width: 320, height: 700 });
    await context.addCookies([{ name: 'language', value: 'ar', url: baseURL ?? '' }]);
    const batch = crypto.randomUUID();
    const [other = ''] = await addItems(page.request, [{ name }]);
    await page.request.post('/bulk', { data: { batch, action: 'deliver', ids: [id, other] } });
    for (const path of ['/dashboard/history', `/dashboard/inventory/${id}`, `/dashboard/inventory/${id}/edit`]) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      if (!path.endsWith('edit')) await expect(lines(page).first()).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
      const small = await page
        .getByRole('main')
        .locator('button:visible, select:visible, input:visible:not([type="radio"])')
        .evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().height < 44).map((one) => one.outerHTML));
      expect(small).toEqual([]);
    }
  });
});
