import type { words as about } from './en/about.ts';
import type { words as alerts } from './en/alerts.ts';
import type { words as blogs } from './en/blogs.ts';
import type { words as codes } from './en/codes.ts';
import type { words as counts } from './en/counts.ts';
import type { words as emailLinks } from './en/email-links.ts';
import type { words as floor } from './en/floor.ts';
import type { words as history } from './en/history.ts';
import type { words as home } from './en/home.ts';
import type { words as houses } from './en/houses.ts';
import type { words as identity } from './en/identity.ts';
import type { words as insights } from './en/insights.ts';
import type { words as inventory } from './en/inventory.ts';
import type { words as itemForm } from './en/item-form.ts';
import type { words as itemPage } from './en/item-page.ts';
import type { words as labels } from './en/labels.ts';
import type { words as ledger } from './en/ledger.ts';
import type { words as searchEngines } from './en/search-engines.ts';
import type { words as settings } from './en/settings.ts';
import type { words as shell } from './en/shell.ts';
import { words as site } from './en/site.ts';
import type { words as styleguide } from './en/styleguide.ts';
import type { words as timeMachine } from './en/time-machine.ts';
import type { words as transfer } from './en/transfer.ts';
import type { words as views } from './en/views.ts';
import type { words as webhooks } from './en/webhooks.ts';
import { defaultLanguage, type Language } from './languages.ts';
import type { Catalogue } from './message.ts';

/** The English catalogues. `site` is loaded with the first page, the others with the pages that use them. */
type English = {
  site: typeof site;
  home: typeof home;
  about: typeof about;
  blogs: typeof blogs;
  identity: typeof identity;
  'email-links': typeof emailLinks;
  ledger: typeof ledger;
  codes: typeof codes;
  views: typeof views;
  history: typeof history;
  counts: typeof counts;
  'time-machine': typeof timeMachine;
  inventory: typeof inventory;
  labels: typeof labels;
  'item-page': typeof itemPage;
  'item-form': typeof itemForm;
  floor: typeof floor;
  transfer: typeof transfer;
  settings: typeof settings;
  alerts: typeof alerts;
  insights: typeof insights;
  houses: typeof houses;
  webhooks: typeof webhooks;
  shell: typeof shell;
  styleguide: typeof styleguide;
  'search-engines': typeof searchEngines;
};
export type Area = keyof English;
export type Key = { [One in Area]: keyof English[One] }[Area];
/** Every key of every area, with its English message. */
export type AllWords = Intersection<English[Area]>;
type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** What a visitor who reads English may need. All others are listed in other-catalogues.ts. */
const publicEnglish = import.meta.glob<Catalogue>('./en/{about,blogs,email-links,home,houses,identity}.ts', {
  import: 'words',
});

async function read(language: Language, area: Area): Promise<Catalogue> {
  if (language === 'en' && area === 'site') return site;
  if (language !== 'en' && area === 'styleguide') return read('en', area);
  const file = `./${language}/${area}.ts`;
  const load = publicEnglish[file] ?? (await import('./other-catalogues.ts')).otherCatalogues[file];
  const own = (await load?.()) ?? {};
  // The catalogues of corrected English contain only the texts that differ from the spec's spelling.
  return language === 'en-corrected' ? { ...(await read('en', area)), ...own } : own;
}

const loaded = new Map<Language, Map<Area, Catalogue>>([[defaultLanguage, new Map([['site', site]])]]);
const wanted = new Set<Area>(['site']);

/** Loads the words of an area in a language, so that `wordsOf` finds them. */
export async function loadArea(language: Language, area: Area): Promise<void> {
  wanted.add(area);
  const own = loaded.get(language) ?? new Map<Area, Catalogue>();
  loaded.set(language, own);
  if (!own.has(area)) own.set(area, await read(language, area));
}

/** The modules with the words of an area in a language. The server lists their files in the head of a page. */
export function sourcesOf(language: Language, area: Area): string[] {
  if (language === 'en' && area === 'site') return [];
  const own = `./${language}/${area}.ts`;
  const list = publicEnglish[own] ? [] : ['./other-catalogues.ts'];
  const spelt = language === 'en-corrected' ? sourcesOf('en', area) : [];
  return [...list.map(sourceOf), ...spelt, sourceOf(own)];
}

function sourceOf(file: string): string {
  return file.replace('./', 'src/words/');
}

/** Loads a language for every area used so far. */
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
