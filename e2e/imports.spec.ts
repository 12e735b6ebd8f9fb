import type { Page } from '@playwright/test';
import { axeViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { oneScreenFor } from './form.ts';
import { addItems, isPhone, logInAsDealer, toast, uniqueWord } from './inventory-helpers.ts';
import { expectToFitAt } from './screens.ts';

const figure = (page: Page, label: string) => page.locator('dl div').filter({ hasText: label }).locator('dd');
const quantityOf = async (page: Page, code: string) => {
  const answer = await page.request.get(`/codes/${code}`);
  return answer.ok() ? (await answer.json()).quantity : null;
};

test('a file is mapped, checked, imported, undone as one, and its bad rows are given back', async ({
  page,
  browserErrors,
}, info) => {
  browserErrors.allow(/429/);
  const word = uniqueWord();
  await logInAsDealer(page.request);
  const [known] = await addItems(page.request, [{ name: `Known ${word}`, quantity: 4 }]);
  await page.request.post(`/inventory-items/${known}/edit`, { data: { changes: { sku: `${word}-1` } } });
  const rows = [
    'What;SKU;Qty;Price',
    `Known ${word};${word}-1;9;50,00`,
    `New ${word};${word}-2;3;12,50`,
    `Bad ${word};${word}-3;many;1,00`,
  ];

  await test.step('the file is chosen, and what it would do is shown', async () => {
    await page.goto('/dashboard/import');
    await expect(page.getByRole('heading', { name: 'Import', level: 1 })).toBeVisible();
    // Others are sending their files at this moment, so it is sent again.
    const busy = { status: 429, headers: { 'retry-after': '1' }, json: { code: 'too_many' } };
    await page.route('**/imports?*', (route) => route.fulfill(busy), { times: 1 });
    if (info.project.name === 'desktop') {
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Choose a file' }).click();
      const file = { name: `${word}.csv`, mimeType: 'text/csv', buffer: Buffer.from(rows.join('\r\n')) };
      await (await chooser).setFiles(file);
      await expect(page.getByRole('heading', { name: `${word}.csv`, level: 1 })).toBeVisible();
    } else {
      // On a phone: rows that were copied in a spreadsheet.
      await page.evaluate((text) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', text);
        document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
      }, rows.join('\n'));
      await expect(page.getByRole('heading', { name: 'Pasted rows', level: 1 })).toBeVisible();
    }
    // Without the names, only the known item can be changed.
    await expect(page.getByText('Choose the columns that hold the name and the price.')).toBeVisible();
    await expect(figure(page, 'To change')).toHaveText('1');
    await expect(figure(page, 'With problems')).toHaveText('2');
    await page.getByRole('combobox', { name: 'What “What” holds' }).selectOption('Name');
    await expect(figure(page, 'To add')).toHaveText('1');
    await expect(figure(page, 'With problems')).toHaveText('1');
    await expect(page.getByRole('row').nth(1)).toContainText('Enter a whole number');
    expect(await axeViolations(page)).toEqual([]);
  });

  await test.step('only what may change is changed', async () => {
    await page.getByRole('radio', { name: 'Only add' }).check();
    await expect(figure(page, 'To change')).toHaveText('0');
    await page.getByRole('radio', { name: 'Add and update' }).check();
    await expect(figure(page, 'To change')).toHaveText('1');
    expect(await quantityOf(page, `${word}-1`)).toBe('4');
  });

  await test.step('it is imported, also while the page is reloaded', async () => {
    await page.getByRole('button', { name: 'Import 2 items' }).click();
    await expect(page.getByRole('heading', { name: 'Imported', level: 2 })).toBeVisible();
    await page.reload();
    await expect(figure(page, 'Added')).toHaveText('1');
    await expect(figure(page, 'Changed')).toHaveText('1');
    expect([await quantityOf(page, `${word}-1`), await quantityOf(page, `${word}-2`)]).toEqual(['9', '3']);
    if (isPhone(page)) await expectToFitAt(page, 320);
  });

  await test.step('the bad rows come back as a file that says why', async () => {
    const started = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download these rows' }).click();
    const file = await (await started).createReadStream();
    const text = Buffer.concat(await file.toArray()).toString();
    expect(text).toContain(`"Bad ${word}","${word}-3","many"`);
    expect(text).toContain('quantity: Enter a whole number');
  });

  await test.step('one undo takes all of it back', async () => {
    await page.getByRole('button', { name: 'Undo the import' }).click();
    await expect(toast(page, 'Undone: import of 2 items')).toBeVisible();
    expect([await quantityOf(page, `${word}-1`), await quantityOf(page, `${word}-2`)]).toEqual(['4', null]);
    await page.goto('/dashboard/import');
    await expect(page.getByRole('main').getByRole('listitem').first()).toContainText('Imported');
    expect(await axeViolations(page)).toEqual([]);
  });
});

test(
  'a file that cannot be read is refused with what to do',
  oneScreenFor('light'),
  async ({ page, browserErrors }) => {
    browserErrors.allow(/422/);
    await logInAsDealer(page.request);
    await page.goto('/dashboard/import');
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a file' }).click();
    await (await chooser).setFiles({
      name: 'stock.xls',
      mimeType: '',
      buffer: Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0, 1]),
    });
    await expect(page.getByRole('alert')).toContainText(
      'stock.xls was not read. This is not a table that can be read.',
    );
  },
);
