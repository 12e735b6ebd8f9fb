import { type ComponentType, lazy, useEffect, useState } from 'react';
import { lazyPart } from '../parts/lazy-part.tsx';
import { type Area, type Key, loadArea } from '../words/catalogues.ts';
import type { Language } from '../words/languages.ts';
import { useWords } from '../words/words.tsx';

/** What the route table says of a page. Its title and description stand in the words every page has. */
type About = {
  /** The module it comes from, as the build's manifest names it. */
  source: string;
  load: () => Promise<ComponentType>;
  /** The areas of words it brings along. */
  words?: Area | readonly Area[];
  /** A frame around other pages has none of its own. */
  title?: Extract<Key, `title.${string}`>;
  /** Only pages that search engines may list have one. */
  description?: Extract<Key, `${string}.description`>;
};

export type Page = ComponentType & About & { prepare: (language: Language) => Promise<void> };

/** A page fetched with its words when it is first visited. `prepare` fetches both ahead, so the first paint is the page itself. */
export function page(about: About): Page {
  let Ready: ComponentType | null = null;
  let Fetched: ComponentType | null = null;

  async function prepare(language: Language): Promise<ComponentType> {
    const areas = [about.words ?? 'site'].flat();
    const [loaded] = await Promise.all([about.load(), ...areas.map((area) => loadArea(language, area))]);
    Ready = loaded;
    return loaded;
  }

  /** Where it could not be fetched: tries again, by itself and on request, each time somebody comes to it. */
  const Retrying = lazyPart(prepare, { as: 'page' });

  function PageOf() {
    const { language, say } = useWords();
    // Chosen once: to change over from the fetching one to the ready one would start the page anew.
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
