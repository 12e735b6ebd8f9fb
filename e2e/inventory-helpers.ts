import type { APIRequestContext, Download, Page } from '@playwright/test';
import { expect } from './fixtures.ts';

export const isPhone = (page: Page) => (page.viewportSize()?.width ?? 0) < 640;

/** Logs in as the demo dealer, who owns eight items of the demo. */
export async function logInAsDealer(request: APIRequestContext): Promise<void> {
  expect((await request.post('/demo/sign-in')).ok()).toBe(true);
}

/** Logs in as the demo dealer on the login page. */
export async function logInOnPage(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('demo@perfume.example');
  await page.getByLabel('Password', { exact: true }).fill('perfume-demo-1');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
}

/** Waits for hydration after the product itself has loaded another page. `goto` and `reload` already wait for it. */
export async function waitForHydration(page: Page): Promise<void> {
  await page.locator('html[data-hydrated]').waitFor({ state: 'attached' });
}

/** Follows a link of the sidebar, which is a drawer on a phone. */
export async function openInSidebar(page: Page, path: string): Promise<void> {
  if (isPhone(page)) await page.locator('nav button[aria-haspopup=dialog]').click();
  await page.locator(`nav a[href^="${path}"]`).click();
}

/** Navigates to an address without loading the page, as the back button does. */
export async function navigateInApp(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
}

let words = 0;
/** Returns a word that no other test uses, to find the items of one test. */
export const uniqueWord = () => `w${Date.now().toString(36)}${process.pid.toString(36)}${++words}`;

export type NewItem = {
  name: string;
  quantity?: number;
  price?: number;
  email?: string;
  suplierName?: string;
  barcodes?: string[];
};

/** Creates items and returns their ids. The last item is the newest, unless more than 20 are created, in parallel. */
export async function addItems(request: APIRequestContext, items: NewItem[]): Promise<string[]> {
  const ids: string[] = [];
  const batchSize = items.length > 20 ? 20 : 1;
  for (let at = 0; at < items.length; at += batchSize)
    ids.push(...(await Promise.all(items.slice(at, at + batchSize).map((item) => addItem(request, item)))));
  return ids;
}

async function addItem(request: APIRequestContext, item: NewItem): Promise<string> {
  const { name, quantity = 20, price = 50, email = 'demo@perfume.example', suplierName = 'Verrière' } = item;
  const { barcodes = [] } = item;
  const description = 'A bottle that a test has put on the shelf, to be counted, delivered and taken away.';
  const img = '/bottles/oud-clair.svg';
  const response = await request.post('/new-inventory-item', {
    data: { name, price, quantity: String(quantity), img, description, suplierName, email, barcodes },
  });
  expect(response.status()).toBe(201);
  return (await response.json())._id;
}

export const toast = (page: Page, text: string | RegExp) => page.locator('.Toastify__toast').filter({ hasText: text });

/** Finds the row of an item by its name, even while a dialog hides the page from screen readers and role locators. */
export const row = (page: Page, name: string) =>
  page.locator('tr[data-row]').filter({ has: page.getByText(name, { exact: true }) });

/** Returns the item names on the page, from top to bottom. */
export const names = (page: Page) => page.locator('tr[data-row] th a').allInnerTexts();

/** Returns the item name of a row near the middle of the window. */
export function nameInTheMiddle(page: Page): Promise<string> {
  return page.evaluate(() => {
    const rows = [...document.querySelectorAll<HTMLElement>('tr[data-row]')];
    const middle = rows.find((row) => row.getBoundingClientRect().top > window.innerHeight * 0.4);
    return middle?.querySelector('a')?.innerText ?? '';
  });
}

/** Returns the distance of a row from the top of the window. */
export function distanceFromTop(page: Page, name: string): Promise<number> {
  return row(page, name).evaluate((element) => Math.round(element.getBoundingClientRect().top));
}

/** Makes the checkboxes of the rows visible. On a phone they appear only after 'Select'. */
export async function showCheckboxes(page: Page): Promise<void> {
  await expect(page.locator('tr[data-row]').first()).toBeVisible();
  const select = page.getByRole('button', { name: 'Select', exact: true });
  if (await select.isVisible()) await select.click();
}

export const checkbox = (page: Page, name: string) =>
  page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
export const selectionBar = (page: Page) => page.getByRole('region', { name: 'Selected items' });

/** Exports what the page shows, and returns the file. */
export async function exportAs(
  page: Page,
  name: string,
  format: 'CSV' | 'Excel (XLSX)' | 'JSON lines',
): Promise<Download> {
  await page.getByRole('button', { name: `Export: ${name}` }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: format }).click(),
  ]);
  return download;
}
