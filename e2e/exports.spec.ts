import { hash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { ZipFile } from 'yazl';
import { axeViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { addItems, exportAs, isPhone, logInAsDealer, toast, uniqueWord } from './inventory-helpers.ts';
import { expectToFitAt } from './screens.ts';

const figure = (page: Page, label: string) => page.locator('dl div').filter({ hasText: label }).locator('dd');

async function choose(page: Page, name: string, file: Buffer): Promise<void> {
  const path = test.info().outputPath(name);
  await writeFile(path, file);
  await page.goto('/dashboard/import');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file' }).click();
  await (await chooser).setFiles(path);
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
}

test('what a list shows is exported, mended in a spreadsheet and imported again', async ({ page, browserErrors }) => {
  const word = uniqueWord();
  await logInAsDealer(page.request);
  await addItems(page.request, [
    { name: `B ${word}`, quantity: 0 },
    { name: `A ${word}`, quantity: 3 },
  ]);
  await page.goto(`/dashboard/manage-inventory?q=${word}&sort=name`);
  await expect(page.getByText(`2 items for “${word}”`)).toBeVisible();

  await test.step('as CSV, in the order of the list', async () => {
    const file = await exportAs(page, 'Manage Inventory', 'CSV');
    expect(file.suggestedFilename()).toMatch(/^items-\d{4}-\d{2}-\d{2}\.csv$/);
    await expect(toast(page, `${file.suggestedFilename()} was saved.`)).toBeVisible();
    const text = await readFile(await file.path(), 'utf8');
    expect(text.split('\r\n').slice(1)).toEqual([
      expect.stringContaining(`"A ${word}"`),
      expect.stringContaining(`"B ${word}"`),
      '',
    ]);
    await choose(page, 'mended.csv', Buffer.from(text.replace(',3,', ',8,')));
    await expect(figure(page, 'To change')).toHaveText('1');
    await expect(figure(page, 'Left as they are')).toHaveText('1');
    await page.getByRole('button', { name: 'Import 1 item' }).click();
    await expect(page.getByRole('heading', { name: 'Imported', level: 2 })).toBeVisible();
  });

  await test.step('as a workbook and as JSON lines, of what the filter shows', async () => {
    await page.goto(`/dashboard/manage-inventory?q=${word}&stock=in`);
    await expect(page.getByText(`1 item for “${word}”`)).toBeVisible();
    const lines = await exportAs(page, 'Manage Inventory', 'JSON lines');
    const [item, end] = (await readFile(await lines.path(), 'utf8')).split('\n');
    expect(JSON.parse(item ?? '')).toMatchObject({ name: `A ${word}`, quantity: '8' });
    expect(end).toBe('');
    const workbook = await exportAs(page, 'Manage Inventory', 'Excel (XLSX)');
    expect(workbook.suggestedFilename()).toMatch(/\.xlsx$/);
    await page.getByRole('button', { name: 'Export: Manage Inventory' }).click();
    await expect(page.getByRole('menuitem')).toHaveText(['CSV', 'Excel (XLSX)', 'JSON lines']);
    expect(await axeViolations(page, '[role=menu]')).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await axeViolations(page)).toEqual([]);
    if (isPhone(page)) await expectToFitAt(page, 320);
    await choose(page, 'same.xlsx', await readFile(await workbook.path()));
    await expect(figure(page, 'Left as they are')).toHaveText('1');
  });

  await test.step('it can be cancelled, and says why it failed', async () => {
    browserErrors.allow(/503/);
    await page.goto(`/dashboard/manage-inventory?q=${word}`);
    let isHeld = true;
    await page.route('**/exports/**', (route) =>
      isHeld ? undefined : route.fulfill({ status: 503, json: { code: 'overloaded' } }),
    );
    const button = page.getByRole('button', { name: 'Export: Manage Inventory' });
    await button.click();
    await page.getByRole('menuitem', { name: 'CSV' }).click();
    await expect(page.getByText('Exporting: 0 MB so far')).toBeVisible();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await expect(button).toBeVisible();
    isHeld = false;
    await button.click();
    await page.getByRole('menuitem', { name: 'CSV' }).click();
    await expect(toast(page, /server is busy/)).toBeVisible();
    await expect(button).toBeVisible();
  });
});

test('a whole warehouse is exported as an archive, and an archive of any size is imported', async ({
  page,
  browserErrors,
}) => {
  const word = uniqueWord();
  await logInAsDealer(page.request);
  await addItems(page.request, [{ name: `One ${word}`, quantity: 2 }]);

  await test.step('the archive is downloaded and recognised', async () => {
    await page.goto('/dashboard/import');
    const started = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the archive' }).click();
    const archive = await started;
    expect(archive.suggestedFilename()).toMatch(/^warehouse-.*\.zip$/);
    expect(await axeViolations(page)).toEqual([]);
    await choose(page, 'warehouse.zip', await readFile(await archive.path()));
    await expect(figure(page, 'With problems')).toHaveText('0');
  });

  await test.step('one that is too large for one request is sent in parts', async () => {
    // Whether the server has a picture already is asked first.
    browserErrors.allow(/404/);
    const { name, picture } = await aPicture();
    const zip = new ZipFile();
    const rows = `name,price,image\nLarge ${word},5,/uploads/${name}\n`;
    zip.addBuffer(Buffer.from(rows), 'items.csv');
    zip.addBuffer(picture, `pictures/${name}`, { compress: false });
    zip.addBuffer(Buffer.alloc(33 * 1024 * 1024), 'history.jsonl', { compress: false });
    zip.end();
    await choose(page, 'large.zip', await buffer(zip.outputStream));
    await page.getByRole('button', { name: 'Import 1 item' }).click();
    await expect(page.getByRole('heading', { name: 'Imported', level: 2 })).toBeVisible();
    await expect(figure(page, 'Added')).toHaveText('1');
    expect(await (await page.request.get(`/uploads/${name}`)).body()).toEqual(picture);
  });
});

/** A picture as a server stores it that this one does not have, and the name that it has there. */
async function aPicture(): Promise<{ name: string; picture: Buffer }> {
  const pixels = { width: 8, height: 8, channels: 3 } as const;
  const picture = await sharp(randomBytes(8 * 8 * 3), { raw: pixels })
    .webp()
    .toBuffer();
  return { name: `${hash('sha256', picture, 'hex').slice(0, 40)}.webp`, picture };
}
