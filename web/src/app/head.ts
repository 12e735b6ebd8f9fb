import { builtFiles } from 'virtual:built-files';
import { fromWire } from '@perfume/contract/wire-item';
import { priceText } from '@perfume/domain/money';
import type { Boot } from '../api/boot.ts';
import type { Page } from '../lazy/page.tsx';
import { isDashboardPath, paths } from '../paths.ts';
import { sourcesOf } from '../words/catalogues.ts';
import { type Language, languages } from '../words/languages.ts';
import { speaking, type Words } from '../words/words.tsx';

type HeadOf = { pathname: string; origin: string; language: Language; boot: Boot; pages: Page[] };

/** The tags for search engines, link previews and preloading. They replace <!--head--> in index.html. */
export function headOf({ pathname, origin, language, boot, pages }: HeadOf): string {
  const words = speaking(language);
  const { say } = words;
  const files = sourcesOfPage(pages, language, pathname).map((source) => builtFiles[source]);
  const shown = pages.at(-1);
  const house = boot.house?.found;
  const title = house
    ? say('house.title', { name: house.name })
    : say((boot.house ? 'title.notFound' : shown?.title) ?? 'brand');
  const description = house
    ? say('house.summary', { name: house.name })
    : say(shown?.description ?? 'home.description');
  const isListed = house || shown?.description;
  const address = origin + pathname.replace(/(.)\/$/, '$1');
  return [
    ...unique(files.flatMap((one) => one?.sheets ?? [])).map((href) => tag('link', { rel: 'stylesheet', href })),
    tag('title', {}, title),
    ...(isListed ? [tag('meta', { name: 'description', content: description })] : []),
    isListed ? tag('link', { rel: 'canonical', href: address }) : tag('meta', { name: 'robots', content: 'noindex' }),
    tag('meta', { property: 'og:type', content: 'website' }),
    tag('meta', { property: 'og:site_name', content: say('brand') }),
    tag('meta', { property: 'og:title', content: title }),
    tag('meta', { property: 'og:description', content: description }),
    tag('meta', { property: 'og:url', content: address }),
    tag('meta', { property: 'og:locale', content: languages[language].lang }),
    tag('meta', { property: 'og:image', content: `${origin}/og.png` }),
    tag('meta', { property: 'og:image:width', content: '1200' }),
    tag('meta', { property: 'og:image:height', content: '630' }),
    tag('meta', { property: 'og:image:alt', content: say('home.description') }),
    tag('meta', { name: 'twitter:card', content: 'summary_large_image' }),
    ...(pathname === paths.home ? [linkedData(origin, boot, words)] : []),
    ...unique(files.flatMap((one) => one?.scripts ?? [])).map((href) =>
      tag('link', isDashboardPath(pathname) ? { ...modulePreload, href } : { ...fetchPreload, href }),
    ),
  ].join('\n    ');
}

/** The dashboard shows nothing before its scripts have run. If one fails, lazy/import-part.ts retries it. */
const modulePreload = { rel: 'modulepreload', crossorigin: 'anonymous' };
/** A public page stays readable while a failed script is retried, which browsers do not do for modules. */
const fetchPreload = { rel: 'preload', as: 'fetch', crossorigin: 'anonymous', fetchpriority: 'low' };

/** The modules that the browser imports before it can show the page. */
function sourcesOfPage(pages: Page[], language: Language, pathname: string): string[] {
  const areas = pages.flatMap(({ words = [] }) => words);
  return [
    ...(isDashboardPath(pathname) ? ['src/app/dashboard.ts'] : []),
    ...pages.map(({ source }) => source),
    ...['site' as const, ...areas].flatMap((area) => sourcesOf(language, area)),
  ];
}

/** Describes the items on the page as schema.org products, for search engines. */
function linkedData(origin: string, boot: Boot, { say }: Words): string {
  const items = (boot.items?.list ?? []).map(fromWire);
  const data = {
    '@context': 'https://schema.org',
    '@graph': [
      { '@type': 'WebSite', name: say('brand'), url: `${origin}/`, description: say('home.description') },
      {
        '@type': 'ItemList',
        name: say('grid.heading'),
        numberOfItems: boot.items?.total ?? 0,
        itemListElement: items.map((item, i) => ({
          '@type': 'ListItem',
          position: i + 1,
          item: {
            '@type': 'Product',
            name: item.name,
            description: item.description,
            image: new URL(item.imageUrl || '/bottles/fallback.svg', origin).href,
            brand: { '@type': 'Brand', name: item.supplierName },
            offers: {
              '@type': 'Offer',
              price: priceText(item.priceCents),
              priceCurrency: 'USD',
              availability: `https://schema.org/${item.quantity > 0 ? 'InStock' : 'OutOfStock'}`,
            },
          },
        })),
      },
    ],
  };
  // A description may contain "</script>": without "<" it cannot end the block.
  return `<script type="application/ld+json">${JSON.stringify(data).replace(/</g, '\\u003c')}</script>`;
}

function unique(names: string[]): string[] {
  return [...new Set(names)];
}

function tag(name: string, attributes: Record<string, string>, text?: string): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  return text === undefined
    ? `<${name}${written.join('')} />`
    : `<${name}${written.join('')}>${escaped(text)}</${name}>`;
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}
