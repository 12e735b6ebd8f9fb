import { expect, test } from './fixtures.ts';

const exactly = (name: string) => new RegExp(`^${name.replaceAll(/[{}]/g, '\\$&')}$`);

test('the reference is read, and its calls are tried: a list, a refusal, a change of stock', async ({
  page,
  faults,
}) => {
  faults.allow(/status of 401 .*\/all-inventory-items/);
  await page.goto('/docs');
  await expect(page.getByRole('heading', { name: 'API reference', level: 1 })).toBeVisible();
  // By its heading: to find a section of so long a page by its role takes seconds.
  const call = (name: string) =>
    page.locator('section.endpoint').filter({ has: page.locator('h3').filter({ hasText: exactly(name) }) });

  await test.step('the public list is tried', async () => {
    const list = call('GET /inventory-items');
    await list.getByText('Try it').click();
    await list.getByRole('textbox', { name: 'limit' }).fill('3');
    await list.getByRole('button', { name: 'Send GET /inventory-items' }).click();
    await expect(list.getByRole('status')).toContainText('200 OK');
    await expect(list.getByRole('region', { name: 'Body of the answer' })).toContainText('"suplierName"');
    await expect(list.getByText('x-total-count')).toBeVisible();
  });

  await test.step('a refusal says what to do about it', async () => {
    const list = call('GET /all-inventory-items');
    await list.getByText('Try it').click();
    await list.getByRole('button', { name: 'Send GET /all-inventory-items' }).click();
    await expect(list.getByRole('status')).toContainText('not_signed_in');
    await expect(list.getByRole('status').getByRole('link', { name: 'login page' })).toHaveAttribute('href', '/login');
  });

  await test.step('a change of stock is made, seen in the stream and undone', async () => {
    await page.request.post('/demo/sign-in');
    const events = call('GET /events');
    await events.getByText('Try it').click();
    await events.getByRole('button', { name: 'Open the stream' }).click();
    await expect(events.getByRole('status')).toContainText('The stream is open');

    const restock = call('POST /inventory-items/{id}/movements');
    await restock.getByText('Try it').click();
    await restock.getByRole('button', { name: 'Use the newest item' }).click();
    await restock.getByRole('textbox', { name: 'JSON body' }).fill('{"kind":"restock","units":1}');
    await restock.getByRole('button', { name: 'Send POST' }).click();
    await expect(restock.getByRole('status')).toContainText('201');
    await expect(events.getByRole('list', { name: 'Events' })).toContainText('"kind": "stock"');

    const undo = call('POST /movements/{id}/undo');
    await undo.getByText('Try it').click();
    await undo.getByRole('button', { name: 'Send POST' }).click();
    await expect(undo.getByRole('status')).toContainText('201');
    await events.getByRole('button', { name: 'Stop' }).click();
    await expect(events.getByRole('status')).toContainText('Stopped after');
  });
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the reference still reads whole', async ({ page }) => {
    await page.goto('/docs');
    const put = page.getByRole('region', { name: 'PUT /inventory-items/{id}', exact: true });
    await expect(put.getByText('curl -X PUT')).toBeVisible();
    await expect(put.getByText('Try it')).toBeHidden();
    await expect(page.getByRole('cell', { name: 'There are not that many units on hand.' })).toBeVisible();
  });
});
