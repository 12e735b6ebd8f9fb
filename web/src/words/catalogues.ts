import type { about } from './en/about.ts';
import type { blogs } from './en/blogs.ts';
import type { identity } from './en/identity.ts';
import { site } from './en/site.ts';
import type { styleguide as styleguideWords } from './en/styleguide.ts';
import { defaultLanguage, type Language } from './languages.ts';
import type { Catalogue } from './message.ts';

/** The keys of all areas together. `site` comes with the first page, every other area with the page that speaks it. */
export type AllWords = typeof site & typeof about & typeof blogs & typeof identity & typeof styleguideWords;
export type Key = keyof AllWords;

export type Area = 'site' | 'about' | 'blogs' | 'identity' | 'styleguide';

type Load = () => Promise<Catalogue>;

/** Its page exists only under `npm run dev`, in English. */
const styleguide: Load = async () => (import.meta.env.DEV ? (await import('./en/styleguide.ts')).styleguide : {});

const sources: Record<Language, Record<Area, Load>> = {
  en: {
    site: async () => site,
    about: async () => (await import('./en/about.ts')).about,
    blogs: async () => (await import('./en/blogs.ts')).blogs,
    identity: async () => (await import('./en/identity.ts')).identity,
    styleguide,
  },
  'en-corrected': {
    site: async () => ({ ...site, ...(await import('./en-corrected/site.ts')).site }),
    about: async () => (await import('./en/about.ts')).about,
    blogs: async () => (await import('./en/blogs.ts')).blogs,
    identity: async () => ({
      ...(await import('./en/identity.ts')).identity,
      ...(await import('./en-corrected/identity.ts')).identity,
    }),
    styleguide,
  },
  fr: {
    site: async () => (await import('./fr/site.ts')).site,
    about: async () => (await import('./fr/about.ts')).about,
    blogs: async () => (await import('./fr/blogs.ts')).blogs,
    identity: async () => (await import('./fr/identity.ts')).identity,
    styleguide,
  },
  ar: {
    site: async () => (await import('./ar/site.ts')).site,
    about: async () => (await import('./ar/about.ts')).about,
    blogs: async () => (await import('./ar/blogs.ts')).blogs,
    identity: async () => (await import('./ar/identity.ts')).identity,
    styleguide,
  },
};

export const areas = Object.keys(sources.en) as Area[];

const loaded = new Map<Language, Map<Area, Catalogue>>([[defaultLanguage, new Map([['site', site]])]]);
const wanted = new Set<Area>(['site']);

/** After this, `wordsOf` knows the area in that language. */
export async function loadArea(language: Language, area: Area): Promise<void> {
  wanted.add(area);
  const own = loaded.get(language) ?? new Map<Area, Catalogue>();
  loaded.set(language, own);
  if (!own.has(area)) own.set(area, await sources[language][area]());
}

/** Every area some page on screen has asked for, in another language. */
export async function loadLanguage(language: Language): Promise<void> {
  await Promise.all([...wanted].map((area) => loadArea(language, area)));
}

export function wordsOf(language: Language, key: string): Catalogue[string] | undefined {
  for (const catalogue of loaded.get(language)?.values() ?? []) {
    const message = catalogue[key];
    if (message !== undefined) return message;
  }
  return undefined;
}
