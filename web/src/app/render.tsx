import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import type { Boot } from '../api/boot.ts';
import { isDashboardPath } from '../paths.ts';
import { StaticRouter } from '../ui/router.tsx';
import { loadArea } from '../words/catalogues.ts';
import { defaultLanguage, isLanguage, type Language, languages } from '../words/languages.ts';
import { App } from './app.tsx';
import { headOf } from './head.ts';
import { firstPages, listedPaths } from './routes.tsx';

export type PageRequest = {
  /** The text of index.html. */
  shell: string;
  pathname: string;
  /** The query string with its question mark; may be empty. */
  search: string;
  /** "https://example.com": PUBLIC_URL or the listening address, never a request header. */
  origin: string;
  language: Language;
  boot: Boot;
};

/**
 * Renders a page as HTML. Public pages are rendered exactly as the browser would from the same boot data, so they can
 * be read before any script has run, and their scripts are loaded after the first frame. The dashboard is rendered by the
 * browser only.
 */
export async function render({ shell, pathname, search, origin, language, boot }: PageRequest) {
  const { lang, dir } = languages[language];
  const pages = await firstPages(pathname);
  await Promise.all([
    loadArea(language, 'site'),
    loadArea(language, 'search-engines'),
    ...pages.map((page) => page.prepare(language)),
  ]);
  const app = (
    <StrictMode>
      <StaticRouter pathname={pathname} search={search}>
        <App boot={boot} language={language} />
      </StaticRouter>
    </StrictMode>
  );
  const html = shell
    .replace('<html lang="en" dir="ltr">', `<html lang="${lang}" dir="${dir}">`)
    .replace('<!--head-->', () => headOf({ pathname, origin, language, boot, pages }));
  const head = isDashboardPath(pathname) ? html.replaceAll(' fetchpriority="low"', '') : withScriptsAfterPaint(html);
  return head
    .replace('<!--page-->', () => (isDashboardPath(pathname) ? '' : renderToString(app)))
    .replace('<!--boot-->', () => `<script type="application/json" id="boot">${jsonForHtml(boot)}</script>`);
}

// Linear in the length of the head, which has texts of people in it, but none of their "<".
const SCRIPT = /<(?:link|script) [^>]*fetchpriority="low"[^>]*>(?:<\/script>)?\s*/g;

/** Moves the scripts and their preloads, which have a low priority, into a template. After the first frame, first-paint.js takes them out. */
function withScriptsAfterPaint(html: string): string {
  const scripts: string[] = [];
  const rest = html.replace(SCRIPT, (tag) => {
    scripts.push(tag.trim());
    return '';
  });
  return rest.replace('</head>', () => `  <template id="after-paint">${scripts.join('')}</template>\n  </head>`);
}

/** Returns the language named in the `language` cookie, or the default language if the cookie holds anything else. */
export function languageOf(cookie: string | undefined): Language {
  return isLanguage(cookie) ? cookie : defaultLanguage;
}

/** Returns the sitemap for search engines, with the pages worth listing. */
export function sitemap(origin: string): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...listedPaths().map((path) => `  <url><loc>${origin}${path}</loc></url>`),
    '</urlset>',
    '',
  ].join('\n');
}

/** Returns JSON in which no text can end the script element around it. */
function jsonForHtml(value: unknown): string {
  return JSON.stringify(value).replace(/</g, '\\u003c');
}
