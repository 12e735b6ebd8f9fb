import type { Page, TestInfo } from '@playwright/test';

/** `FORM=long npm test -- --only browser` runs every combination. */
export const isLongForm = process.env.FORM === 'long';

/** For a test that does not depend on the screen size: it runs on the desktop only, except in the long form. */
export const anyScreen = { tag: '@any-screen' };

type Appearance = readonly [language: 'en' | 'fr' | 'ar', colorScheme: 'light' | 'dark'];

/** Colours do not depend on the text direction, so two combinations cover both of each. */
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

/** For narrow layouts: French has the longest words. */
export const appearancesWithLongWords: readonly Appearance[] = appearances.map(([language, scheme]) => [
  language === 'en' ? 'fr' : language,
  scheme,
]);

/** Saves a screenshot, in the long form only: screenshots of whole pages take a sixth of the time. */
export async function saveScreenshot(page: Page, info: TestInfo, name: string): Promise<void> {
  if (isLongForm) await page.screenshot({ path: info.outputPath(`${name}.jpg`), quality: 80, fullPage: true });
}
