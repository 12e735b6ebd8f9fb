import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { type Area, loadArea } from '../words/catalogues.ts';
import type { Language } from '../words/languages.ts';
import { useWords } from '../words/words.tsx';

type Options = {
  /** The catalogue of texts that the part needs. */
  words?: Area;
  /** Shown while the part loads. */
  fallback?: ReactNode;
  /** `extra` is a part that the page can do without, so an error is not shown. */
  as?: 'page' | 'extra';
};

const RETRY_MS = 10_000;

/**
 * Returns a part of a page whose code and words are loaded separately. When they cannot be loaded, the part shows an
 * error with a retry button; it also retries by itself, and at once when the browser is back online.
 */
export function lazyPart<Props extends object>(
  load: (language: Language) => Promise<ComponentType<Props>>,
  { words, fallback = null, as }: Options = {},
): ComponentType<Props> {
  let Loaded: ComponentType<Props> | null = null;
  return function LazyPart(props: Props) {
    const { language, say } = useWords();
    const [Part, setPart] = useState(() => Loaded);
    const [state, setState] = useState<'loading' | 'failed'>('loading');

    useEffect(() => {
      if (Part || state === 'failed') return;
      let unmounted = false;
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
    if (state === 'loading' || as === 'extra') return fallback;
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
