import type { Page } from '@playwright/test';
import { axeViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { addItems, isPhone, row, toast, uniqueWord } from './inventory-helpers.ts';
import { expectLargeEnough, expectNoSidewaysScroll } from './screens.ts';
import { twoPeople } from './two-people.ts';

// A view is shared, and other files look at the views of their shop.
test.use({ shop: 'columns' });

const manage = '/dashboard/manage-inventory';
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Columns' });
const heads = (page: Page) => page.locator('th[data-column]');
const openColumns = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Columns' }).click();

test('people choose columns and their order, which a device and a saved view keep', async ({
  browser,
  context,
  baseURL,
}) => {
  test.slow();
  const [one, other] = await twoPeople({ browser, context, baseURL });
  const word = uniqueWord();
  const [id = ''] = await addItems(one.request, [{ name: `Amber ${word}`, quantity: 3, price: 20 }]);
  await one.request.post(`/inventory-items/${id}/edit`, { data: { changes: { sku: word } } });
  const page = await one.newPage();
  await page.goto(`${manage}?q=${word}`);
  await expect(row(page, `Amber ${word}`)).toBeVisible();

  await test.step('the dialog shows and moves columns, and keeps the focus', async () => {
    await openColumns(page);
    expect(await axeViolations(page, '[role=dialog]')).toEqual([]);
    await expectLargeEnough(dialog(page).getByRole('button'));
    await expect(dialog(page).getByRole('checkbox', { name: 'Product' })).toBeDisabled();
    const sku = dialog(page).getByRole('checkbox', { name: 'SKU' });
    await sku.focus();
    await page.keyboard.press('Space');
    await expect(page).toHaveURL(/[?&]columns=name,dealer,stock,price,sku,update$/);
    await expect(sku).toBeChecked();
    await expect(sku).toBeFocused();
    const up = dialog(page).getByRole('button', { name: 'Move SKU up' });
    await up.focus();
    for (const place of [4, 3]) {
      await page.keyboard.press('Enter');
      await expect(dialog(page).getByRole('status')).toHaveText(`SKU: place ${place} of 6`);
      await expect(up).toBeFocused();
    }
    await dialog(page).getByRole('checkbox', { name: 'Dealer Info' }).uncheck();
    await expect(page).toHaveURL(/[?&]columns=name,sku,stock,price,update$/);
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toBeHidden();
  });

  const expectColumns = async (on: Page) => {
    await expect(row(on, `Amber ${word}`)).toContainText(word);
    // A phone has one line with the chosen fields instead of columns.
    if (isPhone(on)) await expect(row(on, `Amber ${word}`)).toContainText(`SKU ${word}$20.00`);
    else await expect(heads(on)).toHaveText(['Product', 'SKU', 'Abaility', 'price', 'Update']);
  };

  await test.step('the list shows them', async () => {
    await expectColumns(page);
    expect(await axeViolations(page)).toEqual([]);
    await expectNoSidewaysScroll(page, 'with chosen columns');
  });

  await test.step('a saved view has them, for everybody who opens it', async () => {
    await page.getByRole('main').getByRole('button', { name: 'Save view', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Save view' });
    await form.getByRole('textbox', { name: 'Name' }).fill(`Codes ${word}`);
    await form.getByRole('checkbox', { name: 'Share with everybody in the warehouse' }).check();
    await form.getByRole('button', { name: 'Save view' }).click();
    await expect(toast(page, `“Codes ${word}” was saved.`)).toBeVisible();
    const view = new URL(page.url()).searchParams.get('view') ?? '';
    const second = await other.newPage();
    await second.goto(`/dashboard/saved/${view}`);
    await expectColumns(second);
    await second.goto(`${manage}?q=${word}`);
    await expect(heads(second)).toHaveText(['Product', 'Dealer Info', 'Abaility', 'price', 'Update']);
  });

  await test.step('the device keeps them for this page only, until they are reset', async () => {
    await page.goto(`${manage}?q=${word}&stock=in`);
    await expectColumns(page);
    // A new view has what the person sees.
    await page.getByRole('main').getByRole('button', { name: 'Save view', exact: true }).click();
    await expect(page.getByRole('dialog', { name: 'Save view' })).toBeVisible();
    await expect(page).toHaveURL(`${manage}?q=${word}&stock=in&columns=name,sku,stock,price,update`);
    await page.goto('/dashboard/my-item');
    await expect(row(page, `Amber ${word}`)).toBeVisible();
    if (isPhone(page)) await expect(row(page, `Amber ${word}`)).not.toContainText('SKU');
    else await expect(heads(page)).toHaveText(['Product', 'Dealer Info', 'Abaility', 'price', 'Update']);
    await page.goto(`${manage}?q=${word}&columns=x,sku,price,sku:9`);
    if (!isPhone(page)) await expect(heads(page)).toHaveText(['Product', 'SKU', 'price']);
    await expect(row(page, `Amber ${word}`)).toContainText(word);
    await openColumns(page);
    await dialog(page).getByRole('button', { name: 'Reset' }).click();
    await expect(page).toHaveURL(`${manage}?q=${word}`);
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toBeHidden();
    if (isPhone(page)) await expect(row(page, `Amber ${word}`)).not.toContainText('SKU');
    else await expect(heads(page)).toHaveText(['Product', 'Dealer Info', 'Abaility', 'price', 'Update']);
  });
  await other.close();
});

test('columns are resized with the keyboard, the pointer and a double click, mirrored in Arabic', async ({
  page,
  context,
  baseURL,
}) => {
  test.skip(isPhone(page), 'a phone has no columns to resize');
  await context.request.post('/demo/sign-in', { data: {} });
  await page.goto(manage);
  const head = (column: string) => page.locator(`th[data-column="${column}"]`);
  const widthOf = async (column: string) => Math.round((await head(column).boundingBox())?.width ?? 0);
  const price = page.getByRole('separator', { name: 'Width of price' });
  await expect(price).toBeVisible();
  const before = { price: await widthOf('price'), dealer: await widthOf('dealer') };

  await test.step('the arrow keys move the edge; other columns keep their width', async () => {
    await price.focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await expect(price).toHaveAttribute('aria-valuenow', String(before.price + 32));
    await expect(page).toHaveURL(new RegExp(`[?&]columns=name,.*price:${before.price + 32},`));
    await expect.poll(() => widthOf('price')).toBe(before.price + 32);
    expect(await widthOf('dealer')).toBe(before.dealer);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => widthOf('price')).toBe(before.price + 16);
    await expect(price).toBeFocused();
    await expectNoSidewaysScroll(page, 'with a wider column');
  });

  await test.step('the pointer drags it, and a double click fits the content', async () => {
    const box = await price.boundingBox();
    if (!box) throw new Error('the handle is on the page');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 20, y);
    await page.mouse.move(x - 40, y);
    await page.mouse.up();
    await expect.poll(() => widthOf('price')).toBe(before.price + 56);
    await expect(page).toHaveURL(new RegExp(`price:${before.price + 56},`));
    await price.dblclick();
    await expect.poll(() => widthOf('price')).toBeLessThan(before.price + 16);
    const clipped = await page
      .locator('tr[data-row] td:nth-child(5)')
      .evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).length);
    expect(clipped).toBe(0);
  });

  await test.step('the next visit has the widths', async () => {
    const fitted = await widthOf('price');
    await page.goto(manage);
    await expect(price).toBeVisible();
    await expect.poll(() => widthOf('price')).toBe(fitted);
    expect(await axeViolations(page)).toEqual([]);
  });

  await test.step('where there is no room left, the other columns shrink', async () => {
    await page.goto(`${manage}?columns=name,dealer:400,stock,sku:200,price:300,update`);
    const sku = page.getByRole('separator', { name: 'Width of SKU' });
    await expect(sku).toBeVisible();
    const [was, dealer] = [await widthOf('sku'), await widthOf('dealer')];
    expect(was).toBeLessThan(200);
    await expectNoSidewaysScroll(page, 'with wide columns');
    await sku.focus();
    await page.keyboard.press('ArrowLeft');
    await expect(sku).toHaveAttribute('aria-valuenow', String(was + 16));
    await expect.poll(async () => Math.abs((await widthOf('sku')) - was - 16)).toBeLessThanOrEqual(1);
    expect(await widthOf('dealer')).toBeLessThan(dealer);
    await expectNoSidewaysScroll(page, 'with a wider column');
  });

  await test.step('in Arabic the edge is on the other side', async () => {
    await context.addCookies([{ name: 'language', value: 'ar', url: baseURL ?? '' }]);
    await page.goto(`${manage}?columns=name,price:120,update`);
    const arabic = page.getByRole('separator').first();
    await arabic.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => widthOf('price')).toBe(136);
    const box = await arabic.boundingBox();
    if (!box) throw new Error('the handle is on the page');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 30, y);
    await page.mouse.up();
    await expect.poll(() => widthOf('price')).toBe(166);
  });
});
