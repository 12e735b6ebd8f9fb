import { expect, test } from './fixtures.ts';
import {
  addItems,
  checkbox,
  distanceFromTop,
  logInAsDealer,
  nameInTheMiddle,
  row,
  selectionBar,
  uniqueWord,
} from './inventory-helpers.ts';

const manage = '/dashboard/manage-inventory';

test('three hundred items are rendered as far as visible, selected, used by keyboard, and do not move while others work', async ({
  page,
  request,
}) => {
  test.slow();
  const word = uniqueWord();
  const name = (n: number) => `${word} ${String(n).padStart(3, '0')}`;
  const list = `${manage}?q=${word}&sort=name`;
  const link = (n: number) => page.getByRole('link', { name: name(n), exact: true });
  const scrollBy = (top: number) => page.evaluate((by) => window.scrollBy({ top: by, behavior: 'instant' }), top);
  await logInAsDealer(page.request);
  await addItems(
    page.request,
    Array.from({ length: 300 }, (_, n) => ({ name: name(n) })),
  );
  await page.goto(list);
  await expect(page.getByText(`300 items for “${word}”`)).toBeVisible();

  await test.step('a range can be selected, including pages that were never loaded', async () => {
    await checkbox(page, name(2)).click();
    await checkbox(page, name(5)).click({ modifiers: ['Shift'] });
    await expect(selectionBar(page)).toContainText('4 selected');
    await checkbox(page, name(4)).click();
    await expect(selectionBar(page)).toContainText('3 selected');
    await page.evaluate(() => window.scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }));
    await expect(row(page, name(299))).toBeVisible();
    await checkbox(page, name(297)).click({ modifiers: ['Shift'] });
    await expect(selectionBar(page)).toContainText('296 selected');
  });

  await test.step('only visible rows are rendered', async () => {
    await expect.poll(() => page.locator('tbody tr').count()).toBeLessThanOrEqual(60);
    await expect(page.getByRole('columnheader', { name: 'Product' })).toBeInViewport();
  });

  await test.step('going back restores the scroll position and the selection', async () => {
    await scrollBy(-6_000);
    await expect.poll(() => nameInTheMiddle(page)).toMatch(/ 2[01]\d$/);
    const seen = await nameInTheMiddle(page);
    const before = await distanceFromTop(page, seen);
    await page.reload();
    await expect.poll(() => distanceFromTop(page, seen)).toBe(before);
    await expect(selectionBar(page)).toContainText('296 selected');
    await expect(checkbox(page, seen)).toBeChecked();

    const seenLink = page.getByRole('link', { name: seen, exact: true });
    await seenLink.click();
    await expect(page).toHaveURL(/inventory\//);
    await page.goBack();
    await expect.poll(() => distanceFromTop(page, seen)).toBe(before);
    await seenLink.click();
    await expect(page).toHaveURL(/inventory\//);
    await page.locator('main').getByRole('link', { name: 'Manage Inventory' }).first().click();
    await expect(page).toHaveURL(list);
    await expect.poll(() => distanceFromTop(page, seen)).toBe(before);
  });

  await test.step('all that match can be selected, and one deselected', async () => {
    await page.evaluate(() => window.scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }));
    await expect(checkbox(page, name(297))).toBeChecked();
    await expect(checkbox(page, name(298))).not.toBeChecked();
    await page.getByRole('checkbox', { name: 'Select all matching items' }).click();
    await expect(selectionBar(page)).toContainText('All 300 matching items are selected');
    await checkbox(page, name(298)).click();
    await expect(selectionBar(page)).toContainText('299 selected');
    await selectionBar(page).getByRole('button', { name: 'Clear selection' }).click();
    await expect(selectionBar(page)).toBeHidden();
    await expect(checkbox(page, name(297))).not.toBeChecked();
  });

  await test.step('the keyboard moves between rows, selects and opens', async () => {
    await page.keyboard.press('/');
    await expect(page.locator('main').getByPlaceholder('Search')).toBeFocused();
    await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
    await expect(link(0)).toBeInViewport();
    await page.keyboard.press('ArrowDown');
    await expect(link(0)).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect(link(2)).toBeFocused();
    await page.keyboard.press(' ');
    await expect(checkbox(page, name(2))).toBeChecked();
    await page.keyboard.press('End');
    await expect(link(299)).toBeFocused();
    await expect(link(299)).toBeInViewport();
    await page.keyboard.press('ArrowUp');
    await expect(link(298)).toBeFocused();
    // Scrolling away does not move the keyboard focus.
    await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
    await expect(link(0)).toBeInViewport();
    await expect(link(298)).toBeFocused();
    await page.keyboard.press('Home');
    await expect(link(0)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/inventory\//);
    await page.goBack();
    await expect(selectionBar(page)).toContainText('1 selected');
    await selectionBar(page).getByRole('button', { name: 'Clear selection' }).click();
  });

  await test.step('changes of others appear by themselves, and visible rows do not move', async () => {
    // Logs in as the colleague who makes the changes.
    await logInAsDealer(request);
    await page.getByLabel('Sort by', { exact: true }).selectOption('Newest first');
    await expect(page).toHaveURL(`${manage}?q=${word}`);
    await expect(page.getByText(`300 items for “${word}”`)).toBeVisible();
    await expect.poll(() => nameInTheMiddle(page)).toMatch(/ 2\d\d$/);
    await scrollBy(9_000);
    await expect.poll(() => nameInTheMiddle(page)).toMatch(/ 1\d\d$/);
    const seen = await nameInTheMiddle(page);
    await checkbox(page, seen).click();
    const before = await distanceFromTop(page, seen);

    const [id] = await addItems(request, [{ name: `${word} new` }]);
    await expect(page.getByText(`301 items for “${word}”`)).toBeVisible();
    await expect.poll(() => distanceFromTop(page, seen)).toBe(before);

    const shown = await row(page, seen).getAttribute('data-id');
    await request.put(`/inventory-items/${shown}`, { data: { quantity: '7' } });
    await expect(row(page, seen)).toContainText('Abailable: 7 in stock');

    await request.delete(`/inventory-items/${id}`);
    await expect(page.getByText(`300 items for “${word}”`)).toBeVisible();
    await expect.poll(() => distanceFromTop(page, seen)).toBe(before);
    await expect(checkbox(page, seen)).toBeChecked();
  });
});
