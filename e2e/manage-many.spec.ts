import { expect, test } from './fixtures.ts';
import {
  addItems,
  bar,
  box,
  colleague,
  distance,
  inTheMiddle,
  isPhone,
  newWord,
  row,
  showBoxes,
  signIn,
} from './inventory-people.ts';

const manage = '/dashboard/manage-inventory';

test.beforeEach(({ context }) => signIn(context.request));

test.describe('three hundred items', () => {
  const word = newWord();
  const name = (n: number) => `${word} ${String(n).padStart(3, '0')}`;
  // Beforehand, once for all the tests of this group that run in this worker.
  test.beforeEach(async ({ context }) => {
    const answer = await context.request.get(`/all-inventory-items?q=${word}&limit=1`);
    if (answer.headers()['x-total-count'] !== '0') return;
    await addItems(
      context.request,
      Array.from({ length: 300 }, (_, n) => ({ name: name(n) })),
    );
  });
  const list = `${manage}?q=${word}&sort=name`;

  test('are drawn as far as they are in sight, and one comes back to where one was', async ({ page }) => {
    await page.goto(list);
    await expect(page.getByText(`300 items for “${word}”`)).toBeVisible();
    await page.evaluate(() => window.scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }));
    await expect(row(page, name(299))).toBeVisible();
    expect(await page.locator('tbody tr').count()).toBeLessThanOrEqual(60);
    await expect(page.getByRole('columnheader', { name: 'Product' })).toBeInViewport();

    await page.evaluate(() => window.scrollBy({ top: -6_000, behavior: 'instant' }));
    await expect.poll(() => inTheMiddle(page)).toMatch(/ 2[01]\d$/);
    const seen = await inTheMiddle(page);
    const before = await distance(page, seen);
    await page.waitForTimeout(300);
    await page.reload();
    await expect.poll(() => distance(page, seen)).toBe(before);

    const link = page.getByRole('link', { name: seen, exact: true });
    await link.click();
    await expect(page).toHaveURL(/inventory\//);
    await page.goBack();
    await expect.poll(() => distance(page, seen)).toBe(before);
    await link.click();
    await expect(page).toHaveURL(/inventory\//);
    await page.locator('main').getByRole('link', { name: 'Manage Inventory' }).first().click();
    await expect(page).toHaveURL(list);
    await expect.poll(() => distance(page, seen)).toBe(before);
  });

  test('a range and all that match can be selected, on pages never seen as well', async ({ page }) => {
    await page.goto(list);
    await showBoxes(page);
    await box(page, name(2)).click();
    await box(page, name(5)).click({ modifiers: ['Shift'] });
    await expect(bar(page)).toContainText('4 selected');
    await box(page, name(4)).click();
    await expect(bar(page)).toContainText('3 selected');
    await page.evaluate(() => window.scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }));
    await box(page, name(297)).click({ modifiers: ['Shift'] });
    await expect(bar(page)).toContainText('296 selected');

    await page.reload();
    await expect(bar(page)).toContainText('296 selected');
    await expect(box(page, name(297))).toBeChecked();
    await expect(box(page, name(298))).not.toBeChecked();

    await page.getByRole('checkbox', { name: 'Select all items that match' }).click();
    await expect(bar(page)).toContainText('All 300 items that match are selected');
    await box(page, name(298)).click();
    await expect(bar(page)).toContainText('299 selected');
    await bar(page).getByRole('button', { name: 'Clear selection' }).click();
    await expect(bar(page)).toBeHidden();
    await expect(box(page, name(297))).toHaveCount(isPhone(page) ? 0 : 1);
  });

  test('the keyboard goes from row to row, ticks and opens', async ({ page }) => {
    test.skip(isPhone(page), 'phones have no keys');
    await page.goto(list);
    const link = (n: number) => page.getByRole('link', { name: name(n), exact: true });
    await expect(link(0)).toBeVisible();
    await page.keyboard.press('/');
    await expect(page.locator('main').getByPlaceholder('Search')).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(link(0)).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect(link(2)).toBeFocused();
    await page.keyboard.press(' ');
    await expect(box(page, name(2))).toBeChecked();
    await page.keyboard.press('End');
    await expect(link(299)).toBeFocused();
    await expect(link(299)).toBeInViewport();
    await page.keyboard.press('ArrowUp');
    await expect(link(298)).toBeFocused();
    // However far one looks away, the keyboard stays where it was.
    await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
    await expect(link(0)).toBeInViewport();
    await expect(link(298)).toBeFocused();
    await page.keyboard.press('Home');
    await expect(link(0)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/inventory\//);
  });

  test('what a colleague does shows within a second, and nothing one looks at moves', async ({
    page,
    browser,
    baseURL,
  }) => {
    const theirs = await colleague(browser, page, baseURL);
    await page.goto(`${manage}?q=${word}`);
    await showBoxes(page);
    await expect(page.getByText(`300 items for “${word}”`)).toBeVisible();
    await page.evaluate(() => window.scrollBy({ top: 9_000, behavior: 'instant' }));
    await expect.poll(() => inTheMiddle(page)).toContain(word);
    const seen = await inTheMiddle(page);
    await box(page, seen).click();
    const before = await distance(page, seen);

    const [id] = await addItems(theirs.context().request, [{ name: `${word} new` }]);
    await expect(page.getByText(`301 items for “${word}”`)).toBeVisible();
    await expect.poll(() => distance(page, seen)).toBe(before);

    const shown = await row(page, seen).getAttribute('data-id');
    await theirs.context().request.put(`/inventory-items/${shown}`, { data: { quantity: '7' } });
    await expect(row(page, seen)).toContainText('Abailable: 7 in stock');

    await theirs.context().request.delete(`/inventory-items/${id}`);
    await expect(page.getByText(`300 items for “${word}”`)).toBeVisible();
    await expect.poll(() => distance(page, seen)).toBe(before);
    await expect(box(page, seen)).toBeChecked();
    await theirs.context().close();
  });
});
