import { expect, test } from './fixtures.ts';

// The fixtures fail a test on requests to other hosts and on violations of the content security policy.
test('the API reference lists the operations, follows the theme, and calls tried there use the session', async ({
  page,
  context,
  baseURL,
  browserErrors,
}) => {
  browserErrors.allow(/status of 401 .*\/insights\/figures/);
  await context.addCookies([{ name: 'theme', value: 'dark', url: baseURL ?? '' }]);
  await page.goto('/docs');
  await expect(page.locator('body')).toHaveClass(/dark-mode/);
  await expect(page).toHaveTitle('API reference – Perfume Warehouse');
  await page.getByRole('button', { name: 'Open Group - Insights' }).click();
  await page.getByRole('link', { name: '/insights/figures' }).click();
  await expect(page.getByRole('heading', { name: /^Stock on hand now/ })).toBeVisible();

  await page.getByRole('button', { name: 'Test Request (get /insights/figures)' }).click();
  const client = page.getByRole('dialog', { name: 'API Client' });
  const send = client.getByRole('button', { name: 'Send get request' });
  await test.step('a visitor is refused', async () => {
    await send.click();
    await expect(client.getByRole('link', { name: '401' })).toBeVisible();
    await expect(client.getByText('"not_signed_in"')).toBeVisible();
  });
  await test.step('a signed-in dealer gets the figures', async () => {
    await page.request.post('/demo/sign-in');
    await send.click();
    await expect(client.getByRole('link', { name: '200 OK' })).toBeVisible();
    await expect(client.getByText('"unitsOnHand"').first()).toBeVisible();
  });
  await test.step('a light theme is followed too', async () => {
    await context.addCookies([{ name: 'theme', value: 'light', url: baseURL ?? '' }]);
    await page.reload();
    await expect(page.locator('body')).toHaveClass(/light-mode/);
  });
});
