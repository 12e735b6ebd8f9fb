import type { Page, TestInfo } from '@playwright/test';

/** FORM=long npm test -- --only browser: everything in every combination, for an idle evening. */
export const isLongForm = process.env.FORM === 'long';

/** For a test that does not depend on the size of the screen: every day it is walked on one of them. */
export const anyScreen = { tag: '@any-screen' };

type Look = readonly [language: 'en' | 'fr' | 'ar', colorScheme: 'light' | 'dark'];

/** Colours do not depend on the direction: every day two looks try both of both. */
export const looks: readonly Look[] = [
  ['en', 'light'],
  ['ar', 'dark'],
  ...(isLongForm
    ? ([
        ['en', 'dark'],
        ['ar', 'light'],
      ] as const)
    : []),
];

/** For what is narrow: French has the longest words. */
export const looksWithLongWords: readonly Look[] = looks.map(([language, scheme]) => [
  language === 'en' ? 'fr' : language,
  scheme,
]);

/** To look at afterwards, in the long form: drawing whole pages is a sixth of the work. */
export async function keepPicture(page: Page, info: TestInfo, name: string): Promise<void> {
  if (isLongForm) await page.screenshot({ path: info.outputPath(`${name}.jpg`), quality: 80, fullPage: true });
}
