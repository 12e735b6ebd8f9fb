import { expect, type Locator, type Page } from '@playwright/test';

/** Makes the screen this wide, and checks that nothing on it has to be scrolled sideways for. */
export async function fitsAt(page: Page, width: number, height = 900): Promise<void> {
  await page.setViewportSize({ width, height });
  // A busy browser lays the page out anew some time later.
  await page.waitForFunction((wanted) => matchMedia(`(width: ${wanted}px)`).matches, width);
  await isNotTooWide(page, `at ${width}`);
}

export async function isNotTooWide(page: Page, state: string): Promise<void> {
  const sideways = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
  await expect.poll(() => page.evaluate(sideways), `sideways scroll: ${state}`).toBeLessThanOrEqual(0);
}

/** A finger hits what is 44 pixels high; half a pixel is lost to rounding. */
export async function areLargeEnough(targets: Locator): Promise<void> {
  const small = () =>
    targets.evaluateAll((all) =>
      all.filter((one) => one.getBoundingClientRect().height < 43.5).map((one) => one.outerHTML),
    );
  await expect.poll(small, 'too small to hit').toEqual([]);
}
