import type { APIRequestContext, Page } from '@playwright/test';
import { axeViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { anyScreen } from './form.ts';
import { addItems } from './inventory-helpers.ts';
import { expectToFitAt } from './screens.ts';
import { beSomeone } from './social-login.ts';

test.use({ shop: 'houses', settings: { ACCESS: 'houses' } });

const PASSWORD = 'quiet otter lamp 7';

async function invitationFor(request: APIRequestContext, email: string): Promise<string> {
  const find = async (): Promise<string | undefined> => {
    const outbox = await request.get('/demo/outbox', { headers: { accept: 'application/json' } });
    const emails: { to: string; subject: string; links: string[] }[] = await outbox.json();
    return emails.find(({ to, subject }) => to === email && /invited/.test(subject))?.links[0];
  };
  await expect.poll(find).toBeTruthy();
  return (await find()) ?? '';
}

const addLink = (page: Page) => page.getByRole('link', { name: 'Add New Item' });
const deliverButton = (page: Page) => page.getByRole('button', { name: /^Deliver 1 ×/ }).first();
const siteLink = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name });
const deleteButton = (page: Page) => page.getByRole('button', { name: /^Delete/ });

test(
  'an owner invites somebody, who joins as keeper, gets another role and is removed',
  anyScreen,
  async ({ page: owner, browser, baseURL, browserErrors }) => {
    // The stream and what the page was reading are refused at the moment of the removal.
    browserErrors.allow(/40[34]/);
    const email = `ines-${Date.now()}@example.com`;
    await owner.request.post('/demo/sign-in', { data: {} });
    await addItems(owner.request, [{ name: 'Oud of the house' }]);
    await owner.goto('/dashboard/settings');
    await expect(owner.getByRole('heading', { name: 'History of the house' })).toBeVisible();
    await owner.getByLabel('Email address').fill(email);
    await owner.getByRole('button', { name: 'Send invitation' }).click();
    await expect(owner.getByRole('list', { name: 'Open invitations' })).toContainText(email);
    expect(await axeViolations(owner)).toEqual([]);
    await expectToFitAt(owner, 390);

    const other = await browser.newContext({
      viewport: { width: 1366, height: 900 },
      ...(baseURL !== undefined && { baseURL }),
    });
    const keeper = await other.newPage();
    await keeper.goto(await invitationFor(owner.request, email));
    await expect(keeper.getByRole('heading', { name: /^Join/ })).toBeVisible();
    await expect(keeper.getByText('Keeper', { exact: true })).toBeVisible();
    expect(new URL(keeper.url()).hash).toBe('');
    expect(await axeViolations(keeper)).toEqual([]);
    await keeper.getByLabel('Name', { exact: true }).fill('Ines Moreau');
    await keeper.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await keeper.getByRole('button', { name: 'Sign up and join' }).click();
    await expect(keeper).toHaveURL(/\/dashboard\/admin\/home$/);

    await keeper.goto('/dashboard/manage-inventory');
    await expect(deliverButton(keeper)).toBeVisible();
    await expect(addLink(keeper)).toHaveCount(0);
    await expect(deleteButton(keeper)).toHaveCount(0);
    await keeper.goto('/dashboard/add-inventory-item');
    await expect(keeper.getByText('Your role in this house does not allow this.')).toBeVisible();
    await keeper.goto('/');
    await expect(siteLink(keeper, 'Manage Inventory')).toBeVisible();
    await expect(siteLink(keeper, 'Add Item')).toHaveCount(0);
    await keeper.goto('/dashboard/manage-inventory');

    const role = owner.getByLabel('Role of Ines Moreau');
    await role.selectOption('Manager');
    await expect(owner.getByText('Ines Moreau is now: Manager.')).toBeVisible();
    await expect(addLink(keeper)).toBeVisible();
    await expect(deleteButton(keeper).first()).toBeVisible();
    const publicPage = await other.newPage();
    await publicPage.goto('/');
    await expect(siteLink(publicPage, 'Add Item')).toBeVisible();
    await owner.locator('.Toastify').getByRole('button', { name: 'Undo' }).click();
    await expect(role).toHaveValue('keeper');
    await expect(addLink(keeper)).toHaveCount(0);
    await role.selectOption('Viewer');
    await expect(deliverButton(keeper)).toHaveCount(0);

    await owner.getByRole('button', { name: 'Remove Ines Moreau' }).click();
    await owner.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await expect(role).toHaveCount(0);
    // Nothing of the house stays on their screen.
    await expect(keeper).toHaveURL(/\/dashboard\/settings$/);
    await expect(keeper.getByText('You are not in any house at the moment.', { exact: false })).toBeVisible();
    await other.close();

    await test.step('somebody else joins with a social login, which comes back to the invitation', async () => {
      const address = `aiko-${Date.now()}@example.com`;
      await owner.getByLabel('Email address').fill(address);
      await owner.getByRole('button', { name: 'Send invitation' }).click();
      const third = await browser.newContext({ ...(baseURL !== undefined && { baseURL }) });
      const aiko = await third.newPage();
      await aiko.goto(await invitationFor(owner.request, address));
      await aiko.getByRole('main').getByRole('link', { name: 'Log in' }).click();
      await aiko.getByRole('button', { name: 'Continue with Google' }).click();
      await beSomeone(aiko, { verified: true, email: address });
      await aiko.getByRole('button', { name: 'Join', exact: true }).click();
      await expect(aiko).toHaveURL(/\/dashboard\/admin\/home$/);
      await expect(owner.getByLabel('Role of Aiko Tanaka')).toHaveValue('keeper');
      await third.close();
    });
  },
);

test(
  'a delivery without a connection is booked in the house in which it was made',
  anyScreen,
  async ({ page: first, context, browserErrors }) => {
    // The stream of the house that the person has left.
    browserErrors.allow(/ERR_INTERNET_DISCONNECTED|events\?house/);
    await context.request.post('/demo/sign-in', { data: {} });
    const open = async (name: string) => (await context.request.post('/houses', { data: { name } })).json();
    const cellar = await open('The cellar');
    const [id = ''] = await addItems(context.request, [{ name: 'Rose of the cellar', quantity: 20 }]);
    await first.goto(`/dashboard/inventory/${id}`);
    await expect(first.getByRole('button', { name: 'Delivered', exact: true })).toBeVisible();
    const copiesOf = (page: Page, house: { id: string }) =>
      page.evaluate(
        async (end) => (await indexedDB.databases()).filter(({ name }) => name?.endsWith(end)).length,
        house.id,
      );
    await expect.poll(() => copiesOf(first, cellar)).toBe(1);
    await first.goto('/dashboard/add-inventory-item');
    await first.getByRole('main').getByLabel('Name', { exact: true }).fill('Amber of the cellar');
    await first.reload();
    await expect(first.getByRole('main').getByLabel('Name', { exact: true })).toHaveValue('Amber of the cellar');
    await first.goto(`/dashboard/inventory/${id}`);

    await context.setOffline(true);
    await first.getByRole('button', { name: 'Delivered', exact: true }).click();
    await expect(first.getByRole('button', { name: /1 pending/ })).toBeVisible();
    await first.close();
    const shop = await open('The shop');
    await context.setOffline(false);
    const page = await context.newPage();
    await page.goto('/dashboard/admin/home');

    const quantityInCellar = async () => {
      const answer = await context.request.get(`/manage-inventory?_id=${id}`, { headers: { house: cellar.id } });
      return (await answer.json())[0].quantity;
    };
    await expect.poll(quantityInCellar).toBe('19');
    // This device keeps nothing of the other house.
    await expect(page.getByRole('button', { name: /The shop/ })).toBeVisible();
    await expect(page.getByRole('button', { name: /pending/ })).toHaveCount(0);
    await expect.poll(() => copiesOf(page, shop)).toBe(1);
    expect(await copiesOf(page, cellar)).toBe(0);
    await page.goto('/dashboard/add-inventory-item');
    await expect(page.getByRole('main').getByLabel('Name', { exact: true })).toHaveValue('');

    // An open page follows when another house is entered elsewhere.
    await page.goto('/dashboard/manage-inventory');
    await context.request.post(`/houses/${cellar.id}/enter`);
    await expect(page).toHaveURL(/\/dashboard\/admin\/home$/);
    await expect(page.getByRole('button', { name: /The cellar/ })).toBeVisible();
  },
);

test(
  'an owner renames a house, shows its items, withdraws an invitation, switches, leaves and closes',
  anyScreen,
  async ({ page, context, browserErrors }) => {
    // The only owner cannot leave.
    browserErrors.allow(/409/);
    await context.request.post('/demo/sign-in', { data: {} });
    await page.goto('/dashboard/settings');
    await page.getByLabel('Name of the house').last().fill('Attic');
    await page.getByRole('button', { name: 'Create house' }).click();
    await expect(page).toHaveURL(/\/dashboard\/admin\/home$/);
    await page.goto('/dashboard/settings');
    const history = page.getByRole('list', { name: 'History of the house' });
    const toast = page.locator('.Toastify');
    const name = page.getByLabel('Name of the house').first();

    await name.fill('Loft');
    await page.getByRole('button', { name: 'Save', exact: true }).first().click();
    await expect(history).toContainText('renamed the house from “Attic” to “Loft”');
    await expect(page.getByRole('button', { name: /Loft/ })).toBeVisible();
    await toast.getByRole('button', { name: 'Undo' }).click();
    await expect(name).toHaveValue('Attic');
    await expect(history).toContainText('renamed the house from “Loft” to “Attic”');

    const show = page.getByLabel('Show our items to visitors');
    await show.click();
    await expect(show).toBeChecked();
    await expect(history).toContainText('showed the items to visitors');
    await show.click();
    await expect(history).toContainText('hid the items from visitors');

    await page.getByLabel('Email address').fill('nobody@example.com');
    await page.getByRole('button', { name: 'Send invitation' }).click();
    await page.getByRole('button', { name: 'Withdraw the invitation of nobody@example.com' }).click();
    await expect(page.getByRole('list', { name: 'Open invitations' })).toHaveCount(0);
    await expect(history).toContainText('withdrew the invitation of nobody@example.com');

    await page.getByRole('button', { name: 'Leave the house' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Leave the house' }).click();
    await expect(toast).toContainText('You are still in the house.');

    const switcherIn = (house: string) => page.getByRole('banner').getByRole('button', { name: house });
    await switcherIn('Attic').click();
    const other = page.getByRole('menuitemradio', { checked: false }).first();
    const otherName = (await other.textContent()) ?? '';
    await other.click();
    await switcherIn(otherName).click();
    await page.getByRole('menuitemradio', { name: 'Attic' }).click();
    await expect(switcherIn('Attic')).toBeVisible();

    await page.goto('/dashboard/settings');
    await page.getByRole('button', { name: 'Close the house' }).click();
    await page.getByLabel('Type the name of the house to confirm').fill('Attic');
    await page.getByRole('dialog').getByRole('button', { name: 'Close the house' }).click();
    await expect(page).toHaveURL(/\/dashboard\/admin\/home$/);
    await expect(switcherIn('Attic')).toHaveCount(0);
  },
);
