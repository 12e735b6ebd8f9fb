import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

test.use({ shop: 'untouched' });

const isPhone = (page: Page) => (page.viewportSize()?.width ?? 0) < 1024;

async function choose(page: Page, menu: string, language: string): Promise<void> {
  if (isPhone(page)) {
    await page.getByRole('button', { name: menu === 'Language' ? 'Open menu' : menu }).click();
    await page.getByRole('radio', { name: language, exact: true }).click();
    await page.keyboard.press('Escape');
  } else {
    await page.getByRole('button', { name: menu }).click();
    await page.getByRole('menuitemradio', { name: language, exact: true }).click();
  }
}

test('the spec’s own spelling is the default', async ({ page }) => {
  await page.goto('/');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expect(page.getByRole('heading', { name: "Inventory Item's" })).toBeVisible();
});

test('a chosen language is spoken at once, on the next page and after a reload', async ({ page }) => {
  await page.goto('/');
  await choose(page, 'Language', 'Français');
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await expect(page.getByRole('heading', { name: 'Articles en stock' })).toBeVisible();
  await expect(page.getByText('148,00 $')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Articles en stock' })).toBeVisible();
  await expect(page).toHaveTitle(/registre de stock/);
  await page.goto('/blogs');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Articles');
  await expect(page.getByRole('article').getByRole('heading').last()).toHaveText('À quoi sert un JWT ?');
});

test('English (corrected) mends the spelling', async ({ page }) => {
  await page.goto('/');
  await choose(page, 'Language', 'English (corrected)');
  await expect(page.getByRole('heading', { name: 'Inventory items' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
});

test('Arabic is read from right to left, with its own digits and plurals', async ({ page }) => {
  await page.goto('/');
  await choose(page, 'Language', 'العربية');
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('مستودع العطور');
  await expect(page.getByText('٢٤ صنفًا')).toBeVisible();
  const brand = await page.getByRole('banner').getByRole('link').first().boundingBox();
  expect(brand?.x).toBeGreaterThan((page.viewportSize()?.width ?? 0) / 3);
});

test('the direction does not flash: it is right before the first paint', async ({ page, context, baseURL, faults }) => {
  faults.allow(/index-/);
  await context.addCookies([
    { name: 'language', value: 'ar', url: baseURL ?? '' },
    { name: 'theme', value: 'dark', url: baseURL ?? '' },
  ]);
  await page.route('**/assets/index-*.js', (route) => route.abort());
  await page.goto('/about', { waitUntil: 'commit' });
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

for (const language of ['en', 'en-corrected', 'fr', 'ar'])
  test(`no key shows through in ${language}`, async ({ page, context, baseURL, faults }) => {
    faults.allow(/404/);
    await context.addCookies([{ name: 'language', value: language, url: baseURL ?? '' }]);
    for (const path of ['/', '/about', '/blogs', '/no-such-page']) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      const text = await page.locator('body').innerText();
      expect(text).not.toMatch(/\b(?:nav|hero|grid|card|pitch|why|support|closing|footer|about|blogs|notFound)\.[a-z]/);
      expect(text).not.toMatch(/\{\w+\}/);
    }
  });
