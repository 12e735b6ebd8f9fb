import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { axeViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { addItems, isPhone, logInAsDealer, toast, uniqueWord } from './inventory-helpers.ts';
import { expectLargeEnough, expectNoSidewaysScroll } from './screens.ts';

// The receiver of the test is on this machine, which only the operator can allow.
test.use({ shop: 'webhooks', settings: { WEBHOOK_PRIVATE_HOSTS: '127.0.0.1' } });

/** A server that receives webhooks and answers with the status it is told to. */
async function startReceiver() {
  const received: { id: string; type: string; signatures: number }[] = [];
  const receiver = { received, status: 200, url: '', host: '', close: () => server.close() };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const { 'webhook-id': id, 'webhook-signature': signature } = request.headers;
    received.push({ id: String(id), type: JSON.parse(body).type, signatures: String(signature).split(' ').length });
    response.writeHead(receiver.status).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  receiver.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  receiver.url = `http://${receiver.host}/hook`;
  return receiver;
}

const main = (page: Page) => page.getByRole('main');
const dialog = (page: Page) => page.getByRole('dialog');

test('a webhook is added, tried, told of a change, switched off and on, given a new secret and deleted', async ({
  page,
  context,
  browserErrors,
}) => {
  test.slow();
  // The refused address.
  browserErrors.allow(/status of 422 .*\/webhooks/);
  const receiver = await startReceiver();
  const card = main(page).getByRole('listitem').filter({ hasText: receiver.url });
  const log = main(page).getByRole('region', { name: `Deliveries to ${receiver.host}` });
  const rows = log.getByRole('listitem');
  const button = (name: string) => main(page).getByRole('button', { name, exact: true });
  const choose = async (name: string) => {
    await button(`More for ${receiver.host}`).click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  };

  await test.step('without one, the page says what it is for and how to check a request', async () => {
    await logInAsDealer(context.request);
    await page.goto('/dashboard/settings');
    await main(page).getByRole('link', { name: 'Manage webhooks' }).click();
    await expect(page).toHaveTitle('Webhooks · Perfume Warehouse');
    await expect(main(page).getByText(/^No webhooks yet/)).toBeVisible();
    await expect(main(page).getByRole('heading', { name: 'How to check a request' })).toBeVisible();
    await expectNoSidewaysScroll(page, 'empty');
    expect(await axeViolations(page)).toEqual([]);
  });

  await test.step('an address inside the network is refused, and one without events', async () => {
    await button('Add webhook').click();
    const field = dialog(page).getByRole('textbox', { name: 'Address' });
    await expect(field).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(dialog(page).getByText('This field is required')).toBeVisible();
    await field.fill('https://10.0.0.1/hook');
    await page.keyboard.press('Enter');
    await expect(dialog(page).getByText('Enter an address that is reachable from the internet')).toBeVisible();
    await field.fill(receiver.url);
    await dialog(page).getByRole('checkbox', { name: 'Stock changed' }).uncheck();
    await dialog(page).getByRole('button', { name: 'Add webhook' }).click();
    await expect(dialog(page).getByText('Choose at least one event.')).toBeVisible();
    expect(await axeViolations(page, '[role=dialog]')).toEqual([]);
  });

  await test.step('it is added, and its secret is shown once', async () => {
    await dialog(page).getByRole('checkbox', { name: 'Stock changed' }).check();
    await dialog(page).getByRole('checkbox', { name: 'Item added' }).check();
    await dialog(page).getByRole('button', { name: 'Add webhook' }).click();
    await expect(dialog(page)).toBeHidden();
    const secret = main(page).getByRole('textbox', { name: 'Secret' });
    await expect(secret).toHaveValue(/^whsec_[A-Za-z0-9+/]{43}=$/);
    await expect(secret).toBeFocused();
    await expect(card).toContainText('Nothing sent yet');
    await expect(card).toContainText('Stock changed, Item added');
    expect(await axeViolations(page)).toEqual([]);
    await button('Copy secret').click();
    await expect(toast(page, 'Secret copied.')).toBeVisible();
    await button('Done').click();
    await expect(secret).toBeHidden();
  });

  await test.step('a test arrives, and so does what happens', async () => {
    await button(`Send test to ${receiver.host}`).click();
    await expect(rows).toHaveCount(1);
    await expect(rows.first()).toContainText('Arrived');
    await expect(rows.first()).toContainText('Answer: 200.');
    await addItems(context.request, [{ name: `Iris ${uniqueWord()}` }]);
    await expect(rows).toHaveCount(3, { timeout: 30_000 });
    await expect(rows.filter({ hasText: 'Stock changed' })).toContainText('Arrived');
    await expect(card).toContainText('Works');
    expect(receiver.received.map(({ type }) => type)).toEqual(['webhook.test', 'item.created', 'stock.changed']);
    await expectNoSidewaysScroll(page, 'with deliveries');
    if (isPhone(page)) await expectLargeEnough(main(page).getByRole('button'));
    expect(await axeViolations(page)).toEqual([]);
  });

  await test.step('what fails is shown with its reason, and what arrived can be sent again', async () => {
    receiver.status = 500;
    await rows.filter({ hasText: 'Item added' }).getByRole('button', { name: 'Send again: Item added' }).click();
    await expect(rows.filter({ hasText: 'Item added' })).toContainText('The receiver answered 500.');
    await expect(card).toContainText('Failing');
    receiver.status = 200;
    // If this took more than five seconds, the next attempt is half a minute later.
    await expect(rows.filter({ hasText: 'Item added' })).toContainText('Arrived', { timeout: 60_000 });
    const [first, ...again] = receiver.received.filter(({ type }) => type === 'item.created');
    expect(again.length).toBeGreaterThanOrEqual(2);
    expect(new Set(again.map(({ id }) => id))).toEqual(new Set([first?.id]));
    await log.getByRole('radio', { name: 'Failed' }).check();
    await expect(log).toContainText('Nothing here.');
    await log.getByRole('radio', { name: 'All' }).check();
    await expect(rows).toHaveCount(3);
  });

  await test.step('its events are changed, and its secret replaced', async () => {
    await choose('Edit');
    await expect(dialog(page).getByRole('textbox', { name: 'Address' })).toHaveValue(receiver.url);
    await dialog(page).getByRole('checkbox', { name: 'Item added' }).uncheck();
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await expect(dialog(page)).toBeHidden();
    await expect(card).not.toContainText('Stock changed, Item added');
    await choose('Replace secret');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Replace secret' }).click();
    await expect(main(page).getByRole('textbox', { name: 'Secret' })).toHaveValue(/^whsec_/);
    await button('Done').click();
    await expect(card).toContainText('The old secret signs too until');
    await button(`Send test to ${receiver.host}`).click();
    await expect(rows).toHaveCount(4);
    await expect(rows.first()).toContainText('Arrived');
    expect(receiver.received.at(-1)).toMatchObject({ type: 'webhook.test', signatures: 2 });
  });

  await test.step('it is switched off and on', async () => {
    await choose('Switch off');
    await expect(card).toContainText('Somebody switched it off. What happens meanwhile is not sent.');
    await button(`Switch on ${receiver.host}`).click();
    await expect(button(`Send test to ${receiver.host}`)).toBeVisible();
  });

  await test.step('in Arabic the page fits as well', async () => {
    await context.addCookies([{ name: 'language', value: 'ar', url: page.url() }]);
    await page.reload();
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
    await expect(card).toBeVisible();
    await expectNoSidewaysScroll(page, 'Arabic');
    await context.addCookies([{ name: 'language', value: 'en', url: page.url() }]);
    await page.reload();
  });

  await test.step('it is deleted after a question', async () => {
    await choose('Delete');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
    await expect(card).toBeVisible();
    await choose('Delete');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect(toast(page, `The webhook to ${receiver.host} was deleted.`)).toBeVisible();
    await expect(main(page).getByText(/^No webhooks yet/)).toBeVisible();
  });
  receiver.close();
});
