import { withCheckDigit } from '@perfume/domain/codes';
import type { APIRequestContext, Page } from '@playwright/test';
import { axeViolations } from './axe.ts';
import { launchWithCamera, type ShownCode, sampleCodes } from './fake-camera.ts';
import { expect, test } from './fixtures.ts';
import { anyScreen, isLongForm, phoneOnly } from './form.ts';
import { scan } from './hand-scanner.ts';
import { addItems, logInAsDealer, navigateInApp, toast, uniqueWord } from './inventory-helpers.ts';
import { expectLargeEnough, expectNoSidewaysScroll, expectToFitAt } from './screens.ts';

const FLOOR = '/dashboard/floor';
const newest = (page: Page) => page.locator('[data-look]').first();
const rowOf = (page: Page, name: string) => page.locator('button[data-action]').filter({ hasText: name });

/** An EAN-13 that no other test uses. */
let numbers = Date.now() % 1e9;
const newEan = () => withCheckDigit(`290${String(++numbers).padStart(9, '0')}`);

async function quantityOf(request: APIRequestContext, id: string): Promise<number> {
  const response = await request.get(`/manage-inventory?_id=${id}`);
  return Number((await response.json())[0].quantity);
}

test.beforeEach(({ context }) => logInAsDealer(context.request));

test('twenty bottles take twenty scans, and by finger at most two taps each', phoneOnly, async ({ page, context }) => {
  const word = uniqueWord();
  const bottles = Array.from({ length: 20 }, (_, n) => ({
    name: `${word} ${n + 10}`,
    quantity: 5,
    barcodes: [newEan()],
  }));
  const ids = await addItems(context.request, bottles);
  const stock = () => Promise.all(ids.map((id) => quantityOf(context.request, id)));
  // The shortest way: one tap on the dashboard.
  await page.goto('/dashboard/admin/home');
  await page.getByRole('main').getByRole('link', { name: 'Floor' }).click();
  await expect(rowOf(page, `${word} 29`)).toBeVisible();

  // All at once, so that none waits for another one's answer.
  await scan(page, ...bottles.flatMap(({ barcodes }) => barcodes));
  await expect(newest(page)).toContainText(`${word} 29`);
  await expect(page.getByText('19 earlier')).toBeVisible();
  await expect.poll(stock).toEqual(ids.map(() => 4));

  let taps = 0;
  const tap = async (target: ReturnType<typeof rowOf>) => {
    taps++;
    await target.tap();
  };
  const search = page.getByRole('searchbox', { name: 'Search for an item' });
  for (const { name } of bottles) {
    if (!(await search.evaluate((field) => field === document.activeElement))) await tap(search);
    await search.fill(name);
    await expect(page.getByRole('list', { name: 'Found items' }).getByRole('listitem')).toHaveCount(1);
    await tap(rowOf(page, name));
    await expect(newest(page)).toContainText(name);
  }
  expect(taps).toBeLessThanOrEqual(2 * bottles.length);
  await expect.poll(stock).toEqual(ids.map(() => 3));
});

test(
  'an unknown code is attached, what is sold out is refused, and everything can be undone',
  anyScreen,
  async ({ page, context, browserErrors }) => {
    browserErrors.allow(/404 .*\/codes\//);
    const word = uniqueWord();
    // Too long for one line of a card on the narrowest screen.
    const oud = `${word} oud in a wide bottle`;
    const [known, unknown, soldOut] = [newEan(), newEan(), newEan()];
    const [id = '', irisId = ''] = await addItems(context.request, [
      { name: oud, quantity: 7, barcodes: [known] },
      { name: `${word} iris`, quantity: 0, barcodes: [soldOut] },
    ]);
    await page.goto(`${FLOOR}?mode=deliver`);
    await expect(rowOf(page, oud)).toBeVisible();

    // The same bottle again is one more, and the scanner leaves no text in the field that has the focus.
    const search = page.getByRole('searchbox', { name: 'Search for an item' });
    await search.fill('rose');
    await scan(page, known, known);
    await expect(newest(page)).toContainText(/−2\s*→\s*5\s*left/);
    await expect(search).toHaveValue('rose');
    await search.fill('');
    const units = newest(page).getByLabel(`Units of ${oud}`);
    await units.fill('6');
    await units.press('Enter');
    await expect(newest(page)).toContainText(/−6\s*→\s*1\s*left/);
    await newest(page).getByRole('button', { name: 'One fewer' }).click();
    await expect(newest(page)).toContainText(/−5\s*→\s*2\s*left/);
    // A typed number is booked although the next scan moves the card away.
    await units.fill('4');
    await scan(page, unknown);
    await expect.poll(() => quantityOf(context.request, id)).toBe(3);
    await page.getByRole('button', { name: 'Dismiss' }).first().click();
    await expectLargeEnough(newest(page).getByRole('button'));
    await newest(page).getByRole('button', { name: 'Undo' }).click();
    await expect(newest(page)).toContainText('Undone');
    await expect.poll(() => quantityOf(context.request, id)).toBe(7);

    await scan(page, unknown);
    await expect(newest(page)).toContainText(`No item has the code ${unknown}`);
    await expect(newest(page).getByRole('link', { name: 'Add a new item' })).toHaveAttribute(
      'href',
      `/dashboard/add-inventory-item?code=${unknown}`,
    );
    await newest(page).getByRole('button', { name: 'Attach to an item' }).click();
    await expect(search).toBeFocused();
    await rowOf(page, oud).click();
    await expect(toast(page, `${oud} now has the code ${unknown}.`)).toBeVisible();
    await expect(newest(page)).toContainText(/−1\s*→\s*6\s*left/);

    await scan(page, soldOut);
    await expect(page.getByRole('alert').filter({ hasText: 'Not delivered' })).toContainText('0 on hand');
    await scan(page, `${known.slice(0, -1)}${(Number(known.at(-1)) + 1) % 10}`);
    await expect(newest(page)).toContainText(`Its last digit should be ${known.at(-1)}.`);
    expect(await axeViolations(page)).toEqual([]);

    // Count: each scan counts one, and the next bottle saves the count.
    await page.getByRole('radio', { name: 'Count' }).click();
    await expect(page).toHaveURL(`${FLOOR}?mode=count`);
    // The address changes first, then the screen.
    await expect(page.getByRole('radio', { name: 'Count' })).toBeChecked();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50))));
    await scan(page, unknown, known, soldOut);
    await expect(page.getByRole('region', { name: `Count ${word} iris` })).toBeVisible();
    await expect(newest(page)).toContainText(/2\s*counted, 6 recorded before/);
    await expect.poll(() => quantityOf(context.request, id)).toBe(2);
    await newest(page).getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => quantityOf(context.request, id)).toBe(6);

    for (const width of [390, 320]) {
      await expectToFitAt(page, width);
      expect(await axeViolations(page)).toEqual([]);
    }
    // Somebody corrects the item that is being counted. The count says so, also after the tab was closed.
    await context.request.put(`/inventory-items/${irisId}`, { data: { quantity: '1' } });
    await expect(page.getByRole('region', { name: `Count ${word} iris` })).toContainText('changed from 0 to 1');
    await context.addCookies([{ name: 'language', value: 'ar', url: page.url() }]);
    await page.reload();
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
    const stored = page.getByRole('region', { name: `جرد ${word} iris` });
    await expect(stored).toContainText(/من ٠ إلى ١/);
    await expectNoSidewaysScroll(page, 'in Arabic');
    expect(await axeViolations(page)).toEqual([]);
    await scan(page, known);
    await expect(page.getByRole('alert').filter({ hasText: 'لم يُحفظ الجرد' })).toBeVisible();
    expect(await quantityOf(context.request, irisId)).toBe(1);
    await page.getByRole('button', { name: 'جرد الصنف' }).click();
    await expect(stored.getByRole('textbox')).toHaveValue('1');

    // Find opens the page of the item.
    await navigateInApp(page, `${FLOOR}?mode=find`);
    await expect(page.getByRole('radio', { name: 'بحث' })).toBeChecked();
    await scan(page, known);
    await expect(page).toHaveURL(`/dashboard/inventory/${id}`);
  },
);

test(
  'the undo of a count that waits is made with it, also when the count was decided anew',
  anyScreen,
  async ({ page, context, browserErrors }) => {
    browserErrors.allow(/ERR_FAILED/);
    const [id = ''] = await addItems(context.request, [{ name: `${uniqueWord()} iris`, quantity: 10 }]);
    await page.goto(`/dashboard/inventory/${id}`);
    // Nobody answers the count, but the server may have it. Without the movements it is not sent again.
    await page.route(`**/inventory-items/${id}**`, (route) => route.abort());
    await page.getByRole('button', { name: 'Count', exact: true }).click();
    await page.getByLabel('Counted quantity').fill('8');
    await page.getByRole('button', { name: 'Save count' }).click();
    const pill = page.getByRole('button', { name: /pending|needs? you/ });
    await expect(pill).toContainText('1 pending');
    await pill.click();
    const pending = page.getByRole('dialog', { name: 'Pending changes' });
    await pending.getByRole('button', { name: 'Undo' }).click();
    await expect(pending).toContainText('Undo +2');
    await context.request.post(`/inventory-items/${id}/movements`, { data: { kind: 'deliver', units: 1 } });
    await page.unroute(`**/inventory-items/${id}**`);
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await pending.getByRole('button', { name: 'Set to 8' }).click();
    await expect(pending).toContainText('Everything is sent.');
    const movements = await context.request.get(`/inventory-items/${id}/movements`);
    const deltas = (await movements.json()).map(({ delta }: { delta: number }) => delta);
    expect(deltas.reverse()).toEqual([10, -1, -1, 1]);
  },
);

/** Five codes of five kinds. The long form and `npm run bench -- camera` show every kind with every look. */
const inEveryRun: Partial<Record<ShownCode['kind'], ShownCode['look']>> = {
  ean13: 'sharp',
  ean8: 'in dim light',
  code128: 'in dim light',
  qrcode: 'very blurred',
  datamatrix: 'blurred',
};

test(
  'the camera books every code in view once, also in dim light and blurred',
  anyScreen,
  async ({ context, baseURL }) => {
    const codes = isLongForm ? sampleCodes() : sampleCodes().filter(({ kind, look }) => inEveryRun[kind] === look);
    const word = uniqueWord();
    const bottles = codes.map(({ text }, i) => ({ name: `${word} ${i}`, quantity: 5, barcodes: [text] }));
    const ids = await addItems(context.request, bottles);
    const browser = await launchWithCamera(codes, { startS: 1, shownS: 1, gapS: 0.3, endS: 30 });
    try {
      const page = await browser.newPage({ ...(baseURL && { baseURL }), storageState: await context.storageState() });
      const errors: string[] = [];
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
      await page.goto(`${FLOOR}?mode=deliver`);
      await page.getByRole('button', { name: 'Scan with the camera' }).click();
      await expect(page.locator('[data-look=deliver]')).toHaveCount(codes.length, { timeout: 80_000 });
      await page.getByRole('button', { name: 'Stop the camera' }).click();
      await expect(page.getByRole('button', { name: 'Scan with the camera' })).toBeVisible();
      await expect.poll(() => Promise.all(ids.map((id) => quantityOf(context.request, id)))).toEqual(ids.map(() => 4));
      expect(errors).toEqual([]);
    } finally {
      await browser.close();
      // Frees their codes for the same test on the other screen.
      for (const id of ids) await context.request.delete(`/inventory-items/${id}`);
    }
  },
);
