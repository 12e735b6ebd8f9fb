import { type ComponentType, lazy, useEffect, useState } from 'react';
import { matchPath } from '../ui/router.tsx';
import { type Area, type Key, loadArea } from '../words/catalogues.ts';
import type { Language } from '../words/languages.ts';
import { useWords } from '../words/words.tsx';
import { lazyPart } from './lazy-part.tsx';

/**
 * How a feature declares a page. Its title is a text of a catalogue that is always loaded: `site`, in the
 * dashboard also `shell`.
 */
type Declaration = {
  /** A path from contract/page-paths.ts. Layouts and the not-found page have none. */
  path?: string;
  /** The module that `load` imports, as named in the build manifest: the server preloads its files. */
  source: string;
  load: () => Promise<ComponentType>;
  /** The catalogues of texts that the page uses besides `site`. */
  words?: Area | readonly Area[];
  title?: Extract<Key, `title.${string}`>;
  /** Only for pages that search engines may list. A text of the `search-engines` catalogue. */
  description?: Extract<Key, `${string}.description`>;
};

export type Page = ComponentType & Declaration & { prepare: (language: Language) => Promise<void> };

/** Returns the page that a path leads to. No path fits two pages, so their order does not matter. */
export function pageAt(pages: readonly Page[], pathname: string): Page | undefined {
  return pages.find(({ path }) => path !== undefined && matchPath(path, pathname));
}

/** Returns a page that is loaded with its words on the first visit. `prepare` loads both before the first paint. */
export function page(about: Declaration): Page {
  let Ready: ComponentType | null = null;
  let Fetched: ComponentType | null = null;

  async function prepare(language: Language): Promise<ComponentType> {
    const areas = [about.words ?? 'site'].flat();
    const [loaded] = await Promise.all([about.load(), ...areas.map((area) => loadArea(language, area))]);
    Ready = loaded;
    return loaded;
  }

  /** Shown when loading fails: tries again by itself and on request. */
  const Retrying = lazyPart(prepare, { as: 'page' });

  function PageOf() {
    const { language, say } = useWords();
    // Chosen once: switching from the lazy component to the loaded one would remount the page.
    const [Shown] = useState<ComponentType>(() => {
      Fetched ??= lazy(async () => ({ default: await prepare(language).catch(() => Retrying) }));
      return Ready ?? Fetched;
    });
    const title = about.title && say(about.title);
    useEffect(() => {
      if (title !== undefined) document.title = title;
    }, [title]);
    return <Shown />;
  }

  return Object.assign(PageOf, about, {
    prepare: async (language: Language) => {
      await prepare(language);
    },
  });
}
