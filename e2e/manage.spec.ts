import { axeViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { anyScreen, appearances, axeWidths, saveScreenshot } from './form.ts';
import {
  addItems,
  isPhone,
  logInAsDealer,
  logInOnPage,
  names,
  row,
  toast,
  uniqueWord,
  waitForHydration,
} from './inventory-helpers.ts';
import { expectLargeEnough, expectNoSidewaysScroll, expectToFitAt } from './screens.ts';

const manage = '/dashboard/manage-inventory';

test.beforeEach(({ context }) => logInAsDealer(context.request));

test(
  'it requests its first rows once, and can be retried if one of its scripts failed to load',
  anyScreen,
  async ({ page, browserErrors }) => {
    browserErrors.allow(/ERR_FAILED|Failed to (?:load|fetch)/);
    let requests = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/all-inventory-items?limit=100')) requests++;
    });
    const firstRow = page.locator('tr[data-row]').first();
    await page.goto(manage);
    await expect(firstRow).toBeVisible();
    // Time for the change feed to start. Nothing was missed, so it causes no second request.
    await page.waitForTimeout(1_000);
    expect(requests).toBe(1);

    await page.route(/assets\/manage-page-.*\.js/, (route) => route.abort());
    await page.reload();
    await expect(page.getByText('Could not load this')).toBeVisible();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(firstRow).toBeVisible();
  },
);

test('the list can be searched, sorted, filtered and deleted from, and always shows its state', async ({
  page,
  context,
  browserErrors,
}) => {
  test.slow();
  browserErrors.allow(/500/);
  const word = uniqueWord();
  const [a, b, c] = ['a', 'b', 'c'].map((letter) => `${word} ${letter}`) as [string, string, string];
  const [id] = await addItems(context.request, [
    { name: b, price: 30, quantity: 0 },
    { name: c, price: 10, quantity: 5 },
    { name: a, price: 148.5, quantity: 42, suplierName: 'Maison Test' },
  ]);
  const search = page.locator('main').getByPlaceholder('Search');
  const table = page.getByRole('table');
  let respond = () => {};
  const waiting = new Promise<void>((resolve) => {
    respond = resolve;
  });
  let fails = false;
  await page.route('**/all-inventory-items*', async (route) => {
    await waiting;
    if (fails) return route.fulfill({ status: 500, json: { code: 'internal', detail: 'No' } });
    return route.continue();
  });

  await test.step('it says when it is loading and when nothing matches', async () => {
    await page.goto(manage);
    await expect(page.locator('main').getByText('Loading...')).toBeVisible();
    await expect(table).toHaveCount(0);
    respond();
    await expect(table).toBeVisible();
    await expect(page.getByText('Loading...')).toHaveCount(0);
    await search.fill('no item is called this');
    await expect(page.getByText('No items match “no item is called this”.')).toBeVisible();
    await page.getByRole('button', { name: 'Clear search' }).click();
    await expect(table).toBeVisible();
    await expect(search).toHaveValue('');
    await expect(page).toHaveURL(manage);
  });

  await test.step('rows have the texts of the spec, and two columns on a phone', async () => {
    await search.pressSequentially(word);
    await expect(page.getByRole('status').filter({ hasText: `3 items for “${word}”` })).toBeVisible();
    await expect(page).toHaveURL(`${manage}?q=${word}`);
    await expect.poll(() => page.evaluate(() => sessionStorage.getItem('manage-inventory'))).toBe(`?q=${word}`);
    await expect(page).toHaveTitle('Manage Inventory · Perfume Warehouse');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Manage Inventory');
    const create = page.getByRole('link', { name: 'Create new Items' });
    await expect(create).toHaveAttribute('href', '/dashboard/add-inventory-item');
    const heads = page.getByRole('columnheader');
    const full = row(page, a);
    await expect(full).toContainText('Abailable: 42 in stock');
    await expect(table).toHaveAttribute('aria-rowcount', '4');
    await expect(full).toHaveAttribute('aria-rowindex', '2');
    if (isPhone(page)) {
      await expect(heads).toHaveText(['Product', 'Update']);
      await expect(full.locator('th, td')).toHaveCount(2);
      await expect(row(page, c)).toContainText(/Low stock\s+Abailable: 5 in stock/);
    } else {
      await expect(heads).toHaveText([/^Select all/, 'Product', 'Dealer Info', 'Abaility', 'price', 'Update']);
      await expect(full.getByRole('cell')).toHaveText([
        `Select ${a}`,
        'Maison TestAbailable: 42 in stock',
        'In Stock',
        '$ 148.50USD',
        '−1Delete',
      ]);
      await expect(row(page, b).getByRole('cell').nth(2)).toHaveText('Out of stock');
      await expect(row(page, c).getByRole('cell').nth(2)).toHaveText('In StockLow stock');
    }
    await page.getByRole('link', { name: b, exact: true }).click();
    await expect(page).toHaveURL(`/dashboard/inventory/${id}`);
    await page.goBack();
  });

  await test.step('search, sort and stock are in the URL and survive reload, back and forward', async () => {
    const sort = page.getByLabel('Sort by', { exact: true });
    if (isPhone(page)) await sort.selectOption('Price, low to high');
    else await page.getByRole('button', { name: 'price', exact: true }).click();
    await expect(page).toHaveURL(/[?&]sort=price/);
    await expect.poll(() => names(page)).toEqual([c, b, a]);
    if (!isPhone(page)) {
      const head = page.getByRole('columnheader', { name: 'price' });
      await expect(head).toHaveAttribute('aria-sort', 'ascending');
      await page.getByRole('button', { name: 'price', exact: true }).click();
      await expect(head).toHaveAttribute('aria-sort', 'descending');
      await page.goBack();
      await expect(head).toHaveAttribute('aria-sort', 'ascending');
    }
    await page.getByLabel('Show', { exact: true }).selectOption('In stock');
    await expect.poll(() => names(page)).toEqual([c, a]);
    await expect(page).toHaveURL(/[?&]stock=in/);

    fails = true;
    const logged = page.waitForEvent(
      'console',
      (message) => message.type() === 'error' && /ApiProblem/.test(message.text()),
    );
    await page.reload();
    await expect(page.getByRole('alert')).toContainText('Could not load the items.');
    await logged;
    const again = page.getByRole('button', { name: 'Try again' });
    await expect(again).toBeVisible();
    fails = false;
    // The page may retry by itself before the click, because the connection is back.
    await Promise.race([again.click().catch(() => {}), table.waitFor()]);

    await expect.poll(() => names(page)).toEqual([c, a]);
    await expect(search).toHaveValue(word);
    await page.goBack();
    await expect.poll(() => names(page)).toEqual([c, b, a]);
    await page.goBack();
    await expect.poll(() => names(page)).toEqual([a, c, b]);
    await page.goForward();
    await expect.poll(() => names(page)).toEqual([c, b, a]);
    await sort.selectOption('Newest first');
    await expect(page).toHaveURL(`${manage}?q=${word}`);
    await expect.poll(() => names(page)).toEqual([a, c, b]);
  });

  await test.step('Undo restores a deleted item; a declined or refused deletion keeps it', async () => {
    const question = page.getByRole('alertdialog');
    const deleteOf = (name: string) => row(page, name).getByRole('button', { name: `Delete ${name}` });
    await deleteOf(c).click();
    await expect(question).toContainText('Are you sure? You want to delete!');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(deleteOf(c)).toBeFocused();

    await deleteOf(c).click();
    await question.getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => names(page)).toEqual([a, b]);
    await expect(deleteOf(b)).toBeFocused();
    await toast(page, `${c} was deleted.`).getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => names(page)).toEqual([a, c, b]);

    await page.route('**/inventory-items/*', (route) =>
      route.request().method() === 'DELETE'
        ? route.fulfill({ status: 500, json: { code: 'internal', detail: 'No' } })
        : route.continue(),
    );
    await deleteOf(c).click();
    await question.getByRole('button', { name: 'Delete' }).click();
    await expect(toast(page, `${c} was not deleted.`)).toBeVisible();
    await expect.poll(() => names(page)).toEqual([a, c, b]);
  });

  await test.step('a late response does not overwrite a newer one, and rows stay until there is a response', async () => {
    const toA = (address: string) => new URL(address).searchParams.get('q') === a;
    let answerLate = () => {};
    const late = new Promise<void>((resolve) => {
      answerLate = resolve;
    });
    await page.route(
      (url) => url.pathname === '/all-inventory-items' && toA(url.href),
      async (route) => {
        await late;
        await route.continue().catch(() => {});
      },
    );
    const ended = Promise.race([
      page.waitForEvent('requestfinished', (request) => toA(request.url())),
      page.waitForEvent('requestfailed', (request) => toA(request.url())),
    ]);
    await search.fill(a);
    await expect(page).toHaveURL(/[+ ]a$|%20a$/);
    await expect.poll(() => names(page)).toHaveLength(3);
    await search.fill(b);
    await expect.poll(() => names(page)).toEqual([b]);
    await expect(search).toHaveValue(b);
    answerLate();
    await ended;
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    await expect.poll(() => names(page)).toEqual([b]);
  });
});

test(
  'a visitor sees the login page instead of the list, and returns to the list after login',
  anyScreen,
  async ({ page, context, browserErrors }) => {
    browserErrors.allow(/401/);
    const filteredList = `${manage}?q=oud&sort=name`;
    await context.clearCookies();
    await page.goto(filteredList);
    await expect(page).toHaveURL(`/login?from=${encodeURIComponent(filteredList)}`);
    await logInOnPage(page);
    await expect(page).toHaveURL(filteredList);
    await expect(page.getByRole('status').filter({ hasText: '“oud”' })).toBeVisible();

    await context.clearCookies();
    // The page may notice the logout before the field is filled, and the field is then gone.
    const search = page.locator('main').getByPlaceholder('Search');
    const login = /\/login\?from=%2Fdashboard%2Fmanage-inventory%3Fq%3D(?:oud|rose)%26sort%3Dname$/;
    await Promise.race([search.fill('rose').catch(() => {}), page.waitForURL(login)]);
    await expect(page).toHaveURL(login);
    await waitForHydration(page);
    await expect(page.getByRole('alert')).toHaveText('You were logged out. Log in to continue where you left off.');
    // The site's footer must never show on a dashboard path, not even for one frame.
    await page.evaluate(() => {
      const seen: string[] = [];
      const checkFrame = () => {
        if (location.pathname.includes('/dashboard') && document.querySelector('footer')?.checkVisibility())
          seen.push(location.pathname);
        requestAnimationFrame(checkFrame);
      };
      checkFrame();
      Object.assign(window, { footersSeen: seen });
    });
    await logInOnPage(page);
    await expect(page).toHaveURL(/\/dashboard\/manage-inventory\?q=(?:oud|rose)&sort=name$/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Manage Inventory');
    expect(await page.evaluate(() => 'footersSeen' in window && window.footersSeen)).toEqual([]);
  },
);

for (const [language, colorScheme] of appearances)
  test(
    `nothing is too wide, too small to hit or broken at any width: ${language}, ${colorScheme}`,
    anyScreen,
    async ({ page, context, baseURL }, info) => {
      await context.addCookies([{ name: 'language', value: language, url: baseURL ?? '' }]);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.goto(manage);
      for (const width of [1366, 768, 390, 320]) {
        await expectToFitAt(page, width);
        await expect(page.locator('tr[data-row]').first()).toBeVisible();
        const boxes = page.locator('main button[aria-pressed=false]');
        if (await boxes.isVisible()) await boxes.click();
        await page.getByRole('checkbox').nth(2).check();
        await expect(page.locator('main progress, main section section')).toBeVisible();
        expect(await page.locator('body').innerText()).not.toMatch(/\b(?:inventory|bulk)\.[a-z]|\{\w+\}/);
        await expectNoSidewaysScroll(page, `rows selected at ${width}`);
        await expectLargeEnough(page.locator('main :is(button, select, label:has(input[type=checkbox]))'));
        await saveScreenshot(page, info, String(width));
        if (axeWidths(colorScheme).includes(width)) expect(await axeViolations(page)).toEqual([]);
      }
    },
  );
