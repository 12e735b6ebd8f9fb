import { readFile } from 'node:fs/promises';
import { expect, test } from './fixtures.ts';
import { anyScreen, phoneOnly } from './form.ts';
import { scan } from './hand-scanner.ts';
import {
  addItems,
  checkbox,
  logInAsDealer,
  names,
  row,
  selectionBar,
  showCheckboxes,
  toast,
  uniqueWord,
} from './inventory-helpers.ts';

const manage = '/dashboard/manage-inventory';

test.beforeEach(({ context }) => logInAsDealer(context.request));

test('bulk actions deliver, export and delete, and one Undo takes each back', phoneOnly, async ({ page, context }) => {
  test.slow();
  const word = uniqueWord();
  const formula = `=HYPERLINK("http://evil.example","${word}")`;
  await addItems(context.request, [
    { name: formula, quantity: 3, price: 9.5 },
    { name: `${word}, "quoted" é`, quantity: 12, price: 148 },
    ...Array.from({ length: 10 }, (_, n) => ({ name: `${word} ${n}`, quantity: n })),
  ]);
  await page.goto(`${manage}?q=${word}&sort=name`);
  await showCheckboxes(page);
  const all = page.getByRole('checkbox', { name: 'Select all matching items' });

  await test.step('delivers one of each and names the items it could not deliver', async () => {
    await all.click();
    await page.getByRole('link', { name: 'Create new Items' }).click({ trial: true });
    await selectionBar(page).getByRole('button', { name: 'Deliver one of each' }).click();
    const dialog = page.getByRole('dialog', { name: '1 item was not delivered' });
    await expect(dialog.getByRole('listitem')).toHaveText([`${word} 0Only 0 units are on hand.`]);
    await expect(dialog).toContainText('Delivered 1 each of 11 items.');
    await expect(row(page, `${word} 1`)).toContainText('Abailable: 0 in stock');
    await expect(row(page, `${word} 9`)).toContainText('Abailable: 8 in stock');

    // There is no button to retry, because a retry would fail again.
    await expect(dialog.getByRole('button')).toHaveText(['', 'Undo 11 deliveries', 'Close']);
    await dialog.getByRole('button', { name: 'Undo 11 deliveries' }).click();
    await expect(toast(page, 'Undone: delivery of 1 each of 11 items')).toBeVisible();
    await expect(row(page, `${word} 1`)).toContainText('Abailable: 1 in stock');
    await expect(row(page, `${word} 9`)).toContainText('Abailable: 9 in stock');
  });

  await test.step('the export contains the selection, and no name becomes a formula', async () => {
    // Items that could not be delivered stay selected.
    await expect(selectionBar(page)).toContainText('1 selected');
    await all.click();
    await checkbox(page, `${word} 0`).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      selectionBar(page).getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^inventory-\d{4}-\d{2}-\d{2}\.csv$/);
    const lines = (await readFile(await download.path(), 'utf8')).split('\r\n');
    expect(lines[0]).toBe(
      '\ufeff"name","supplier","quantity","price","sku","barcodes","reorder point","description","image","e-mail","id"',
    );
    expect(lines).toHaveLength(13);
    expect(lines[1]).toContain(`"'=HYPERLINK(""http://evil.example"",""${word}"")","Verrière"`);
    expect(lines[2]).toContain(`"${word} 1"`);
    expect(lines[11]).toContain(`"${word}, ""quoted"" é","Verrière",12,148.00,"","","","A bottle`);
    await expect(toast(page, '11 items were exported.')).toBeVisible();
  });

  await test.step('deletes eleven after one confirmation, and Undo restores them all', async () => {
    await selectionBar(page).getByRole('button', { name: 'Delete' }).click();
    const question = page.getByRole('alertdialog', { name: 'Delete 11 items' });
    await expect(question).toContainText('Are you sure? You want to delete!');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByText(`12 items for “${word}”`)).toBeVisible();
    await selectionBar(page).getByRole('button', { name: 'Delete' }).click();
    await question.getByRole('button', { name: 'Delete' }).click();
    await expect(toast(page, '11 items were deleted.')).toBeVisible();
    await expect.poll(() => names(page)).toEqual([`${word} 0`]);
    // In two steps: the toast may be gone before Playwright has released the key.
    await toast(page, '11 items were deleted.').getByRole('button', { name: 'Undo' }).focus();
    await page.keyboard.press('Enter');
    await expect(toast(page, 'Undone: deletion of 11 items')).toBeVisible();
    await expect(page.getByText(`12 items for “${word}”`)).toBeVisible();
    await expect(row(page, `${word} 7`)).toContainText('Abailable: 7 in stock');
  });

  await test.step('delivers five of each by key; items with fewer keep them all and can be restocked', async () => {
    await all.click();
    await expect(selectionBar(page)).toContainText('All 12 matching items are selected');
    await page.keyboard.press('d');
    await expect(page.getByRole('dialog', { name: 'Deliver from 12 items' })).toBeVisible();
    // A scan is no number of units.
    await scan(page, '96385074');
    await expect(page.getByText('In total: 12')).toBeVisible();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('5');
    await expect(page.getByText('In total: 60')).toBeVisible();
    await page.keyboard.press('Enter');
    const report = page.getByRole('dialog', { name: '6 items were not delivered' });
    await expect(report).toContainText('Delivered 5 each of 6 items.');
    await expect(report).toContainText('Deliver fewer of each, restock them, or count an item if its number is wrong.');
    await expect(report.getByRole('listitem').filter({ hasText: `${word} 4` })).toContainText(
      'Only 4 units are on hand.',
    );
    await page.keyboard.press('Escape');
    await expect(row(page, `${word} 4`)).toContainText('Abailable: 4 in stock');
    await expect(row(page, `${word} 9`)).toContainText('Abailable: 4 in stock');
    await expect(selectionBar(page)).toContainText('6 selected');
    // As for a single row, digits before the key are its number.
    await page.keyboard.type('20r');
    await expect(page.getByRole('dialog', { name: 'Restock 6 items' })).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(toast(page, 'Restocked 20 each of 6 items.')).toBeVisible();
    await expect(row(page, `${word} 4`)).toContainText('Abailable: 24 in stock');
    await page.keyboard.press('ControlOrMeta+z');
    await expect(toast(page, 'Undone: restock of 20 each of 6 items')).toBeVisible();
    await expect(row(page, `${word} 4`)).toContainText('Abailable: 4 in stock');
  });

  await test.step('sets the reorder point of all, and one Undo gives each its own again', async () => {
    await all.click();
    const ask = selectionBar(page).getByRole('button', { name: 'Reorder point…' });
    await ask.click();
    const form = page.getByRole('dialog', { name: 'Reorder point of 12 items' });
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(form.getByText('Enter a whole number from 0')).toBeVisible();
    await page.keyboard.type('٣');
    await page.keyboard.press('Enter');
    await expect(toast(page, '12 items now have the reorder point 3.')).toBeVisible();
    await expect(row(page, `${word} 9`)).not.toContainText('Low stock');
    // In two steps: the toast may be gone before Playwright has released the key.
    await toast(page, 'reorder point 3').getByRole('button', { name: 'Undo' }).focus();
    await page.keyboard.press('Enter');
    await expect(toast(page, 'Undone: edit of 12 items')).toBeVisible();
    await expect(row(page, `${word} 9`)).toContainText('Low stock');
    await all.click();
    await ask.click();
    await form.getByRole('button', { name: 'Use the warehouse setting' }).click();
    const unchanged = toast(page, '12 items now use the warehouse setting.');
    await expect(unchanged).toBeVisible();
    await expect(unchanged.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  });
});

test(
  'a list filtered by stock follows changes of others, and "all that match" never exceeds the count shown',
  anyScreen,
  async ({ page, context }) => {
    const word = uniqueWord();
    const [third, gone] = await addItems(context.request, [
      { name: `${word} three`, quantity: 1 },
      { name: `${word} gone`, quantity: 0 },
      { name: `${word} one`, quantity: 0 },
      { name: `${word} two`, quantity: 0 },
    ]);
    await page.goto(`${manage}?q=${word}&stock=out`);
    await row(page, `${word} gone`).getByRole('link').first().click();
    await expect(page.getByRole('heading', { name: `${word} gone` })).toBeVisible();
    await context.request.put(`/inventory-items/${gone}`, { data: { quantity: '5' } });
    await expect(page.getByText('Sold Available')).toBeVisible();
    await page.goBack();
    await expect.poll(() => names(page)).toEqual([`${word} two`, `${word} one`]);

    await showCheckboxes(page);
    await page.getByRole('checkbox', { name: 'Select all matching items' }).click();
    await context.request.put(`/inventory-items/${third}`, { data: { quantity: '0' } });
    await expect(row(page, `${word} three`)).toBeVisible();
    const remove = async (count: number) => {
      await selectionBar(page).getByRole('button', { name: 'Delete' }).click();
      const question = page.getByRole('alertdialog', { name: `Delete ${count} items` });
      await question.getByRole('button', { name: 'Delete' }).click();
    };
    await remove(2);
    await expect(toast(page, 'The selection now contains 3 items.')).toBeVisible();
    await expect(selectionBar(page)).toContainText('3');
    await expect.poll(() => names(page)).toHaveLength(3);
    await remove(3);
    await expect(toast(page, '3 items were deleted.')).toBeVisible();
  },
);

test(
  'a long bulk action shows its progress, can be stopped, and reports failures row by row',
  anyScreen,
  async ({ page, context, browserErrors }) => {
    test.slow();
    browserErrors.allow(/500/);
    const word = uniqueWord();
    await addItems(
      context.request,
      Array.from({ length: 220 }, (_, n) => ({ name: `${word} ${n}` })),
    );
    let requests = 0;
    let respond = () => {};
    const waiting = new Promise<void>((resolve) => {
      respond = resolve;
    });
    await page.route('**/bulk', async (route) => {
      requests++;
      if (requests === 1) return route.fulfill({ status: 500, json: { code: 'internal', detail: 'No' } });
      await waiting;
      return route.continue();
    });
    await page.goto(`${manage}?q=${word}`);
    await page.getByRole('checkbox', { name: 'Select all matching items' }).click();
    await selectionBar(page).getByRole('button', { name: 'Deliver one of each' }).click();
    await expect(selectionBar(page)).toContainText('Delivering: 0 of 220');
    await expect(selectionBar(page).getByRole('progressbar')).toBeVisible();
    await expect.poll(() => requests).toBe(2);
    await selectionBar(page).getByRole('button', { name: 'Cancel' }).click();
    respond();
    const dialog = page.getByRole('dialog', { name: '100 items were not delivered' });
    await expect(dialog.getByRole('listitem').first()).toContainText(
      'Something went wrong. Nothing was changed. Try again.',
    );
    await expect(dialog).toContainText('The remaining items were not processed.');
    await expect(dialog).toContainText('Stopped after 100 of 220.');
    expect(requests).toBe(2);
    await dialog.getByRole('button', { name: 'Try these again' }).click();
    await expect(toast(page, 'Delivered 1 each of 220 items.')).toBeVisible();
    // The history has loaded only some of the 220 entries, but shows the number of all.
    await page.route('**/history?*cursor=*', () => {});
    await page.getByRole('main').getByRole('link', { name: 'History' }).click();
    const together = page.getByRole('row').filter({ hasText: '220 items at once' });
    await expect(together).toContainText('−220');
    await together.getByRole('button', { name: 'Undo all 220' }).click();
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Undo all 220' })).toBeVisible();
  },
);
