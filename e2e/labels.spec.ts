import { withCheckDigit } from '@perfume/domain/codes';
import type { Page } from '@playwright/test';
import { axeViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { anyScreen, appearancesWithLongWords, axeWidths } from './form.ts';
import { addItems, logInAsDealer, selectionBar, showCheckboxes, toast, uniqueWord } from './inventory-helpers.ts';
import { readLabels } from './read-labels.ts';
import { expectLargeEnough, expectToFitAt } from './screens.ts';

const sheet = (page: Page) => page.getByRole('combobox', { name: 'Sheet' });
const listed = (page: Page) => page.getByRole('region', { name: 'Items', exact: true }).getByRole('listitem');
const preview = (page: Page, summary: string) => page.getByRole('figure', { name: `Preview: ${summary}` });

/** Prints the page as its print dialog would, and reads the result. */
const printed = async (page: Page) => readLabels(await page.pdf({ preferCSSPageSize: true, printBackground: false }));

/** Returns an EAN-13 that no other test uses. */
const uniqueEan = () => withCheckDigit(`400${String(Date.now() * 10 + process.pid).slice(-9)}`);

test.beforeEach(({ context }) => logInAsDealer(context.request));

test('labels of a selection are printed, and a barcode reader reads every one', async ({ page, context }) => {
  test.slow();
  const word = uniqueWord();
  const [ean, long] = [uniqueEan(), `LONG-CODE-OF-A-SUPPLIER-${word}`];
  const names = ['Long', 'None', 'Short', 'Ean'].map((name) => `${name} ${word}`);
  await addItems(context.request, [
    { name: `Long ${word}`, quantity: 1, barcodes: [long] },
    { name: `None ${word}`, quantity: 0 },
    { name: `Short ${word}`, quantity: 2, barcodes: [`PW-${word}`] },
    { name: `Ean ${word}`, quantity: 3, price: 148, barcodes: [ean] },
  ]);
  const codes = [
    { format: 'EAN13', text: ean },
    { format: 'Code128', text: `PW-${word}` },
    { format: 'QRCode', text: long },
  ];

  await test.step('the selection opens the labels, and says which items have no code', async () => {
    await page.goto(`/dashboard/manage-inventory?q=${word}`);
    await showCheckboxes(page);
    await page.getByRole('checkbox', { name: 'Select all matching items' }).click();
    await expect(selectionBar(page)).toContainText('All 4 matching items are selected');
    await selectionBar(page).getByRole('button', { name: 'Labels' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Labels');
    await expect(listed(page)).toHaveCount(4);
    await expect(preview(page, '3 labels · 1 page')).toBeVisible();
    await expect(page.getByText('1 item has no code and is left out.')).toBeVisible();
    expect(await axeViolations(page)).toEqual([]);
  });

  await test.step('prints EAN-13, Code 128 and, for what is too long for bars, QR codes, where the labels are', async () => {
    await page.evaluate(() => {
      window.print = () => document.documentElement.setAttribute('data-printed', '');
    });
    await page.getByRole('button', { name: 'Print or save as PDF' }).click();
    await expect(page.locator('html[data-printed]')).toBeAttached();
    const [first, ...others] = await printed(page);
    expect(others).toEqual([]);
    expect([first?.width, first?.height]).toEqual([expect.closeTo(210, 0), expect.closeTo(297, 0)]);
    expect(first?.codes.map(({ format, text }) => ({ format, text }))).toEqual(expect.arrayContaining(codes));
    expect(first?.codes).toHaveLength(3);
    // The bars begin after the quiet zone of a symbol of 56.5 mm, in the middle of the first label of 70 mm.
    expect(first?.codes.find(({ text }) => text === ean)?.left).toBeCloseTo((70 - 56.5) / 2 + 5.5, 0);
    expect(first?.text).toContain(`Ean${word}`);
    expect(first?.text).toContain('$148.00');
    expect(first?.text).toContain(ean);
    expect(first?.text).not.toContain('Preview');
    expect(first?.text).not.toContain('Printorsave');
  });

  await test.step('items without a code get one of ours, which can be undone', async () => {
    const create = page.getByRole('button', { name: 'Create missing codes' });
    await create.click();
    await expect(preview(page, '4 labels · 1 page')).toBeVisible();
    await expect(create).toBeHidden();
    await expect(listed(page).filter({ hasText: `None ${word}` })).toContainText(/2\d{12}/);
    await toast(page, '1 item got a code.').getByRole('button', { name: 'Undo' }).click();
    await expect(preview(page, '3 labels · 1 page')).toBeVisible();
    await create.click();
    await expect(preview(page, '4 labels · 1 page')).toBeVisible();
    await expect(create).toBeHidden();
  });

  await test.step('prints a QR code on each label of a roll, as many as there are units', async () => {
    const none = listed(page).filter({ hasText: `None ${word}` });
    const own = (await none.textContent())?.slice(-13);
    await sheet(page).selectOption('Roll, 57 × 32 mm');
    await page.getByRole('radio', { name: 'QR code' }).check();
    await expect(preview(page, '4 labels · 4 pages')).toBeVisible();
    const one = await printed(page);
    expect(one.flatMap((label) => label.codes.map(({ format, text }) => [format, text])).sort()).toEqual(
      [ean, `PW-${word}`, long, own].map((text) => ['QRCode', text]).sort(),
    );
    await page.getByRole('radio', { name: 'As many as on hand' }).check();
    await expect(preview(page, '6 labels · 6 pages')).toBeVisible();
    const pages = await printed(page);
    for (const { width, height } of pages)
      expect([width, height]).toEqual([expect.closeTo(57, 0), expect.closeTo(32, 0)]);
    expect(pages.map((label) => label.codes.map(({ text }) => text))).toEqual(
      names.toReversed().flatMap((name) => {
        if (name.startsWith('Ean')) return [[ean], [ean], [ean]];
        if (name.startsWith('Short')) return [[`PW-${word}`], [`PW-${word}`]];
        return name.startsWith('Long') ? [[long]] : [];
      }),
    );
    await page.getByRole('radio', { name: 'A number' }).check();
    await page.getByRole('textbox', { name: 'Labels of each item' }).fill('501');
    await expect(page.getByText('Only the first 2,000 of 2,004 labels are printed.')).toBeVisible();
    await expect(preview(page, '2,000 labels · 2,000 pages')).toBeVisible();
  });
});

test(
  'labels of one item, of a search, of what arrived: from the first free label on, or of a size of one’s own',
  anyScreen,
  async ({ page, context }) => {
    test.slow();
    const word = uniqueWord();
    const [first, second] = [uniqueEan(), `S-${word}`];
    const [id] = await addItems(context.request, [
      { name: `First ${word}`, barcodes: [first] },
      { name: `Second ${word}`, barcodes: [second] },
    ]);

    await test.step('from the page of an item', async () => {
      await page.goto(`/dashboard/inventory/${id}`);
      await page.getByRole('link', { name: 'Print label' }).click();
      await expect(listed(page)).toHaveText([`First ${word}${first}`]);
      await expect(preview(page, '1 label · 1 page')).toBeVisible();
    });

    await test.step('with an item that is found by its name', async () => {
      await page.getByRole('combobox', { name: 'Add an item' }).fill(`Second ${word}`);
      await page.getByRole('option', { name: `Second ${word}` }).click();
      await expect(listed(page)).toHaveText([`First ${word}${first}`, `Second ${word}${second}`]);
      await expect(preview(page, '2 labels · 1 page')).toBeVisible();
    });

    await test.step('from the last free label of a sheet to the next sheet', async () => {
      const field = page.getByRole('textbox', { name: 'First free label' });
      await field.fill('25');
      await expect(page.getByText('Enter a whole number from 1 to 24')).toBeVisible();
      await field.fill('24');
      await expect(preview(page, '2 labels · 2 pages')).toBeVisible();
      const [one, two, ...others] = await printed(page);
      expect([others, one?.codes.length, two?.codes.length]).toEqual([[], 1, 1]);
      expect(one?.codes[0]).toMatchObject({ text: first, left: expect.closeTo(140 + 12.25, 0) });
      expect(one?.codes[0]?.top).toBeGreaterThan(259);
      expect(two?.codes[0]?.text).toBe(second);
      expect(two?.codes[0]?.top).toBeLessThan(20);
    });

    await test.step('of a size of one’s own, which the device remembers', async () => {
      await sheet(page).selectOption('Own size, one label per page');
      await page.getByRole('textbox', { name: 'Width in mm' }).fill('10');
      await expect(page.getByText('Enter a number from 15 to 200')).toBeVisible();
      await page.getByRole('textbox', { name: 'Width in mm' }).fill('40,5');
      await page.getByRole('textbox', { name: 'Height in mm' }).fill('25');
      await page.getByRole('checkbox', { name: 'Price' }).uncheck();
      await expect(preview(page, '2 labels · 2 pages')).toBeVisible();
      await page.reload();
      await expect(sheet(page)).toHaveValue('own');
      await expect(page.getByRole('textbox', { name: 'Width in mm' })).toHaveValue('40.5');
      await expect(page.getByRole('checkbox', { name: 'Price' })).not.toBeChecked();
      await expect(preview(page, '2 labels · 2 pages')).toBeVisible();
      const pages = await printed(page);
      expect(
        pages.map(({ width, height, codes }) => [Math.round(width * 2) / 2, Math.round(height), codes[0]?.text]),
      ).toEqual([
        [40.5, 25, first],
        [40.5, 25, second],
      ]);
      expect(pages[0]?.text).not.toContain('$');
    });

    await test.step('of what arrived, which somebody else’s edit changes at once', async () => {
      await page.getByRole('button', { name: 'Remove all' }).click();
      await expect(page.getByText('Add items to see their labels.')).toBeVisible();
      await page.getByRole('button', { name: 'Last 24 hours' }).click();
      const row = listed(page).filter({ hasText: word });
      await expect(row).toHaveText([`Second ${word}${second}`, `First ${word}${first}`]);
      await context.request.post(`/inventory-items/${id}/edit`, { data: { changes: { name: `Third ${word}` } } });
      await expect(row).toHaveText([`Second ${word}${second}`, `Third ${word}${first}`]);
      await row.getByRole('button', { name: `Remove Third ${word}` }).click();
      await expect(row).toHaveText([`Second ${word}${second}`]);
    });
  },
);

for (const [language, scheme] of appearancesWithLongWords)
  test(
    `axe finds nothing, and nothing is cut off or too small to hit: ${scheme}, ${language}`,
    anyScreen,
    async ({ page, context, baseURL }) => {
      test.slow();
      const ids = await addItems(context.request, [
        { name: `عطر العود ${uniqueWord()}`, barcodes: [uniqueEan()] },
        { name: `${'Extraordinairement '.repeat(4)}${uniqueWord()}` },
      ]);
      await context.addCookies([
        { name: 'language', value: language, url: baseURL ?? '' },
        { name: 'labels', value: 'sheet=own', url: baseURL ?? '' },
      ]);
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      await page.goto(`/dashboard/labels?ids=${ids.join(',')}`);
      const main = page.getByRole('main');
      await expect(main.getByRole('figure')).toBeVisible();
      await expect(main.getByRole('listitem')).toHaveCount(2);
      await expectToFitAt(page, 320, 640);
      await expectLargeEnough(main.locator('button, select, input:not([type=radio], [type=checkbox])'));
      for (const width of axeWidths(scheme)) {
        await expectToFitAt(page, width);
        expect(await axeViolations(page)).toEqual([]);
      }
    },
  );
