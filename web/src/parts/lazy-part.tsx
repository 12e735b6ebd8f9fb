import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { type Area, loadArea } from '../words/catalogues.ts';
import type { Language } from '../words/languages.ts';
import { useWords } from '../words/words.tsx';

type Options = {
  /** The area of words it needs. */
  words?: Area;
  /** Keeps its place until it has arrived. */
  meanwhile?: ReactNode;
  /** A whole page; or what a page can do without, of which nothing is shown while it cannot be loaded. */
  as?: 'page' | 'extra';
};

const RETRY_MS = 10_000;

/**
 * A part of a page whose code and words are fetched apart from the page. Where they do not arrive, its place says so with
 * a way to try again; it also tries by itself, at once when the connection is back.
 */
export function lazyPart<Props extends object>(
  load: (language: Language) => Promise<ComponentType<Props>>,
  { words, meanwhile = null, as }: Options = {},
): ComponentType<Props> {
  let Loaded: ComponentType<Props> | null = null;
  return function LazyPart(props: Props) {
    const { language, say } = useWords();
    const [Part, setPart] = useState(() => Loaded);
    const [state, setState] = useState<'loading' | 'failed'>('loading');

    useEffect(() => {
      if (Part || state === 'failed') return;
      let unmounted = false;
      // Whoever changes the language later gets the area along, as any that was once asked for.
      Promise.all([load(language), words && loadArea(language, words)]).then(
        ([part]) => {
          Loaded = part;
          if (!unmounted) setPart(() => part);
        },
        () => {
          if (!unmounted) setState('failed');
        },
      );
      return () => {
        unmounted = true;
      };
    }, [Part, state, language]);

    useEffect(() => {
      if (state !== 'failed') return;
      const retry = () => setState('loading');
      const timer = setTimeout(retry, RETRY_MS);
      addEventListener('online', retry);
      return () => {
        clearTimeout(timer);
        removeEventListener('online', retry);
      };
    }, [state]);

    if (Part) return <Part {...props} />;
    if (state === 'loading' || as === 'extra') return meanwhile;
    const retry = () => setState('loading');
    if (as === 'page') {
      return (
        <EmptyState text={say('part.failed')} alert>
          <Button onClick={retry}>{say('retry')}</Button>
        </EmptyState>
      );
    }
    return (
      <div className="part-failed" role="alert">
        <p>{say('part.failed')}</p>
        <Button size="s" onClick={retry}>
          {say('retry')}
        </Button>
      </div>
    );
  };
}
