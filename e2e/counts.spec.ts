import type { APIRequestContext, Page } from '@playwright/test';
import { axeViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { phoneOnly } from './form.ts';
import { scan } from './hand-scanner.ts';
import { addItems, navigateInApp, toast, uniqueWord } from './inventory-helpers.ts';
import { expectToFitAt } from './screens.ts';
import { twoPeople } from './two-people.ts';

const counted = (page: Page) => page.getByTestId('counted');
const line = (page: Page, name: string) => page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: name });
const notSent = (page: Page) => page.getByRole('region', { name: 'Not sent from this device' });
const tab = (page: Page, name: RegExp) => page.getByRole('tab', { name });

async function quantities(request: APIRequestContext, ids: string[]): Promise<number[]> {
  const items = await Promise.all(ids.map(async (id) => (await request.get(`/manage-inventory?_id=${id}`)).json()));
  return items.map(([item]) => Number(item.quantity));
}

test(
  'two people count together, see one another, and post the differences as one',
  phoneOnly,
  async ({ browser, context, baseURL, browserErrors }) => {
    test.slow();
    browserErrors.allow(/ERR_INTERNET_DISCONNECTED|ERR_NETWORK|409 \(Conflict\)/);
    const [one, other] = await twoPeople({ browser, context, baseURL });
    const word = uniqueWord();
    const names = ['Amber', 'Cedar', 'Iris'].map((name) => `${name} ${word}`) as [string, string, string];
    const [amber, cedar, iris] = names;
    const ids = await addItems(
      one.request,
      names.map((name) => ({ name, quantity: 5 })),
    );
    await one.request.post(`/inventory-items/${ids[0]}/edit`, { data: { changes: { sku: word } } });
    const page = await one.newPage();
    const second = await other.newPage();

    await test.step('one person starts a count of a search and scans', async () => {
      await page.goto(`/dashboard/counts?q=${word}`);
      await expect(page.getByRole('textbox', { name: 'Items that contain' })).toHaveValue(word);
      expect(await axeViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Start counting' }).click();
      await expect(page.getByText('0 of 3 items counted')).toBeVisible();
      await scan(page, word);
      await expect(counted(page)).toContainText('1 unit counted');
      await scan(page, word);
      await expect(counted(page)).toContainText('2 units counted');
      await expect(page.getByText('Expected:')).toBeHidden();
    });

    await test.step('the other person joins, and both see the progress of both', async () => {
      await second.goto(page.url());
      await expect(second.getByText(`Demo Dealer: ${amber}`)).toBeVisible();
      await expect(second.getByText('1 of 3 items counted')).toBeVisible();
      await line(second, cedar)
        .getByRole('button', { name: `Count ${cedar}`, exact: true })
        .click();
      await second.getByRole('textbox', { name: 'Counted in total' }).fill('7');
      await second.getByRole('button', { name: 'Set' }).click();
      await expect(page.getByText(`Ines Moreau: ${cedar}`)).toBeVisible();
      await expect(page.getByText('2 of 3 items counted')).toBeVisible();
      await line(page, iris)
        .getByRole('button', { name: `Count ${iris} as 0` })
        .click();
      await expect(second.getByText('3 of 3 items counted')).toBeVisible();
    });

    await test.step('an item that moved while it was being counted is counted again', async () => {
      await scan(page, word);
      await expect(counted(page)).toContainText('3 units counted');
      await other.request.post(`/inventory-items/${ids[0]}/movements`, { data: { kind: 'deliver', units: 1 } });
      await scan(page, word);
      await tab(page, /^To check/).click();
      await expect(line(page, amber)).toContainText('Delivered −1 · Ines Moreau');
      await expect(page.getByRole('button', { name: 'Post differences' })).toBeDisabled();
      await line(page, amber).getByRole('button', { name: 'again' }).click();
      await page.getByRole('textbox', { name: 'Counted in total' }).fill('3');
      await page.getByRole('button', { name: 'Set' }).click();
      await expect(tab(page, /^To check/)).toBeHidden();
    });

    const countOffline = async (units: number) => {
      await other.setOffline(true);
      await second.getByRole('textbox', { name: 'Counted in total' }).fill(String(units));
      await second.getByRole('button', { name: 'Set' }).click();
      await expect(second.getByText('1 entry is waiting to be sent')).toBeVisible();
    };

    await test.step('what was counted without a connection is sent once it is back, also from another page', async () => {
      await countOffline(8);
      const { pathname, search } = new URL(second.url());
      await navigateInApp(second, '/dashboard/floor');
      await expect(counted(second)).toBeHidden();
      await expect(second.getByRole('button', { name: 'Offline · 1 pending' })).toBeVisible();
      await other.setOffline(false);
      await tab(page, /^All counted/).click();
      await expect(line(page, cedar)).toContainText('Counted 8');
      await expect(second.getByRole('button', { name: '1 pending' })).toBeHidden();
      await navigateInApp(second, pathname + search);
      await expect(counted(second)).toContainText('8 units counted');
    });

    await test.step('what was counted without a connection is kept when the count is cancelled, and sent when it is opened again', async () => {
      await countOffline(9);
      await page.getByRole('button', { name: 'More about this count' }).click();
      await page.getByRole('menuitem', { name: 'Cancel this count' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel this count' }).click();
      await expect(page.getByText('This count was cancelled.')).toBeVisible();
      await other.setOffline(false);
      await expect(notSent(second)).toContainText(`${cedar}Counted in total: 9`);
      await second.getByRole('link', { name: 'All counts' }).click();
      await expect(second.getByText('1 entry not sent')).toBeVisible();
      await second.getByRole('button', { name: '1 pending' }).click();
      const pending = second.getByRole('dialog', { name: 'Pending changes' });
      await expect(pending).toContainText('1 entry of a count is not sent.');
      expect(await axeViolations(second)).toEqual([]);
      await pending.getByRole('link', { name: 'Open the list of counts' }).click();
      await expect(pending).toBeHidden();
      await second.getByRole('button', { name: /account/i }).click();
      await second.getByRole('menuitem', { name: 'Logout' }).click();
      const question = second.getByRole('alertdialog', { name: 'Log out before everything is sent?' });
      await expect(question).toContainText('1 entry of a count is not sent yet.');
      await question.getByRole('button', { name: 'Stay logged in' }).click();
      await second.getByRole('listitem').filter({ hasText: '1 entry not sent' }).getByRole('link').click();
      await expect(notSent(second)).toContainText('If this count is opened again, they are sent.');
      await page.getByRole('button', { name: 'Open again' }).click();
      await tab(second, /^All counted/).click();
      await line(second, cedar)
        .getByRole('button', { name: `Count ${cedar} again` })
        .click();
      await expect(counted(second)).toContainText('9 units counted');
      await second.getByRole('textbox', { name: 'Counted in total' }).fill('7');
      await second.getByRole('button', { name: 'Set' }).click();
      await expect(second.getByText('Some entries on this device are not sent yet.')).toBeHidden();
      await countOffline(9);
    });

    await test.step('the differences are explained, posted and undone as one', async () => {
      await tab(page, /^Differences \(3\)/).click();
      await line(page, amber).getByRole('combobox').selectOption('Breakage');
      expect(await axeViolations(page)).toEqual([]);
      await expectToFitAt(page, 320);
      await expectToFitAt(page, 1366);
      await page.getByRole('button', { name: 'Post differences' }).click();
      const question = page.getByRole('alertdialog', { name: 'Post 3 differences?' });
      await expect(question).toContainText('Over: 2 units. Missing: 6 units.');
      await question.getByRole('button', { name: 'Post differences' }).click();
      const posted = toast(page, 'Posted 3 differences.');
      await expect(posted).toBeVisible();
      expect(await quantities(one.request, ids)).toEqual([3, 7, 0]);
      await other.setOffline(false);
      await expect(second.getByText('Posted by Demo Dealer')).toBeVisible();
      await expect(notSent(second)).toContainText(`${cedar}Counted in total: 9`);
      expect(await axeViolations(second)).toEqual([]);
      await expectToFitAt(second, 320);
      await second.getByRole('button', { name: `Discard what was counted of ${cedar}` }).click();
      await expect(notSent(second)).toBeHidden();
      await posted.getByRole('button', { name: 'Undo' }).click();
      await expect(page.getByText('This posting was undone.')).toBeVisible();
      expect(await quantities(one.request, ids)).toEqual([4, 5, 5]);
    });
    await other.close();
  },
);
