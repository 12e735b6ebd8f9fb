import type { Page } from '@playwright/test';
import { axeViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { anyScreen, appearances, isLongForm, phoneOnly, saveScreenshot } from './form.ts';
import { expectNoSidewaysScroll, expectToFitAt } from './screens.ts';

test.use({ shop: 'untouched' });

const isPhone = (page: Page) => (page.viewportSize()?.width ?? 0) < 1024;

async function openLiveDemo(page: Page) {
  await page.goto('/');
  await page.getByRole('button', { name: 'Live demo' }).first().click();
  await page.waitForURL('**/dashboard/manage-inventory');
}

test('the home page follows the spec', async ({ page }) => {
  const calls: string[] = [];
  page.on('request', (request) => request.url().includes('/inventory-items') && calls.push(request.url()));
  await page.goto('/');
  const cards = page.getByRole('article');
  const card = cards.filter({ hasText: "Nuit d'Encre" });

  await test.step('its sections are in order', async () => {
    await expect(page).toHaveTitle(/Perfume Warehouse/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Perfume Warehouse');
    const headings = await page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents();
    expect(headings).toEqual([
      "Inventory Item's",
      'A shelf you can trust is a shelf that remembers.',
      'Why You Should Use',
      'Our Location & Support',
      'Open the ledger. Count the first bottle.',
    ]);
    await expect(page.getByRole('link', { name: 'Get started' }).first()).toHaveAttribute('href', '/register');
    const why = page.getByRole('region', { name: 'Why You Should Use' });
    for (const figure of ['1000+ dealers', '99% positive reviews', '100% customizable'])
      await expect(why.getByRole('listitem').filter({ hasText: figure.split(' ')[0] ?? '' })).toContainText(
        figure.split(' ').slice(1).join(' '),
      );
    await expect(why).toContainText('Sample figures');
    const support = page.getByRole('region', { name: 'Our Location & Support' });
    for (const desk of ['Technical support', 'Stock questions', 'Daily policy', 'Bug report']) {
      const block = support.getByRole('listitem').filter({ hasText: desk });
      await expect(block.getByRole('link')).toHaveAttribute('href', /^mailto:.+@/);
    }
  });

  await test.step('a card shows the item and opens its details', async () => {
    await expect(card.getByRole('heading', { name: "Nuit d'Encre" })).toBeVisible();
    await expect(card.getByText('$148.00')).toBeVisible();
    await expect(card.getByText(/^\d+ units?$/)).toBeVisible();
    await expect(card.getByText('Maison Verrière')).toBeVisible();
    await expect(card.getByText(/^In Stock$|^Stock Out$/)).toBeVisible();
    const preview = await card.locator('p[dir=auto]').innerText();
    expect([...preview]).toHaveLength(51);
    expect(preview.endsWith('…')).toBe(true);
    await expect(card.getByRole('link', { name: "Update Nuit d'Encre" })).toHaveAttribute(
      'href',
      /^\/dashboard\/inventory\/[\w-]+$/,
    );
    const picture = card.locator('img');
    await picture.scrollIntoViewIfNeeded();
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    const opener = page.getByRole('button', { name: "Nuit d'Encre" });
    await opener.click();
    const dialog = page.getByRole('dialog', { name: "Nuit d'Encre" });
    await expect(dialog).toContainText('Maison Verrière');
    await expect(dialog.getByRole('link', { name: 'Update' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(opener).toBeFocused();
  });

  await test.step('the first items come with the page, more on request', async () => {
    await expect(cards).toHaveCount(12);
    expect(calls).toEqual([]);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect(cards).toHaveCount(24);
    await expect(page.getByText('Stock Out').first()).toBeVisible();
    const low = cards.filter({ hasText: 'Low stock' }).first();
    await expect(low.getByText('In Stock', { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Show more' })).toBeHidden();
    const names = await page.getByRole('article').getByRole('heading').allTextContents();
    expect(new Set(names).size).toBe(24);
    await expect(page.getByRole('main').getByRole('link', { name: 'Manage Inventory' })).toHaveAttribute(
      'href',
      '/dashboard/manage-inventory',
    );
  });

  await test.step('the map shows bundled outlines and moves by button and keyboard', async () => {
    await page.locator('#support').scrollIntoViewIfNeeded();
    const map = page.getByRole('application', { name: 'Map of our location' });
    await expect(map.locator('svg path').first()).toBeAttached();
    const land = () => map.locator('svg path').evaluateAll((all) => all.map((path) => path.getAttribute('d')).join());
    const before = await land();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await expect.poll(land).not.toBe(before);
    const pane = map.locator('.leaflet-map-pane');
    const place = await pane.getAttribute('style');
    await map.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => pane.getAttribute('style')).not.toBe(place);
    await page.getByRole('button', { name: 'Back to our address' }).click();
  });

  await test.step('visitors can search the items', async () => {
    const search = page.getByRole('searchbox', { name: 'Search the items' });
    await search.pressSequentially('oud clair');
    await expect(cards).toHaveCount(1);
    await expect(page).toHaveURL('/?q=oud+clair');
    await expect(page.getByRole('status').filter({ hasText: '1 item for “oud clair”' })).toBeVisible();
    await page.reload();
    await expect(search).toHaveValue('oud clair');
    await expect(cards).toHaveCount(1);
    await search.press('ArrowDown');
    await expect(page.getByRole('button', { name: 'Oud Clair' })).toBeFocused();
    await search.fill('');
    await expect(cards).toHaveCount(12);
    await expect(page).toHaveURL('/');
  });
});

test(
  'the items on the home page have views for loading, empty and failed, and stay up to date',
  anyScreen,
  async ({ page, browserErrors }) => {
    browserErrors.allow(/inventory-items|Failed to load|failed request/);
    const { promise: waited, resolve: goOn } = Promise.withResolvers<void>();
    let mode: 'wait' | 'fail' | 'empty' | 'fresh' = 'wait';
    let requested = 0;
    await page.route('**/inventory-items?*', async (route) => {
      requested++;
      if (mode === 'wait') await waited;
      if (mode === 'empty') return route.fulfill({ json: [], headers: { 'x-total-count': '0' } });
      if (mode !== 'fresh') return route.abort();
      const response = await route.fetch();
      const list: { name: string; quantity: string }[] = await response.json();
      for (const item of list) if (item.name === "Nuit d'Encre") item.quantity = '7654';
      return route.fulfill({ response, json: list });
    });
    await page.route('**/bottles/nuit-d-encre.svg', (route) => route.fulfill({ status: 404 }));
    await page.goto('/?q=nothing');
    await expect(page.getByRole('status').filter({ hasText: 'Loading...' })).toBeVisible();
    mode = 'fail';
    goOn();
    await expect(page.getByRole('alert')).toContainText('Could not load the items.');
    const before = requested;
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => requested).toBeGreaterThan(before);
    await expect(page.getByRole('alert')).toContainText('Could not load the items.');
    mode = 'empty';
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await expect(page.getByText('No items match “nothing”.')).toBeVisible();

    // Returning to the tab refreshes the quantities.
    mode = 'fresh';
    await page.getByRole('button', { name: 'Show all' }).click();
    const card = page.getByRole('article').filter({ hasText: "Nuit d'Encre" });
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await expect(card.getByText('7,654 units')).toBeVisible();
    const picture = card.locator('img');
    await picture.scrollIntoViewIfNeeded();
    await expect(picture, 'a picture that cannot be loaded is a drawn bottle').toHaveAttribute(
      'src',
      '/bottles/fallback.svg',
    );
  },
);

test.describe('navbar and footer', () => {
  test('a visitor sees Home, About, Blogs, Login and Signup', async ({ page }) => {
    await page.goto('/about');
    if (isPhone(page)) await page.getByRole('button', { name: 'Open menu' }).click();
    const place = isPhone(page) ? page.getByRole('dialog', { name: 'Menu' }) : page.getByRole('banner');
    for (const name of ['Home', 'About', 'Blogs', 'Login', 'Signup'])
      await expect(place.getByRole('link', { name, exact: true })).toBeVisible();
    await expect(place.getByRole('link', { name: 'My Items' })).toHaveCount(0);
    await expect(place.getByRole('link', { name: 'About', exact: true })).toHaveAttribute('aria-current', 'page');
    await place.getByRole('link', { name: 'Blogs', exact: true }).click();
    await expect(page).toHaveURL('/blogs');
    await expect(page.getByRole('dialog')).toBeHidden();
  });

  test('a logged-in person sees their pages and can log out', async ({ page, browserErrors }) => {
    browserErrors.allow(/404/);
    await openLiveDemo(page);
    await expect(page.getByRole('banner')).toContainText('Admin Pannel');
    await expect(page.getByRole('link', { name: 'About', exact: true })).toHaveCount(0);
    await expect(page.getByRole('contentinfo')).toHaveCount(0);
    await page.goto('/');
    if (isPhone(page)) {
      await page.getByRole('button', { name: 'Open menu' }).click();
      const menu = page.getByRole('dialog', { name: 'Menu' });
      await expect(menu).toContainText('demo@perfume.example');
      for (const name of ['Manage Inventory', 'Add Item', 'My Items', 'Dashboard Home', 'Settings'])
        await expect(menu.getByRole('link', { name, exact: true })).toBeVisible();
      await menu.getByRole('button', { name: 'Logout' }).click();
      await expect(menu).toBeHidden();
      // After the logout, the header is rendered again for a visitor. A menu that is opened at that moment closes.
      await expect(async () => {
        if (!(await menu.isVisible())) await page.getByRole('button', { name: 'Open menu' }).click();
        await expect(menu.getByRole('link', { name: 'Login' })).toBeVisible({ timeout: 2_000 });
      }).toPass();
    } else {
      const banner = page.getByRole('banner');
      for (const name of ['Manage Inventory', 'Add Item', 'My Items'])
        await expect(banner.getByRole('link', { name, exact: true })).toBeVisible();
      await expect(banner.getByRole('link', { name: 'Login' })).toHaveCount(0);
      await page.getByRole('button', { name: /^Account:/ }).click();
      const menu = page.getByRole('menu');
      await expect(menu).toContainText('demo@perfume.example');
      await expect(menu.getByRole('menuitem', { name: 'Dashboard Home' })).toBeVisible();
      await expect(menu.getByRole('menuitem', { name: 'Manage Inventory' })).toBeVisible();
      await expect(menu.getByRole('menuitem', { name: 'Settings' })).toHaveAttribute('href', '/dashboard/settings');
      await menu.getByRole('menuitem', { name: 'Logout' }).click();
      await expect(banner.getByRole('link', { name: 'Login' })).toBeVisible();
    }
  });

  test('every footer link leads somewhere', phoneOnly, async ({ page, request }) => {
    await page.goto('/');
    const links = await page
      .getByRole('contentinfo')
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    expect(links.length).toBeGreaterThan(7);
    for (const link of links) {
      if (link.startsWith('mailto:')) continue;
      expect((await request.get(link.replace(/#.*/, ''))).status(), link).toBe(200);
    }
  });

  test('the theme follows the system until it is chosen, and is remembered', async ({ page }) => {
    test.skip(isPhone(page), 'the phone has the same choice in its menu');
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto('/about');
    await expect.poll(() => paper()).toBe('rgb(21, 17, 15)');
    await page.getByRole('button', { name: 'Appearance' }).click();
    await page.getByRole('menuitemradio', { name: 'Light' }).click();
    await expect.poll(paper).toBe('rgb(251, 248, 243)');
    await page.reload();
    await expect.poll(() => paper()).toBe('rgb(251, 248, 243)');
  });

  test('works with the keyboard alone', async ({ page }) => {
    test.skip(isPhone(page), 'a phone has no Tab key');
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.locator('#content')).toBeFocused();
    await page.getByRole('button', { name: 'Language' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menu')).toBeVisible();
    await expect(page.getByRole('menuitemradio', { name: 'English', exact: true })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toBeHidden();
    await expect(page.getByRole('button', { name: 'Language' })).toBeFocused();
  });
});

test.describe('not found', () => {
  test('has status 404, a link home and a working search', anyScreen, async ({ page, baseURL, browserErrors }) => {
    browserErrors.allow(/404/);
    // The second path begins with //, so what follows could be taken for a host.
    for (const path of ['/no/such/page', '//[']) {
      const response = await page.goto(`${baseURL}${path}`);
      expect(response?.status()).toBe(404);
      await expect(page.getByRole('heading', { name: 'Oops! Page not found.' })).toBeVisible();
    }
    await expect(page.getByRole('link', { name: 'Home Page' })).toHaveAttribute('href', '/');
    await page.getByRole('searchbox').fill('oud clair');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/?q=oud%20clair#items');
    await expect(page.getByRole('article')).toHaveCount(1);
    await expect(page.getByRole('article')).toContainText('Oud Clair');
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect(page.getByRole('article')).toHaveCount(12);
    await expect(page.locator('#items-heading')).toBeFocused();
  });
});

test(
  'a part whose code cannot be loaded says so, and appears without a reload when it can',
  anyScreen,
  async ({ page, browserErrors }) => {
    browserErrors.allow(/ERR_FAILED|Failed to load|Failed to fetch|did not arrive/);
    const block = (files: RegExp) => page.route(files, (route) => route.abort());
    // Without its code, the page is readable. It becomes interactive when its code arrives.
    await block(/assets\/home-page-/);
    await page.goto('/', { waitUntil: 'commit' });
    await expect(page.getByRole('article')).toHaveCount(12);
    await page.unrouteAll();
    // Blocks files that are loaded later: scripts, a style sheet, and the library that would report the failure.
    await block(/assets\/(map-view-.*\.js|shared-on-demand-.*\.js|item-dialog-.*\.css|toast-host-)/);
    await page.locator('html[data-hydrated]').waitFor();
    await page.evaluate(() => document.body.setAttribute('data-not-reloaded', ''));

    const language = page.getByRole('button', { name: /^Language/ });
    const notice = page.getByRole('alert').filter({ hasText: 'Could not load this' });
    await language.click();
    await expect(notice).toBeVisible();
    const card = page.getByRole('button', { name: "Nuit d'Encre" });
    await card.click();
    await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
    const retry = page
      .getByRole('region', { name: 'Our Location & Support' })
      .getByRole('button', { name: 'Try again' });
    await expect(retry).toBeVisible();

    await page.unrouteAll();
    await retry.click();
    await expect(page.getByRole('application', { name: 'Map of our location' })).toBeVisible();
    await card.click();
    await expect(page.getByRole('dialog', { name: "Nuit d'Encre" })).toBeVisible();
    await page.keyboard.press('Escape');
    await language.click();
    await expect(page.getByRole('menuitemradio', { name: 'Français' })).toBeVisible();
    // A catalogue of texts that cannot be loaded is reported in the same way.
    await block(/assets\/site-/);
    await page.getByRole('menuitemradio', { name: 'Français' }).click();
    await expect(notice).toBeVisible();
    await page.unrouteAll();
    await language.click();
    await page.getByRole('menuitemradio', { name: 'Français' }).click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
    // A page whose code cannot be loaded shows a button to try again.
    await block(/assets\/about-page-/);
    const about = page.getByRole('banner').getByRole('link', { name: 'À propos', exact: true });
    await about.click();
    const retryPage = page.getByRole('main').getByRole('button', { name: 'Réessayer' });
    await expect(retryPage).toBeVisible();
    await page.unrouteAll();
    await retryPage.click();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('body[data-not-reloaded]')).toBeVisible();
  },
);

test('a malformed URL still opens its page', anyScreen, async ({ page, context }) => {
  expect((await context.request.post('/demo/sign-in')).ok()).toBe(true);
  await page.goto('/login?from=%2Fabout%23%25');
  await expect(page).toHaveURL('/about#%');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('the blog answers three questions, and the about page says how to reach support', anyScreen, async ({ page }) => {
  await page.goto('/blogs');
  const questions = await page.getByRole('article').getByRole('heading').allTextContents();
  expect(questions).toHaveLength(3);
  expect(questions.join(' ')).toMatch(/JavaScript.*Node.*SQL.*NoSQL.*JWT/);
  await page.getByRole('banner').getByRole('link', { name: 'About', exact: true }).click();
  await expect(page.getByRole('main').getByRole('link', { name: /@/ })).toHaveAttribute('href', /^mailto:/);
  await page.getByRole('link', { name: 'Map and all contacts' }).click();
  await expect(page.getByRole('heading', { name: 'Our Location & Support' })).toBeInViewport();
});

test('public pages are readable without scripts', anyScreen, async ({ request }) => {
  for (const [path, text] of [
    ['/', 'Nuit d&#x27;Encre'],
    ['/about', 'How the stock stays exact'],
    ['/blogs', 'What is the purpose of a JWT?'],
  ] as const) {
    const html = await (await request.get(path, { headers: { accept: 'text/html' } })).text();
    expect(html).toContain(text);
    // The Content-Security-Policy blocks inline styles, including style attributes in HTML.
    expect(html).not.toMatch(/ style="/);
    // The scripts of the app are in a template until the page has been painted.
    const [template = ''] = /<template id="after-paint">.*<\/template>/.exec(html) ?? [];
    const appScripts = /type="module"|rel="modulepreload"|as="fetch"/;
    expect([appScripts.test(template), appScripts.test(html.replace(template, ''))]).toEqual([true, false]);
  }
  const french = await request.get('/', { headers: { accept: 'text/html', cookie: 'language=fr' } });
  expect(await french.text()).toContain('<html lang="fr" dir="ltr">');
});

test.describe('for search engines and caches', () => {
  test('search engines and link previews find what they need', anyScreen, async ({ page, request }) => {
    await page.goto('/');
    const content = (selector: string) => page.locator(selector).getAttribute('content');
    expect((await content('meta[name=description]'))?.length).toBeGreaterThan(50);
    await expect.poll(() => page.locator('link[rel=canonical]').getAttribute('href')).toBe(page.url());
    await expect.poll(() => content('meta[property="og:title"]')).toContain('Perfume Warehouse');
    const picture = await request.get((await content('meta[property="og:image"]')) ?? '');
    expect(picture.headers()['content-type']).toBe('image/png');
    const data = await page.locator('script[type="application/ld+json"]').textContent();
    expect(data).toContain('"@type":"Product"');
    for (const path of ['/robots.txt', '/sitemap.xml', '/manifest.webmanifest', '/favicon.svg', '/favicon.ico'])
      expect((await request.get(path)).status(), path).toBe(200);
    const manifest = await (await request.get('/manifest.webmanifest')).json();
    for (const icon of manifest.icons) expect((await request.get(icon.src)).status(), icon.src).toBe(200);
  });

  test('files are hashed, immutable and compressed; pages are not cached', anyScreen, async ({ page, request }) => {
    const sent: Record<string, string>[] = [];
    page.on('response', async (response) => {
      if (response.url().includes('/assets/') && /\.(js|css)$/.test(response.url()))
        sent.push(await response.allHeaders());
    });
    const response = await page.goto('/');
    await page.waitForLoadState('networkidle');
    expect(response?.headers()['cache-control']).toContain('no-cache');
    expect(sent.length).toBeGreaterThan(2);
    for (const headers of sent) expect(headers['cache-control']).toContain('immutable');
    expect(sent.filter((headers) => headers['content-encoding'] === 'br').length).toBeGreaterThan(2);
    expect((await request.get('/assets/no-such-file.js')).status()).toBe(404);
  });
});

for (const [language, colorScheme] of appearances)
  test(`public pages fit every width in ${language}, ${colorScheme}`, async ({
    page,
    context,
    baseURL,
    browserErrors,
  }, info) => {
    test.skip(info.project.name !== 'desktop', 'it sets its own sizes');
    browserErrors.allow(/404/);
    await context.addCookies([{ name: 'language', value: language, url: baseURL ?? '' }]);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const path of ['/', '/about', '/blogs', '/no-such-page']) {
      await page.goto(path);
      for (const width of isLongForm
        ? [320, 768, 1366, 1920]
        : colorScheme === 'light'
          ? [320, 768, 1366]
          : [320, 1920]) {
        const here = `${path} at ${width}`;
        await expectToFitAt(page, width);
        await seeAll(page);
        await expectNoSidewaysScroll(page, here);
        expect(await cutOff(page), `cut off: ${here}`).toEqual([]);
        expect(await brokenImages(page), `broken images: ${here}`).toEqual([]);
        await saveScreenshot(page, info, `${path.slice(1) || 'home'}-${width}`);
      }
      expect(await axeViolations(page), path).toEqual([]);
    }
  });

test('the home page loads without layout shift', async ({ page }) => {
  await page.addInitScript(() => {
    const shifts = { sum: 0 };
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) shifts.sum += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto('/');
  await page.waitForLoadState('networkidle');
  await seeAll(page);
  expect(await page.evaluate(() => (window as unknown as { shifts: { sum: number } }).shifts.sum)).toBeLessThan(0.02);
});

/** Scrolls through the page, so that lazily loaded content is loaded. */
async function seeAll(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let y = 0; y < document.body.scrollHeight; y += innerHeight / 2) {
      scrollTo({ top: y, behavior: 'instant' });
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    scrollTo({ top: 0, behavior: 'instant' });
  });
  await page.waitForFunction(() => [...document.images].every((image) => image.complete));
}

/** Returns the texts that overflow the window or are cut off by their box. */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    for (const element of document.querySelectorAll<HTMLElement>('main *, header *, footer *')) {
      const style = getComputedStyle(element);
      if (element.closest('.leaflet-container') || style.clipPath !== 'none' || !element.innerText?.trim()) continue;
      const { left, right, width } = element.getBoundingClientRect();
      if (width > 0 && (left < -1 || right > document.documentElement.clientWidth + 1))
        found.push(`${element.tagName}: ${element.innerText.slice(0, 40)}`);
      if (style.overflowX === 'hidden' && element.scrollWidth > element.clientWidth + 1)
        found.push(`hidden: ${element.innerText.slice(0, 40)}`);
    }
    return found;
  });
}

function brokenImages(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.images].filter((image) => image.complete && image.naturalWidth === 0).map((image) => image.src),
  );
}
