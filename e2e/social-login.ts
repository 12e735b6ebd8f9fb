import { expect, type Page } from '@playwright/test';

/** Logs in as a new person on the page that stands in for a social login provider in the demo. */
export async function beSomeone(page: Page, { verified, email }: { verified: boolean; email: string }): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Choose who to log in as' })).toBeVisible();
  await page.getByLabel('Name').fill('Aiko Tanaka');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('checkbox').setChecked(verified);
  await page.getByRole('button', { name: 'Continue' }).click();
}
