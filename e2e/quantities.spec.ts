import type { APIRequestContext, Page } from '@playwright/test';
import { axeViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { anyScreen, phoneOnly } from './form.ts';
import { addItems, logInAsDealer, row, toast, uniqueWord } from './inventory-helpers.ts';
import { expectNoSidewaysScroll } from './screens.ts';

test.beforeEach(({ context }) => logInAsDealer(context.request));

const openList = async (page: Page, word: string) => {
  await page.goto(`/dashboard/manage-inventory?q=${word}`);
  await expect(page.locator('tr[data-row]').first()).toBeVisible();
};

/** The item's movements, the newest first, without its opening. */
async function movementsOf(request: APIRequestContext, id: string | undefined) {
  const response = await request.get(`/inventory-items/${id}/movements`);
  const movements: { kind: string; delta: number; reason: string | null; note: string | null }[] =
    await response.json();
  return movements.slice(0, -1).map(({ kind, delta, reason, note }) => ({ kind, delta, reason, note }));
}

test(
  'a row delivers one by one tap, and several units, received units and a count without opening the item',
  phoneOnly,
  async ({ page, context }) => {
    const word = uniqueWord();
    const name = `${word} oud`;
    const [id] = await addItems(context.request, [{ name, quantity: 20 }]);
    await openList(page, word);
    const item = row(page, name);
    const panel = page.getByRole('dialog');
    const openPanel = () => item.getByRole('button', { name: `Deliver several, receive or count ${name}` }).click();

    await item.getByRole('button', { name: `Deliver 1 × ${name}` }).click();
    await expect(item).toContainText('Abailable: 19 in stock');
    await expect(toast(page, `Delivered 1 × ${name}`)).toBeVisible();

    await openPanel();
    await expectNoSidewaysScroll(page, 'with the panel open');
    expect(await axeViolations(page, '[role=dialog]')).toEqual([]);
    await panel.getByRole('textbox', { name: 'Units' }).fill('5');
    await panel.getByRole('button', { name: 'Deliver 5' }).click();
    await expect(panel).toBeHidden();
    await expect(item).toContainText('Abailable: 14 in stock');
    await openPanel();
    for (let taps = 0; taps < 2; taps++) await panel.getByRole('button', { name: 'One more' }).click();
    await panel.getByRole('button', { name: 'Receive 3' }).click();
    await expect(item).toContainText('Abailable: 17 in stock');

    await openPanel();
    const counted = panel.getByRole('textbox', { name: 'Counted quantity' });
    await counted.fill('17');
    await expect(panel.getByRole('status')).toHaveText('Same as recorded');
    await expect(panel.getByRole('radio')).toHaveCount(0);
    await counted.fill('14');
    await expect(panel.getByRole('status')).toHaveText('3 fewer than recorded');
    await context.request.put(`/inventory-items/${id}`, { data: { quantity: '16' }, headers: { 'stock-base': '17' } });
    await expect(panel.getByRole('status')).toHaveText(/^2 fewer than recorded.*changed from 17 to 16 meanwhile/);
    await panel.getByRole('radio', { name: 'Breakage' }).check();
    await panel.getByRole('textbox', { name: 'Note (optional)' }).fill('Fell off the shelf');
    await panel.getByRole('button', { name: 'Save count' }).click();
    await expect(item).toContainText('Abailable: 14 in stock');
    await expect(toast(page, `Corrected ${name}: 16 → 14`)).toBeVisible();
    expect(await movementsOf(context.request, id)).toEqual([
      { kind: 'correction', delta: -2, reason: 'breakage', note: 'Fell off the shelf' },
      { kind: 'deliver', delta: -1, reason: null, note: null },
      { kind: 'restock', delta: 3, reason: null, note: null },
      { kind: 'deliver', delta: -5, reason: null, note: null },
      { kind: 'deliver', delta: -1, reason: null, note: null },
    ]);

    await page.goto(`/dashboard/history?item=${id}&kind=correction&reason=breakage`);
    const entry = page.locator('tr[data-entry]').first();
    await expect(entry).toContainText(/Corrected[\s\S]*Breakage[\s\S]*Fell off the shelf/);

    await page.goto(`/dashboard/inventory/${id}`);
    await page.getByRole('button', { name: 'Count', exact: true }).click();
    await expect(counted).toBeFocused();
    await counted.fill('14');
    await page.keyboard.press('Enter');
    await expect(toast(page, `Quantity confirmed: 14 × ${name}`)).toBeVisible();
    await page.getByRole('textbox', { name: 'Units' }).fill('4');
    await page.getByRole('button', { name: 'Receive 4' }).click();
    await toast(page, `Restocked 4 × ${name}`).getByRole('button', { name: 'Undo' }).click();
    await expect(toast(page, `Undone: restock of 4 × ${name}`)).toBeVisible();
    expect(await movementsOf(context.request, id)).toHaveLength(7);
  },
);

test(
  'keys move between rows, select, deliver, receive and count, and Ctrl Z undoes each',
  anyScreen,
  async ({ page, context }) => {
    const word = uniqueWord();
    const [first, second] = [`${word} b`, `${word} a`];
    await addItems(context.request, [
      { name: second, quantity: 9 },
      { name: first, quantity: 20 },
    ]);
    await openList(page, word);

    await page.keyboard.press('d');
    await expect(row(page, first).getByRole('link')).toBeFocused();
    await expect(row(page, first)).toContainText('Abailable: 20 in stock');
    await page.keyboard.press('j');
    await expect(row(page, second).getByRole('link')).toBeFocused();
    await page.keyboard.press('k');
    await page.keyboard.press('5');
    await page.keyboard.press('d');
    await expect(row(page, first)).toContainText('Abailable: 15 in stock');
    await page.keyboard.press('1');
    await page.keyboard.press('0');
    await page.keyboard.press('r');
    await expect(row(page, first)).toContainText('Abailable: 25 in stock');
    await page.keyboard.press('c');
    await page.getByRole('textbox', { name: 'Counted quantity' }).fill('24');
    await page.keyboard.press('Enter');
    await expect(row(page, first)).toContainText('Abailable: 24 in stock');
    await expect(row(page, first).getByRole('link')).toBeFocused();
    for (const quantity of [25, 15, 20]) {
      await page.keyboard.press('Control+z');
      await expect(row(page, first)).toContainText(`Abailable: ${quantity} in stock`);
    }
    await page.keyboard.press('x');
    await expect(row(page, first).getByRole('checkbox')).toBeChecked();
    await page.keyboard.press('x');
    await expect(row(page, first).getByRole('checkbox')).not.toBeChecked();
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog')).toContainText('Deliver 1, or as many as you type first: 5 D');
    await page.getByRole('checkbox', { name: 'Single-key shortcuts' }).uncheck();
    await page.keyboard.press('Escape');
    await page.keyboard.press('d');
    await page.keyboard.press('j');
    await expect(row(page, first)).toContainText('Abailable: 20 in stock');
  },
);
