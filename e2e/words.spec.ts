import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

test.use({ shop: 'untouched' });

const languages = ['en', 'en-corrected', 'fr', 'ar'];

async function chooseLanguage(page: Page, language: string): Promise<void> {
  await page.getByRole('button', { name: /^(?:Language|Langue|اللغة)$/ }).click();
  await page.getByRole('menuitemradio', { name: language, exact: true }).click();
}

test('a chosen language is used at once, on the next page and after a reload', async ({ page }) => {
  await page.goto('/');
  const html = page.locator('html');
  const main = page.getByRole('main');

  await test.step('the spec’s own spelling is the default', async () => {
    await expect(html).toHaveAttribute('lang', 'en');
    await expect(main.getByRole('heading', { name: "Inventory Item's" })).toBeVisible();
  });

  await test.step('English (corrected) fixes the spelling', async () => {
    await chooseLanguage(page, 'English (corrected)');
    await expect(main.getByRole('heading', { name: 'Inventory items' })).toBeVisible();
    await expect(html).toHaveAttribute('lang', 'en');
  });

  await test.step('Arabic is right-to-left, with its own digits and plurals', async () => {
    await chooseLanguage(page, 'العربية');
    await expect(html).toHaveAttribute('dir', 'rtl');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('مستودع العطور');
    await expect(page.getByText('٢٤ صنفًا')).toBeVisible();
    const brand = await page.getByRole('banner').getByRole('link').first().boundingBox();
    expect(brand?.x).toBeGreaterThan((page.viewportSize()?.width ?? 0) / 3);
  });

  await test.step('French stays', async () => {
    await chooseLanguage(page, 'Français');
    await expect(html).toHaveAttribute('lang', 'fr');
    await expect(html).toHaveAttribute('dir', 'ltr');
    await expect(main.getByRole('heading', { name: 'Articles en stock' })).toBeVisible();
    await expect(page.getByText('148,00 $')).toBeVisible();
    await page.reload();
    await expect(main.getByRole('heading', { name: 'Articles en stock' })).toBeVisible();
    await expect(page).toHaveTitle(/registre de stock/);
    await page.getByRole('banner').getByRole('link', { name: 'Articles', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Articles');
    await expect(page.getByRole('article').getByRole('heading').last()).toHaveText('À quoi sert un JWT ?');
  });
});

test('the direction does not flash: it is right before the first paint', async ({
  page,
  context,
  baseURL,
  browserErrors,
}) => {
  browserErrors.allow(/index-/);
  await context.addCookies([
    { name: 'language', value: 'ar', url: baseURL ?? '' },
    { name: 'theme', value: 'dark', url: baseURL ?? '' },
  ]);
  await page.route('**/assets/index-*.js', (route) => route.abort());
  await page.goto('/about', { waitUntil: 'commit' });
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

// Checks only the pages as the server renders them: the browser renders the same texts or reports an error.
test('no message key is visible in any language', async ({ request }) => {
  for (const language of languages)
    for (const path of ['/', '/about', '/blogs', '/no-such-page']) {
      const headers = { accept: 'text/html', cookie: `language=${language}` };
      const html = await (await request.get(path, { headers })).text();
      const body = html.replace(/^.*<body/s, '').replaceAll(/<script.*?<\/script>/gs, '');
      const where = `${path} in ${language}`;
      expect(body, where).toContain('<h1');
      expect(body, where).not.toMatch(
        /\b(?:nav|hero|grid|card|pitch|why|support|closing|footer|about|blogs|notFound)\.[a-z]/,
      );
      expect(body, where).not.toMatch(/\{\w+\}/);
    }
});
