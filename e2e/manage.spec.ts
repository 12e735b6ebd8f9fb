import { brokenRules } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { anyScreen, keepPicture, looks } from './form.ts';
import { addItems, isPhone, names, newWord, row, signIn, toast } from './inventory-people.ts';

const manage = '/dashboard/manage-inventory';

test.beforeEach(({ context }) => signIn(context.request));

test('the page stands in the words of the spec, on a phone with two columns', async ({ page, context }) => {
  const word = newWord();
  const [id] = await addItems(context.request, [
    { name: `${word} out`, quantity: 0 },
    { name: `${word} low`, quantity: 10 },
    { name: `${word} in`, quantity: 42, price: 148.5, suplierName: 'Maison Test' },
  ]);
  await page.goto(`${manage}?q=${word}`);
  await expect(page).toHaveTitle('Manage Inventory · Perfume Warehouse');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Manage Inventory');
  await expect(page.locator('main').getByPlaceholder('Search')).toHaveValue(word);
  await expect(page.getByRole('link', { name: 'Create new Items' })).toHaveAttribute(
    'href',
    '/dashboard/add-inventory-item',
  );
  const heads = page.getByRole('columnheader');
  const full = row(page, `${word} in`);
  await expect(full).toContainText('Abailable: 42 in stock');
  await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', '4');
  await expect(full).toHaveAttribute('aria-rowindex', '2');
  if (isPhone(page)) {
    await expect(heads).toHaveText(['Product', 'Update']);
    await expect(full.locator('th, td')).toHaveCount(2);
    await expect(row(page, `${word} low`)).toContainText(/Low stock\s+Abailable: 10 in stock/);
  } else {
    await expect(heads).toHaveText([/^Select all/, 'Product', 'Dealer Info', 'Abaility', 'price', 'Update']);
    await expect(full.getByRole('cell')).toHaveText([
      `Select ${word} in`,
      'Maison TestAbailable: 42 in stock',
      'In Stock',
      '$ 148.50USD',
      'Delete',
    ]);
    await expect(row(page, `${word} out`).getByRole('cell').nth(2)).toHaveText('Out of stock');
    await expect(row(page, `${word} low`).getByRole('cell').nth(2)).toHaveText('In StockLow stock');
  }
  await page.getByRole('link', { name: `${word} out`, exact: true }).click();
  await expect(page).toHaveURL(`/dashboard/inventory/${id}`);
});

test('search, sort and stock are in the address and survive reload, back and forward', async ({ page, context }) => {
  const word = newWord();
  await addItems(context.request, [
    { name: `${word} b`, price: 30, quantity: 0 },
    { name: `${word} c`, price: 10, quantity: 5 },
    { name: `${word} a`, price: 20, quantity: 90 },
  ]);
  await page.goto(manage);
  await expect(page.locator('tr[data-row]').first()).toBeVisible();
  await page.locator('main').getByPlaceholder('Search').pressSequentially(word, { delay: 10 });
  await expect(page.getByRole('status').filter({ hasText: `3 items for “${word}”` })).toBeVisible();
  await expect(page).toHaveURL(`${manage}?q=${word}`);
  expect(await page.evaluate(() => sessionStorage.getItem('manage-inventory'))).toBe(`?q=${word}`);

  const sort = page.getByLabel('Sort by', { exact: true });
  if (isPhone(page)) await sort.selectOption('Price, low to high');
  else await page.getByRole('button', { name: 'price', exact: true }).click();
  await expect(page).toHaveURL(/[?&]sort=price/);
  await expect.poll(() => names(page)).toEqual([`${word} c`, `${word} a`, `${word} b`]);
  if (!isPhone(page)) {
    const head = page.getByRole('columnheader', { name: 'price' });
    await expect(head).toHaveAttribute('aria-sort', 'ascending');
    await page.getByRole('button', { name: 'price', exact: true }).click();
    await expect(head).toHaveAttribute('aria-sort', 'descending');
    await page.goBack();
    await expect(head).toHaveAttribute('aria-sort', 'ascending');
  }
  await page.getByLabel('Show', { exact: true }).selectOption('In stock');
  await expect.poll(() => names(page)).toEqual([`${word} c`, `${word} a`]);
  await expect(page).toHaveURL(/[?&]stock=in/);

  await page.reload();
  await expect.poll(() => names(page)).toEqual([`${word} c`, `${word} a`]);
  await expect(page.locator('main').getByPlaceholder('Search')).toHaveValue(word);
  await page.goBack();
  await expect.poll(() => names(page)).toEqual([`${word} c`, `${word} a`, `${word} b`]);
  await page.goBack();
  await expect.poll(() => names(page)).toEqual([`${word} a`, `${word} c`, `${word} b`]);
  await page.goForward();
  await expect.poll(() => names(page)).toEqual([`${word} c`, `${word} a`, `${word} b`]);
  await sort.selectOption('Newest first');
  await expect(page).toHaveURL(`${manage}?q=${word}`);
});

test(
  'an answer that comes late does not overwrite a newer one, and rows stay until there is one',
  anyScreen,
  async ({ page, context }) => {
    const word = newWord();
    await addItems(context.request, [{ name: `${word} rose` }, { name: `${word} oud` }]);
    await page.goto(`${manage}?q=${word}`);
    await expect.poll(() => names(page)).toHaveLength(2);
    let answerSlowly = () => {};
    const slow = new Promise<void>((resolve) => {
      answerSlowly = resolve;
    });
    await page.route(/all-inventory-items.*rose/, async (route) => {
      await slow;
      await route.continue().catch(() => {});
    });
    const search = page.locator('main').getByPlaceholder('Search');
    await search.fill(`${word} rose`);
    await expect(page).toHaveURL(/rose/);
    expect(await names(page)).toHaveLength(2);
    await search.fill(`${word} oud`);
    await expect.poll(() => names(page)).toEqual([`${word} oud`]);
    await expect(search).toHaveValue(`${word} oud`);
    answerSlowly();
    await page.waitForTimeout(200);
    expect(await names(page)).toEqual([`${word} oud`]);
  },
);

test('one item is deleted after the question, brought back with Undo, and stays when declined or refused', async ({
  page,
  context,
  faults,
}) => {
  faults.allow(/500/);
  const word = newWord();
  await addItems(context.request, [{ name: `${word} a` }, { name: `${word} b` }, { name: `${word} c` }]);
  await page.goto(`${manage}?q=${word}&sort=name`);
  const question = page.getByRole('alertdialog');
  const deleteOf = (name: string) => row(page, name).getByRole('button', { name: `Delete ${name}` });
  await deleteOf(`${word} b`).click();
  await expect(question).toContainText('Are you sure? You want to delete!');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(deleteOf(`${word} b`)).toBeFocused();

  await deleteOf(`${word} b`).click();
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => names(page)).toEqual([`${word} a`, `${word} c`]);
  await expect(deleteOf(`${word} c`)).toBeFocused();
  await toast(page, `${word} b was deleted.`).getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => names(page)).toEqual([`${word} a`, `${word} b`, `${word} c`]);

  await page.route('**/inventory-items/*', (route) =>
    route.request().method() === 'DELETE'
      ? route.fulfill({ status: 500, json: { code: 'internal', detail: 'No' } })
      : route.continue(),
  );
  await deleteOf(`${word} b`).click();
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(toast(page, `${word} b was not deleted.`)).toBeVisible();
  await expect.poll(() => names(page)).toEqual([`${word} a`, `${word} b`, `${word} c`]);
});

test('loading, empty and failed are three views', async ({ page, faults }) => {
  faults.allow(/500/);
  let answer = () => {};
  const waiting = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let fails = false;
  await page.route('**/all-inventory-items*', async (route) => {
    await waiting;
    if (fails) return route.fulfill({ status: 500, json: { code: 'internal', detail: 'No' } });
    return route.continue();
  });
  await page.goto(manage);
  await expect(page.locator('main').getByText('Loading...')).toBeVisible();
  await expect(page.getByRole('table')).toHaveCount(0);
  answer();
  await expect(page.getByRole('table')).toBeVisible();
  await expect(page.getByText('Loading...')).toHaveCount(0);

  const search = page.locator('main').getByPlaceholder('Search');
  await search.fill('nothing answers to this');
  await expect(page.getByText('Nothing on the shelf answers to “nothing answers to this”.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect(page.getByRole('table')).toBeVisible();
  await expect(search).toHaveValue('');

  fails = true;
  const logged = page.waitForEvent(
    'console',
    (message) => message.type() === 'error' && /ApiProblem/.test(message.text()),
  );
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('The items could not be loaded.');
  await logged;
  const again = page.getByRole('button', { name: 'Try again' });
  await expect(again).toBeVisible();
  fails = false;
  // Unless it has just tried by itself, because the line was there again.
  await again.click({ timeout: 2_000 }).catch(() => {});
  await expect(page.getByRole('table')).toBeVisible();
});

test('nobody signed out sees the list: the login page comes first', anyScreen, async ({ page, context, faults }) => {
  faults.allow(/401/);
  await page.goto(manage);
  await expect(page.locator('tr[data-row]').first()).toBeVisible();
  await page.locator('main').getByPlaceholder('Search').fill('oud');
  await expect(page).toHaveURL(`${manage}?q=oud`);
  await expect(page.getByRole('status').filter({ hasText: '“oud”' })).toBeVisible();
  await context.clearCookies();
  // Unless the page has noticed by itself already, and the field is gone.
  await page
    .locator('main')
    .getByPlaceholder('Search')
    .fill('rose', { timeout: 2_000 })
    .catch(() => {});
  await expect(page).toHaveURL(/\/login\?from=%2Fdashboard%2Fmanage-inventory%3Fq%3D(?:oud|rose)$/);
  await expect(page.getByRole('alert')).toHaveText('You were logged out. Log in to continue where you left off.');
  await page.getByLabel('Email').fill('demo@perfume.example');
  await page.getByLabel('Password', { exact: true }).fill('perfume-demo-1');
  // The site's footer is never to be seen on a path of the dashboard, not for one frame.
  await page.evaluate(() => {
    const seen: string[] = [];
    const look = () => {
      if (location.pathname.includes('/dashboard') && document.querySelector('footer')?.checkVisibility())
        seen.push(location.pathname);
      requestAnimationFrame(look);
    };
    look();
    Object.assign(window, { footersSeen: seen });
  });
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page).toHaveURL(/\/dashboard\/manage-inventory\?q=(?:oud|rose)$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Manage Inventory');
  expect(await page.evaluate(() => 'footersSeen' in window && window.footersSeen)).toEqual([]);
  await context.clearCookies();
  await page.goto(`${manage}?q=oud&sort=name`);
  await expect(page).toHaveURL(`/login?from=${encodeURIComponent(`${manage}?q=oud&sort=name`)}`);
});

test.describe('every width, theme and direction', () => {
  for (const [language, colorScheme] of looks)
    test(`in ${language}, ${colorScheme}`, async ({ page, context, baseURL }, info) => {
      test.skip(info.project.name !== 'desktop', 'it sets its own sizes');
      test.setTimeout(90_000);
      await context.addCookies([{ name: 'language', value: language, url: baseURL ?? '' }]);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const width of [320, 390, 768, 1366]) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(manage);
        await expect(page.locator('tr[data-row]').first()).toBeVisible();
        const boxes = page.locator('main button[aria-pressed=false]');
        if (await boxes.isVisible()) await boxes.click();
        await page.getByRole('checkbox').nth(2).check();
        await expect(page.locator('main progress, main section section')).toBeVisible();
        expect(await page.locator('body').innerText()).not.toMatch(/\b(?:inventory|bulk)\.[a-z]|\{\w+\}/);
        const sideways = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
        expect(await page.evaluate(sideways), `sideways scroll at ${width}`).toBeLessThanOrEqual(0);
        const small = await page.evaluate(() =>
          [...document.querySelectorAll<HTMLElement>('main :is(button, select, label:has(input[type=checkbox]))')]
            .filter((target) => target.getBoundingClientRect().height < 43.5)
            .map((target) => target.outerHTML),
        );
        expect(small, `small targets at ${width}`).toEqual([]);
        await keepPicture(page, info, String(width));
        if (width !== 390 && width !== 1366) continue;
        expect(await brokenRules(page)).toEqual([]);
      }
    });
});
