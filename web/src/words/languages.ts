/** The languages of the interface. `en` has the spec's texts verbatim; `en-corrected` fixes their spelling. */
export const languages = {
  en: { name: 'English', locale: 'en-US', lang: 'en', dir: 'ltr' },
  'en-corrected': { name: 'English (corrected)', locale: 'en-US', lang: 'en', dir: 'ltr' },
  fr: { name: 'Français', locale: 'fr-FR', lang: 'fr', dir: 'ltr' },
  ar: { name: 'العربية', locale: 'ar-u-nu-arab', lang: 'ar', dir: 'rtl' },
} as const;

export type Language = keyof typeof languages;
export const languageNames = Object.keys(languages) as Language[];
export const defaultLanguage: Language = 'en';

export function isLanguage(text: string | undefined): text is Language {
  return text !== undefined && Object.hasOwn(languages, text);
}
