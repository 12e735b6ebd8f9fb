import { type ComponentType, type LazyExoticComponent, lazy, type ReactNode, Suspense, useState } from 'react';
import { type Area, loadArea } from './catalogues.ts';
import { useWords } from './words.tsx';

/**
 * A part of a page that is fetched with its words, apart from the page around it. `meanwhile` keeps its place until
 * both are there.
 */
export function withWords<Props extends object>(
  area: Area,
  load: () => Promise<ComponentType<Props>>,
  meanwhile: ReactNode = null,
): ComponentType<Props> {
  let Fetched: LazyExoticComponent<ComponentType<Props>> | null = null;
  return function WithWords(props: Props) {
    const { language } = useWords();
    // Whoever changes the language later gets the area along, as any that was once asked for.
    const [Part] = useState(() => {
      Fetched ??= lazy(async () => {
        try {
          const [part] = await Promise.all([load(), loadArea(language, area)]);
          return { default: part };
        } catch (error) {
          // The next one to be shown tries again.
          Fetched = null;
          throw error;
        }
      });
      return Fetched;
    });
    return (
      <Suspense fallback={meanwhile}>
        <Part {...props} />
      </Suspense>
    );
  };
}
