import { expect, test } from './fixtures.ts';

test('the front page opens and says what it is', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Perfume Warehouse' }).first()).toBeVisible();
});
