import type { about } from './en/about.ts';
import type { alerts } from './en/alerts.ts';
import type { blogs } from './en/blogs.ts';
import type { dashboard } from './en/dashboard.ts';
import type { history } from './en/history.ts';
import type { identity } from './en/identity.ts';
import type { insights } from './en/insights.ts';
import type { inventory } from './en/inventory.ts';
import type { items } from './en/items.ts';
import { site } from './en/site.ts';
import type { stock } from './en/stock.ts';
import type { styleguide as styleguideWords } from './en/styleguide.ts';
import { defaultLanguage, type Language } from './languages.ts';
import type { Catalogue } from './message.ts';

/** The keys of all areas together. `site` comes with the first page, every other area with the page that speaks it. */
export type AllWords = typeof site &
  typeof about &
  typeof blogs &
  typeof identity &
  typeof dashboard &
  typeof items &
  typeof inventory &
  typeof stock &
  typeof alerts &
  typeof history &
  typeof insights &
  typeof styleguideWords;
export type Key = keyof AllWords;

export type Area =
  | 'site'
  | 'about'
  | 'blogs'
  | 'identity'
  | 'dashboard'
  | 'items'
  | 'inventory'
  | 'stock'
  | 'alerts'
  | 'history'
  | 'insights'
  | 'styleguide';

type Load = () => Promise<Catalogue>;

/** Its page exists only under `npm run dev`, in English. */
const styleguide: Load = async () => (import.meta.env.DEV ? (await import('./en/styleguide.ts')).styleguide : {});

const sources: Record<Language, Record<Area, Load>> = {
  en: {
    site: async () => site,
    about: async () => (await import('./en/about.ts')).about,
    blogs: async () => (await import('./en/blogs.ts')).blogs,
    identity: async () => (await import('./en/identity.ts')).identity,
    dashboard: async () => (await import('./en/dashboard.ts')).dashboard,
    items: async () => (await import('./en/items.ts')).items,
    inventory: async () => (await import('./en/inventory.ts')).inventory,
    stock: async () => (await import('./en/stock.ts')).stock,
    alerts: async () => (await import('./en/alerts.ts')).alerts,
    history: async () => (await import('./en/history.ts')).history,
    insights: async () => (await import('./en/insights.ts')).insights,
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
    dashboard: async () => ({
      ...(await import('./en/dashboard.ts')).dashboard,
      ...(await import('./en-corrected/dashboard.ts')).dashboard,
    }),
    items: async () => ({
      ...(await import('./en/items.ts')).items,
      ...(await import('./en-corrected/items.ts')).items,
    }),
    inventory: async () => ({
      ...(await import('./en/inventory.ts')).inventory,
      ...(await import('./en-corrected/inventory.ts')).inventory,
    }),
    stock: async () => ({
      ...(await import('./en/stock.ts')).stock,
      ...(await import('./en-corrected/stock.ts')).stock,
    }),
    alerts: async () => (await import('./en/alerts.ts')).alerts,
    history: async () => (await import('./en/history.ts')).history,
    insights: async () => ({
      ...(await import('./en/insights.ts')).insights,
      ...(await import('./en-corrected/insights.ts')).insights,
    }),
    styleguide,
  },
  fr: {
    site: async () => (await import('./fr/site.ts')).site,
    about: async () => (await import('./fr/about.ts')).about,
    blogs: async () => (await import('./fr/blogs.ts')).blogs,
    identity: async () => (await import('./fr/identity.ts')).identity,
    dashboard: async () => (await import('./fr/dashboard.ts')).dashboard,
    items: async () => (await import('./fr/items.ts')).items,
    inventory: async () => (await import('./fr/inventory.ts')).inventory,
    stock: async () => (await import('./fr/stock.ts')).stock,
    alerts: async () => (await import('./fr/alerts.ts')).alerts,
    history: async () => (await import('./fr/history.ts')).history,
    insights: async () => (await import('./fr/insights.ts')).insights,
    styleguide,
  },
  ar: {
    site: async () => (await import('./ar/site.ts')).site,
    about: async () => (await import('./ar/about.ts')).about,
    blogs: async () => (await import('./ar/blogs.ts')).blogs,
    identity: async () => (await import('./ar/identity.ts')).identity,
    dashboard: async () => (await import('./ar/dashboard.ts')).dashboard,
    items: async () => (await import('./ar/items.ts')).items,
    inventory: async () => (await import('./ar/inventory.ts')).inventory,
    stock: async () => (await import('./ar/stock.ts')).stock,
    alerts: async () => (await import('./ar/alerts.ts')).alerts,
    history: async () => (await import('./ar/history.ts')).history,
    insights: async () => (await import('./ar/insights.ts')).insights,
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
