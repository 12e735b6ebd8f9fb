import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What the front end's build offers the server: the same pages, drawn before any script has run. */
export type BuiltPages = {
  render(page: {
    shell: string;
    pathname: string;
    search: string;
    origin: string;
    language: string | undefined;
    boot: unknown;
  }): Promise<string>;
  sitemap(origin: string): string;
};

/** Loaded when the first page is asked for, so that starting does not wait for it. Null before the first build. */
export function builtPages(webRoot: string): () => Promise<BuiltPages | null> {
  const file = join(webRoot, 'render.mjs');
  let loading: Promise<BuiltPages | null> | null = null;
  return () => {
    loading ??= existsSync(file) ? (import(pathToFileURL(file).href) as Promise<BuiltPages>) : Promise.resolve(null);
    return loading;
  };
}
