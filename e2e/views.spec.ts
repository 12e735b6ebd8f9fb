import type { Page } from '@playwright/test';
import { axeViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { anyScreen } from './form.ts';
import { addItems, isPhone, row, toast, uniqueWord } from './inventory-helpers.ts';
import { expectLargeEnough, expectToFitAt } from './screens.ts';
import { twoPeople } from './two-people.ts';

// Pinned views are in the sidebar of everybody, which other files look at.
test.use({ shop: 'views' });

const view = (page: Page, name: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: name });
const dialog = (page: Page) => page.getByRole('dialog');
const viewButton = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true });

/** The pinned views in the sidebar, which is a drawer on a phone. */
async function pinned(page: Page) {
  const list = page.getByRole('list', { name: 'Pinned views' });
  if (isPhone(page) && !(await dialog(page).isVisible())) await page.getByRole('button', { name: 'Sidebar' }).click();
  return list.getByRole('link');
}

async function closeDrawer(page: Page): Promise<void> {
  if (!isPhone(page)) return;
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
}

test('filters are saved under a name, shared, pinned, counted live, updated and deleted, and each step is undone', async ({
  browser,
  context,
  baseURL,
}) => {
  test.slow();
  const [one, other] = await twoPeople({ browser, context, baseURL });
  const word = uniqueWord();
  const name = `Shelf ${word}`;
  await addItems(one.request, [{ name: `Amber ${word}` }, { name: `Cedar ${word}`, quantity: 3 }]);
  const page = await one.newPage();
  const second = await other.newPage();

  await test.step('without views, the page says what one is', async () => {
    await second.goto('/dashboard/saved');
    await expect(second).toHaveTitle('Saved · Perfume Warehouse');
    await expect(second.getByText(/^No saved views yet/)).toBeVisible();
    expect(await axeViolations(second)).toEqual([]);
  });

  await test.step('one person saves a search, shares it and pins it', async () => {
    await page.goto(`/dashboard/manage-inventory?q=${word}`);
    await expect(row(page, `Cedar ${word}`)).toBeVisible();
    await viewButton(page, 'Save view').click();
    const field = dialog(page).getByRole('textbox', { name: 'Name' });
    await expect(field).toHaveValue(word);
    await expect(field).toBeFocused();
    await field.fill(' ');
    await page.keyboard.press('Enter');
    await expect(dialog(page).getByText('This field is required')).toBeVisible();
    await field.fill(name);
    await dialog(page).getByRole('checkbox', { name: 'Share with everybody in the warehouse' }).check();
    await dialog(page).getByRole('checkbox', { name: 'Pin to the sidebar' }).check();
    expect(await axeViolations(page, '[role=dialog]')).toEqual([]);
    await page.keyboard.press('Enter');
    await expect(toast(page, `“${name}” was saved.`)).toBeVisible();
    await expect(dialog(page)).toBeHidden();
    await expect(viewButton(page, 'Saved view')).toBeVisible();
    await expect(page).toHaveURL(/[?&]view=[0-9a-f-]{36}$/);
    const link = await pinned(page);
    await expect(link).toHaveText(`${name}2`);
    await expect(link).toHaveAttribute('aria-current', 'true');
    await closeDrawer(page);
  });
  const id = new URL(page.url()).searchParams.get('view') ?? '';

  await test.step('the other person sees it at once, and its number follows the stock', async () => {
    await expect(view(second, name)).toContainText('2 items');
    await expect(view(second, name)).toContainText('By Demo Dealer');
    await addItems(one.request, [{ name: `Iris ${word}` }]);
    await expect(view(second, name)).toContainText('3 items');
    await expect(await pinned(second)).toHaveText(`${name}3`);
    await expect(view(second, name).getByRole('button', { name: `Pin “${name}” to the sidebar` })).toHaveCount(0);
    const email = view(second, name).getByRole('button', { name: `Email me when “${name}” is no longer empty` });
    await email.click();
    await expect(toast(second, `You will get an email when “${name}” is no longer empty.`)).toBeVisible();
    await expect(email).toHaveAttribute('aria-pressed', 'true');
  });

  await test.step('with other filters, the open view can be updated, and the update undone', async () => {
    await page.getByLabel('Show', { exact: true }).selectOption('Low stock');
    await expect(row(page, `Iris ${word}`)).toHaveCount(0);
    await viewButton(page, 'Update view').click();
    await expect(dialog(page).getByText(`The filters have changed since “${name}” was saved.`)).toBeVisible();
    await dialog(page).getByRole('button', { name: 'Update view' }).click();
    await expect(toast(page, `“${name}” was changed.`)).toBeVisible();
    await expect(viewButton(page, 'Saved view')).toBeVisible();
    await expect(view(second, name)).toContainText('1 item');
    await toast(page, `“${name}” was changed.`).getByRole('button', { name: 'Undo' }).click();
    await expect(toast(page, `Undone: change of the view “${name}”`)).toBeVisible();
    await expect(viewButton(page, 'Update view')).toBeVisible();
    await expect(view(second, name)).toContainText('3 items');
  });

  await test.step('its link opens what the view shows', async () => {
    await second.goto(`/dashboard/saved/${id}`);
    await expect(second).toHaveURL(`/dashboard/manage-inventory?q=${word}&view=${id}`);
    await expect(row(second, `Iris ${word}`)).toBeVisible();
    // Only whoever saved the view can change it. Others save their own.
    await expect(viewButton(second, 'Save view')).toBeVisible();
    await second.goBack();
    await expect(view(second, name)).toBeVisible();
  });

  await test.step('the list renames, unpins and deletes it', async () => {
    await page.goto('/dashboard/saved');
    await expect(view(page, name)).toContainText('3 items');
    expect(await axeViolations(page)).toEqual([]);
    await expectLargeEnough(page.getByRole('main').getByRole('button'));
    const size = page.viewportSize() ?? { width: 0, height: 0 };
    for (const width of [320, 390]) await expectToFitAt(page, width);
    await page.setViewportSize(size);

    const pin = view(page, name).getByRole('button', { name: `Pin “${name}” to the sidebar` });
    await expect(pin).toHaveAttribute('aria-pressed', 'true');
    await pin.click();
    await expect(pin).toHaveAttribute('aria-pressed', 'false');
    await expect(await pinned(second)).toHaveCount(0);

    await view(page, name)
      .getByRole('button', { name: `More for “${name}”` })
      .click();
    await page.getByRole('menuitem', { name: 'Rename or share' }).click();
    await expect(dialog(page).getByRole('textbox', { name: 'Name' })).toBeFocused();
    await dialog(page).getByRole('textbox', { name: 'Name' }).fill(`Renamed ${word}`);
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await expect(dialog(page)).toBeHidden();
    await expect(view(page, word).getByRole('button', { name: `More for “Renamed ${word}”` })).toBeFocused();
    await expect(view(second, `Renamed ${word}`)).toBeVisible();

    const remove = async () => {
      await view(page, word)
        .getByRole('button', { name: `More for “Renamed ${word}”` })
        .click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await expect(toast(page, `“Renamed ${word}” was deleted.`)).toBeVisible();
      await expect(view(page, word)).toHaveCount(0);
      await expect(view(second, word)).toHaveCount(0);
    };
    await remove();
    await toast(page, `“Renamed ${word}” was deleted.`).getByRole('button', { name: 'Undo' }).click();
    await expect(view(page, word)).toBeVisible();
    await expect(view(second, word)).toBeVisible();
    await remove();
    await second.goto(`/dashboard/saved/${id}`);
    await expect(second.getByText('This view does not exist, or it is not shared with you.')).toBeVisible();
  });
  await other.close();
});

test(
  'a person gets an email when a view is no longer empty, until they turn it off',
  anyScreen,
  async ({ page, context }) => {
    test.slow();
    await context.request.post('/demo/sign-in', { data: {} });
    const word = uniqueWord();
    const name = `New ${word}`;
    const emails = async () => {
      const outbox = await context.request.get('/demo/outbox', { headers: { accept: 'application/json' } });
      const sent: { subject: string; links: string[] }[] = await outbox.json();
      return sent.filter(({ subject }) => subject.includes(word));
    };
    await page.goto(`/dashboard/manage-inventory?q=${word}`);
    await viewButton(page, 'Save view').click();
    await dialog(page).getByRole('textbox', { name: 'Name' }).fill(name);
    await dialog(page).getByRole('checkbox', { name: 'Email me when this is no longer empty' }).check();
    await dialog(page).getByRole('button', { name: 'Save view' }).click();
    await expect(toast(page, `“${name}” was saved.`)).toBeVisible();
    const id = new URL(page.url()).searchParams.get('view') ?? '';
    // The server looks at a view every few seconds, and the page does not say when. An item that was there before it looked
    // leads to no email, so it is taken away and added again later.
    await expect(async () => {
      const [item] = await addItems(context.request, [{ name: `Amber ${word}` }]);
      const isSent = expect.poll(emails, { timeout: 12_000 }).toHaveLength(1);
      await isSent.catch(async (error) => {
        await context.request.delete(`/inventory-items/${item}`);
        throw error;
      });
    }).toPass({ intervals: [10_000] });
    expect(await emails()).toMatchObject([
      {
        subject: `1 item in “${name}” · Perfume Warehouse`,
        links: expect.arrayContaining([expect.stringContaining(id)]),
      },
    ]);

    await page.goto('/dashboard/saved');
    await expect(view(page, name)).toContainText('1 item');
    const email = view(page, name).getByRole('button', { name: `Email me when “${name}” is no longer empty` });
    await expect(email).toHaveAttribute('aria-pressed', 'true');
    await email.click();
    await expect(toast(page, `You will get no more emails about “${name}”.`)).toBeVisible();
    await expect(email).toHaveAttribute('aria-pressed', 'false');
    await toast(page, 'You will get no more emails').getByRole('button', { name: 'Undo' }).click();
    await expect(toast(page, `Undone: change of the view “${name}”`)).toBeVisible();
    await expect(email).toHaveAttribute('aria-pressed', 'true');
    expect(await axeViolations(page)).toEqual([]);
  },
);

test('views of the other pages are saved there, and the palette opens all of them', async ({ page, context }) => {
  await context.request.post('/demo/sign-in', { data: {} });
  const word = uniqueWord();
  for (const [path, suggestion] of [
    ['/dashboard/my-item?stock=out', 'Out of stock'],
    ['/dashboard/history?kind=correction&reason=theft', 'Corrected: Theft'],
    ['/dashboard/anlaysetic?period=30', /^Analysetic · /],
  ] as const) {
    await page.goto(path);
    await viewButton(page, 'Save view').click();
    const field = dialog(page).getByRole('textbox', { name: 'Name' });
    await expect(field).toHaveValue(suggestion);
    await field.fill(`${word} ${path.slice(11, 14)}`);
    await dialog(page).getByRole('button', { name: 'Save view' }).click();
    await expect(viewButton(page, 'Saved view')).toBeVisible();
  }
  await page.goto('/dashboard/saved');
  await expect(view(page, word)).toHaveCount(3);
  await expect(view(page, `${word} my-`)).toContainText(/\d items?/);
  await expect(view(page, `${word} his`)).not.toContainText(/items?/);
  await page.getByRole('button', { name: 'Search or jump to…' }).click();
  const palette = page.getByRole('dialog', { name: 'Search and commands' });
  await palette.getByRole('combobox').fill(`${word} his`);
  await palette.getByRole('option', { name: `${word} his` }).click();
  await expect(page).toHaveURL(/\/dashboard\/history\?kind=correction&reason=theft&view=/);
  await expect(viewButton(page, 'Saved view')).toBeVisible();
});
