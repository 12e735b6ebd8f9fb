import { expect, type Locator, type Page } from '@playwright/test';

/** Sets the width of the screen and checks that nothing needs horizontal scrolling. */
export async function expectToFitAt(page: Page, width: number, height = 900): Promise<void> {
  await page.setViewportSize({ width, height });
  // A busy browser may take a moment to update the layout.
  await page.waitForFunction((wanted) => matchMedia(`(width: ${wanted}px)`).matches, width);
  await expectNoSidewaysScroll(page, `at ${width}`);
}

export async function expectNoSidewaysScroll(page: Page, state: string): Promise<void> {
  const sideways = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
  await expect.poll(() => page.evaluate(sideways), `sideways scroll: ${state}`).toBeLessThanOrEqual(0);
}

/** Checks that touch targets are at least 44 pixels high. Half a pixel may be lost to rounding. */
export async function expectLargeEnough(targets: Locator): Promise<void> {
  const small = () =>
    targets.evaluateAll((all) =>
      all.filter((one) => one.getBoundingClientRect().height < 43.5).map((one) => one.outerHTML),
    );
  await expect.poll(small, 'too small to hit').toEqual([]);
}
