import type { Page, TestInfo } from '@playwright/test';

/** Whether the tests run in their long form, with every combination: `FORM=long npm test -- --only browser`. */
export const isLongForm = process.env.FORM === 'long';

/** Marks a test that does not depend on the screen size. It runs on the desktop only, except in the long form. */
export const anyScreen = { tag: '@any-screen' };

/** Marks a test that runs on the phone only, except in the long form. */
export const phoneOnly = { tag: '@phone-only' };

/**
 * Marks a test of one appearance that runs on one screen: light on the desktop, dark on the phone. Colours do not depend
 * on the size of the screen. The long form has every combination.
 */
export function oneScreenFor(colorScheme: 'light' | 'dark') {
  return colorScheme === 'light' ? anyScreen : phoneOnly;
}

/** The widths to test for accessibility. axe takes a second per page, and its rules hardly depend on the width. */
export function axeWidths(colorScheme: 'light' | 'dark'): number[] {
  if (isLongForm) return [390, 1366];
  return colorScheme === 'light' ? [1366] : [390];
}

type Appearance = readonly [language: 'en' | 'fr' | 'ar', colorScheme: 'light' | 'dark'];

/**
 * The languages and colour schemes to test. Colours do not depend on the text direction, so two combinations cover both
 * colour schemes and both directions.
 */
export const appearances: readonly Appearance[] = [
  ['en', 'light'],
  ['ar', 'dark'],
  ...(isLongForm
    ? ([
        ['en', 'dark'],
        ['ar', 'light'],
      ] as const)
    : []),
];

/** The combinations to test in narrow layouts, with French in place of English: French has the longest words. */
export const appearancesWithLongWords: readonly Appearance[] = appearances.map(([language, scheme]) => [
  language === 'en' ? 'fr' : language,
  scheme,
]);

/** Saves a screenshot in the long form only, because screenshots of whole pages take a sixth of the time of a run. */
export async function saveScreenshot(page: Page, info: TestInfo, name: string): Promise<void> {
  if (isLongForm) await page.screenshot({ path: info.outputPath(`${name}.jpg`), quality: 80, fullPage: true });
}
