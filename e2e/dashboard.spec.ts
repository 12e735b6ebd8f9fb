import type { Locator, Page } from '@playwright/test';
import { axeViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { anyScreen, appearancesWithLongWords } from './form.ts';
import { addItems, toast, uniqueWord } from './inventory-helpers.ts';
import { expectNoSidewaysScroll, expectToFitAt } from './screens.ts';

const isPhone = (page: Page) => (page.viewportSize()?.width ?? 0) < 640;
const home = '/dashboard/admin/home';

async function openAsDealer(page: Page, path = home): Promise<void> {
  await page.request.post('/demo/sign-in');
  await page.goto(path);
}

const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Warehouse' });
const toggle = (page: Page) => page.getByRole('button', { name: 'Sidebar' });
const drawer = (page: Page) => page.getByRole('dialog', { name: 'Mange your warehouse' });
const palette = (page: Page) => page.getByRole('dialog', { name: 'Search and commands' });
const widthOf = async (place: Locator) => (await place.boundingBox())?.width;

/** Returns the navigation, which is in a drawer on a phone. */
async function links(page: Page): Promise<Locator> {
  if (isPhone(page) && !(await drawer(page).isVisible())) await toggle(page).click();
  return isPhone(page) ? drawer(page) : sidebar(page);
}

async function idOfItem(page: Page, name: string): Promise<string> {
  const found: { _id: string; name: string }[] = await (
    await page.request.get(`/all-inventory-items?q=${encodeURIComponent(name)}`)
  ).json();
  return found.find((item) => item.name === name)?._id ?? '';
}

test.describe('the header', () => {
  test('shows Admin Pannel above profile and sample figures; its menu leads home, to the inventory and logs out', async ({
    page,
    browserErrors,
  }) => {
    // The server refuses figures that are requested during the logout.
    browserErrors.allow(/401 .*\/insights\//);
    await openAsDealer(page, '/dashboard');
    await expect(page).toHaveURL(home);
    const profile = page.getByRole('region', { name: 'My Profile' });
    await expect(profile).toContainText('Demo Dealer');
    await expect(profile).toContainText('demo@perfume.example');
    await expect(profile.locator('svg, img')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Sample figures' }).getByRole('listitem')).toHaveText([
      'Total Dealers200089% active',
      'New Dealers1410% increased this week',
      'New Dealers7214% increased this month',
    ]);
    await expect(page.getByRole('banner').getByText('Admin Pannel', { exact: true })).toBeVisible();
    await expect(page.getByRole('link', { name: 'About' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Account: Demo Dealer' }).click();
    const menu = page.getByRole('menu');
    await expect(menu).toContainText('Demo Dealer');
    await expect(menu).toContainText('demo@perfume.example');
    await expect(menu.getByRole('menuitem', { name: 'Home Page' })).toHaveAttribute('href', '/');
    await expect(menu.getByRole('menuitem', { name: 'Manage Inventory' })).toHaveAttribute(
      'href',
      '/dashboard/manage-inventory',
    );
    await expect(menu.getByRole('menuitem', { name: 'Settings' })).toHaveAttribute('href', '/dashboard/settings');
    await menu.getByRole('menuitem', { name: 'Logout' }).click();
    await page.waitForURL('/');
    await page.goto(home);
    await expect(page.getByRole('heading', { name: 'Account Login' })).toBeVisible();
  });

  test('shows a lost live connection without moving anything', anyScreen, async ({ page, context, browserErrors }) => {
    browserErrors.allow(/ERR_INTERNET_DISCONNECTED|events/);
    const live = page.waitForResponse('**/events*');
    await openAsDealer(page);
    await live;
    const sign = page.getByRole('status').getByText('Connection lost. Reconnecting…');
    const heading = page.getByRole('heading', { level: 1 });
    await expect(heading).toBeVisible();
    const before = await heading.boundingBox();
    await context.setOffline(true);
    await expect(sign).toBeVisible();
    await expect.poll(() => heading.boundingBox()).toEqual(before);
    await context.setOffline(false);
    await expect(sign).toBeHidden();
  });
});

test.describe('the sidebar', () => {
  test('is 200px wide, 50px when collapsed, and stays as it was left', async ({ page }) => {
    test.skip(isPhone(page), 'a phone has a drawer');
    await openAsDealer(page);
    const heading = page.getByRole('heading', { name: 'Mange your warehouse' });
    await expect(toggle(page)).toHaveAttribute('aria-expanded', 'true');
    await expect(heading).toBeVisible();
    await expect(sidebar(page).getByRole('searchbox')).toHaveAttribute('placeholder', 'Search');
    await expect.poll(() => widthOf(sidebar(page))).toBe(200);

    await toggle(page).click();
    await expect.poll(() => widthOf(sidebar(page))).toBe(50);
    await page.reload();
    await expect(toggle(page)).toHaveAttribute('aria-expanded', 'false');
    await expect.poll(() => widthOf(sidebar(page))).toBe(50);
    await expect(heading).toHaveCount(0);
    await expect(sidebar(page).getByRole('searchbox')).toHaveCount(0);
    await sidebar(page).getByRole('link', { name: 'Messages' }).focus();
    await expect(page.getByRole('tooltip')).toHaveText('Messages');

    await toggle(page).click();
    await expect.poll(() => widthOf(sidebar(page))).toBe(200);
    await page.setViewportSize({ width: 800, height: 900 });
    await page.context().clearCookies({ name: 'sidebar' });
    await page.reload();
    await expect.poll(() => widthOf(sidebar(page))).toBe(50);
  });

  test('is a drawer on a phone, which traps the focus and returns it', async ({ page }) => {
    test.skip(!isPhone(page), 'only a phone has a drawer');
    await openAsDealer(page);
    await expect.poll(() => widthOf(sidebar(page))).toBe(50);
    await expect.poll(() => widthOf(page.getByRole('main'))).toBe(390);
    await toggle(page).click();
    await expect(drawer(page)).toBeVisible();
    await expect.poll(() => widthOf(drawer(page))).toBe(200);
    for (let i = 0; i < 14; i++) {
      await page.keyboard.press('Tab');
      await expect.poll(() => drawer(page).evaluate((panel) => panel.contains(document.activeElement))).toBe(true);
    }
    for (const target of await drawer(page).locator('a, button, input').all()) {
      const box = await target.boundingBox();
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
    }
    await page.keyboard.press('Escape');
    await expect(drawer(page)).toBeHidden();
    await expect(toggle(page)).toBeFocused();

    await toggle(page).click();
    await drawer(page).getByRole('button', { name: 'Language' }).click();
    await page.getByRole('menuitemradio', { name: 'Français' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Mes articles' }).click();
    await expect(page).toHaveURL('/dashboard/my-item');
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(page.getByRole('main')).toBeFocused();
    await page.reload();
    await expect(page.getByRole('button', { name: 'Barre latérale' })).toHaveAttribute('aria-expanded', 'false');
  });

  test('has the floor, then the eight links of the spec, and a search', async ({ page }) => {
    await openAsDealer(page);
    const place = await links(page);
    const found = await place
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute('href')]));
    expect(found).toEqual([
      ['Floor', '/dashboard/floor'],
      ['Dashboad', '/dashboard/admin/home'],
      ['My Items', '/dashboard/my-item'],
      ['Manage Inventory', '/dashboard/manage-inventory'],
      ['Add New Item', '/dashboard/add-inventory-item'],
      ['Analysetic', '/dashboard/anlaysetic'],
      ['Messages', '/dashboard/admin-chat'],
      ['Settings', '/dashboard/settings'],
      ['Saved', '/dashboard/saved'],
    ]);
    await expect(place.getByRole('link', { name: 'Dashboad' })).toHaveAttribute('aria-current', 'page');
    await (await links(page)).getByRole('link', { name: 'Messages' }).click();
    await expect(page.getByRole('heading', { name: 'Oops! Page not found.' })).toBeVisible();
    await expect(page.getByText('Admin Pannel')).toBeVisible();

    // On an item's page, the sidebar links to that item, and 'Manage Inventory' leads back to the list with its
    // filters.
    const id = await idOfItem(page, 'Oud Clair');
    await page.evaluate(() => sessionStorage.setItem('manage-inventory', '?q=rose&sort=name'));
    await page.goto(`/dashboard/inventory/${id}`);
    const update = (await links(page)).getByRole('link', { name: 'Update Inventory' });
    await expect(update).toHaveAttribute('href', `/dashboard/inventory/${id}`);
    await expect(update).toHaveAttribute('aria-current', 'page');
    await (await links(page)).getByRole('link', { name: 'Dashboad' }).click();
    await expect(page.getByRole('heading', { name: 'My Profile' })).toBeVisible();
    await expect((await links(page)).getByRole('link', { name: 'Manage Inventory' })).toHaveAttribute(
      'href',
      '/dashboard/manage-inventory?q=rose&sort=name',
    );
    await (await links(page)).getByRole('searchbox').fill('oud');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/dashboard\/manage-inventory\?q=oud$/);
    await expect(page.getByRole('dialog')).toBeHidden();
  });
});

test.describe('the palette', () => {
  test('finds and opens an item with the keyboard alone, and remembers it', async ({ page }) => {
    test.skip(isPhone(page), 'a phone has no keys');
    await openAsDealer(page);
    const id = await idOfItem(page, "Nuit d'Encre");
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.keyboard.press('Control+k');
    await expect(palette(page).getByRole('combobox')).toBeFocused();
    await expect(palette(page).getByRole('group', { name: 'Pages' }).getByRole('option')).toHaveCount(13);
    // Enter is pressed before the results arrive.
    await page.keyboard.type("nuit d'encre\n");
    await expect(page).toHaveURL(`/dashboard/inventory/${id}`);
    await expect(palette(page)).toBeHidden();
    await expect(page.getByRole('main')).toBeFocused();

    await page.keyboard.press('Control+k');
    await expect(palette(page).getByRole('group', { name: 'Recent' }).getByRole('option')).toHaveText(["Nuit d'Encre"]);
    await page.keyboard.type('create');
    await expect(palette(page).getByRole('option')).toHaveText(['Add New Item']);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/dashboard/add-inventory-item');
    await expect(palette(page)).toBeHidden();

    await page.keyboard.press('Control+k');
    await expect(palette(page).getByRole('combobox')).toBeFocused();
    await page.keyboard.type('dark');
    await page.keyboard.press('Enter');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await expect(palette(page)).toBeHidden();
    await page.keyboard.press('Control+k');
    await expect(palette(page).getByRole('combobox')).toBeFocused();
    await page.keyboard.type('fran');
    await page.keyboard.press('Enter');
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  });

  test('delivers, restocks and counts what is typed, and says why it cannot', anyScreen, async ({ page, context }) => {
    await openAsDealer(page);
    const word = uniqueWord();
    const [, id = ''] = await addItems(context.request, [
      { name: `${word} Nuit`, quantity: 3, suplierName: 'Port & Fils' },
      { name: `${word} Royal`, quantity: 12 },
    ]);
    const options = palette(page).getByRole('option');
    const type = async (text: string) => {
      await page.keyboard.press('Control+k');
      await expect(palette(page).getByRole('combobox')).toBeFocused();
      await page.keyboard.type(text);
    };
    await type('deliver');
    await expect(palette(page).getByRole('status')).toHaveText(
      'Type how many and which item, for example “deliver 5 oud”.',
    );
    await page.keyboard.type(` 5 ${word}`);
    await expect(options).toHaveCount(2);
    await expect(options.nth(0)).toHaveAccessibleName(`Deliver 5 · ${word} Royal, Verrière: 12 becomes 7`);
    await expect(options.nth(1)).toHaveAccessibleName(`Deliver 5 · ${word} Nuit, Port & Fils: Only 3 on hand`);
    await expect(options.nth(1)).toBeDisabled();
    await expect(palette(page).getByRole('combobox')).toHaveValue(`deliver 5 ${word}`);
    await page.keyboard.press('ArrowDown');
    await expect(options.nth(1)).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Enter');
    await expect(options).toHaveCount(2);
    await page.keyboard.press('ArrowUp');
    await expect(options.nth(0)).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Enter');
    await expect(palette(page)).toBeHidden();
    await expect(toast(page, `Delivered 5 × ${word} Royal`).getByRole('button', { name: 'Undo' })).toBeVisible();
    await page.keyboard.press('ControlOrMeta+z');
    await expect(toast(page, 'Undone: delivery of 5')).toBeVisible();

    // The only match, chosen by an Enter that comes before the results.
    await type(`restock ٢٠ ${word} nuit\n`);
    await expect(toast(page, `Restocked 20 × ${word} Nuit`)).toBeVisible();
    await type(`count ${word} royal\n`);
    await expect(page).toHaveURL(`/dashboard/inventory/${id}?count`);
    await expect(
      page
        .getByRole('dialog', { name: `${word} Royal` })
        .getByRole('textbox')
        .first(),
    ).toBeFocused();
    await page.keyboard.press('Escape');
    // Words of a description find an item, but deliver none.
    await type('deliver 5 counted, delivered and taken away');
    await expect(palette(page).getByRole('status')).toHaveText('No results for “counted, delivered and taken away”.');
    await page.keyboard.press('Escape');
    await type('open analys\n');
    await expect(page).toHaveURL('/dashboard/anlaysetic');
  });

  test(
    'opens by its button and distinguishes loading, no results and failure',
    anyScreen,
    async ({ page, browserErrors }) => {
      browserErrors.allow(/all-inventory-items|Failed to load/);
      await openAsDealer(page);
      let mode: 'wait' | 'fail' | 'go on' = 'wait';
      await page.route('**/all-inventory-items?*', async (route) => {
        while (mode === 'wait') await new Promise((resolve) => setTimeout(resolve, 50));
        return mode === 'fail' ? route.fulfill({ status: 500 }) : route.continue();
      });
      await page.getByRole('button', { name: 'Search or jump to…' }).click();
      const field = palette(page).getByRole('combobox');
      await field.fill('oud clair');
      await expect(palette(page).getByText('Loading...')).toBeVisible();
      mode = 'fail';
      await expect(palette(page).getByRole('alert')).toContainText('Could not search the items.');
      mode = 'go on';
      await palette(page).getByRole('button', { name: 'Try again' }).click();
      await expect(palette(page).getByRole('option')).toHaveText([/^Oud Clair/]);
      await field.fill('zzzz');
      await expect(palette(page).getByRole('status')).toHaveText('No results for “zzzz”.');
      await palette(page).getByRole('button', { name: 'Close' }).click();
      await expect(palette(page)).toBeHidden();
      await expect(page.getByRole('button', { name: 'Search or jump to…' })).toBeFocused();
    },
  );
});

test('shortcuts open the pages, are listed under “?”, do not work in fields and can be turned off', async ({
  page,
}) => {
  test.skip(isPhone(page), 'a phone has no keys');
  await openAsDealer(page);
  await expect(toggle(page)).toBeVisible();
  for (const [keys, path] of [
    ['gi', '/dashboard/my-item'],
    ['gm', '/dashboard/manage-inventory'],
    ['ga', '/dashboard/add-inventory-item'],
    ['gh', home],
  ] as const) {
    await page.keyboard.type(keys);
    await expect(page).toHaveURL(path);
  }
  await toggle(page).click();
  await page.keyboard.press('/');
  const search = sidebar(page).getByRole('searchbox');
  await expect(search).toBeFocused();
  await page.keyboard.type('g h?/');
  await expect(search).toHaveValue('g h?/');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  // The focused element goes away as soon as the key is up, as when the next page appears at that moment.
  await page.evaluate(() => {
    const button = document.body.appendChild(document.createElement('button'));
    button.addEventListener('keyup', () => button.remove());
    button.focus();
  });
  await page.keyboard.press('?');
  await expect(help).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(help).toBeHidden();

  await toggle(page).focus();
  await page.keyboard.press('?');
  for (const text of ['Search and commandsCtrlK', 'Go to search/', 'Go to My ItemsGthenI', 'Show this list?'])
    await expect(help).toContainText(text);
  // Shortcuts do nothing while a dialog is open.
  await page.keyboard.type('gm');
  await expect(page).toHaveURL(home);
  await help.getByRole('checkbox').uncheck();
  await expect(help).not.toContainText('Go to My Items');
  await page.keyboard.press('Escape');
  await expect(toggle(page)).toBeFocused();
  await page.keyboard.type('gm?');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).toHaveURL(home);
  await page.keyboard.press('Control+k');
  await expect(palette(page)).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(palette(page)).toBeHidden();
  await expect(toggle(page)).toBeFocused();
  await page.keyboard.press('Control+k');
  await expect(palette(page)).toBeVisible();
  // Closes and opens it again before the focus has returned, as quick fingers do.
  await page.evaluate(async () => {
    const init = { key: 'k', code: 'KeyK', ctrlKey: true, bubbles: true, cancelable: true };
    for (let press = 0; press < 2; press++) {
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', init));
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    }
  });
  await page.keyboard.type('shortcuts');
  await page.keyboard.press('Enter');
  await expect(help).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(toggle(page)).toBeFocused();
});

for (const [language, colorScheme] of appearancesWithLongWords)
  test(`every part of the shell is accessible and fits in ${language}, ${colorScheme}`, async ({
    page,
    context,
    baseURL,
  }, info) => {
    test.skip(info.project.name !== 'desktop', 'it sets its own sizes');
    test.setTimeout(120_000);
    await context.addCookies([{ name: 'language', value: language, url: baseURL ?? '' }]);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await openAsDealer(page);
    const check = async (state: string, part = 'html') => {
      expect(await axeViolations(page, part), state).toEqual([]);
      await expectNoSidewaysScroll(page, state);
    };
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await check('expanded');
    await page.getByRole('banner').getByRole('button').last().click();
    await expect(page.getByRole('menu')).toBeVisible();
    await check('account menu', '[role=menu]');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('a');
    await expect(page.getByRole('option').nth(6)).toBeVisible();
    await check('palette', '[role=dialog]');
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await expect(page.getByRole('checkbox')).toBeVisible();
    await check('help', '[role=dialog]');
    await page.keyboard.press('Escape');
    await page.locator('nav button').click();
    await check('collapsed');
    await expectToFitAt(page, 320, 640);
    await check('320px');
    await page.locator('nav button').click();
    await expect(page.getByRole('dialog').getByRole('searchbox')).toBeVisible();
    await check('drawer', '[role=dialog]');
  });
