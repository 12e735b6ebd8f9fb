import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The front end's server-side renderer, from its build. */
export type BuiltPages = {
  render(page: {
    shell: string;
    pathname: string;
    search: string;
    origin: string;
    language: string;
    boot: unknown;
  }): Promise<string>;
  /** The language of the page: the one in the cookie if there is such a language, else the default. */
  languageOf(cookie: string | undefined): string;
  sitemap(origin: string): string;
};

/**
 * Returns a function that loads the renderer on the first page request, so that starting the server does not wait for
 * it. The renderer is null before the first build.
 */
export function builtPages(webRoot: string): () => Promise<BuiltPages | null> {
  const file = join(webRoot, 'render.mjs');
  let loading: Promise<BuiltPages | null> | null = null;
  return () => {
    loading ??= existsSync(file) ? (import(pathToFileURL(file).href) as Promise<BuiltPages>) : Promise.resolve(null);
    return loading;
  };
}
