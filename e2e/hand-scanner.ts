import type { Page } from '@playwright/test';

/**
 * Types codes as a hand scanner does: all keys within a few milliseconds, and Enter after each code. The events are made
 * in the page, because the pauses of a busy test runner are as long as a person's.
 */
export async function scan(page: Page, ...codes: string[]): Promise<void> {
  await page.evaluate((all) => {
    // Made before the first is handled: the time of a real key press is that of the key, not of the handler.
    const presses = all
      .flatMap((code) => [...code, 'Enter'])
      .map((key) => new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    for (const press of presses) {
      const target = document.activeElement ?? document.body;
      // What the browser does with a real key that the page lets pass.
      if (!target.dispatchEvent(press) || !(target instanceof HTMLInputElement)) continue;
      if (press.key === 'Enter') target.form?.requestSubmit();
      else document.execCommand('insertText', false, press.key);
    }
  }, codes);
}
