/** FORM=long npm test -- --only browser: everything in every combination, for an idle evening. */
export const isLongForm = process.env.FORM === 'long';

type Look = readonly [language: 'en' | 'ar', colorScheme: 'light' | 'dark'];

/** Colours do not depend on the direction, so every day each is tried once. */
export const looks: readonly Look[] = [
  ['en', 'light'],
  ['en', 'dark'],
  ['ar', 'light'],
  ...(isLongForm ? ([['ar', 'dark']] as const) : []),
];
