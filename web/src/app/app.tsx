import { useEffect, useRef } from 'react';
import type { PageBoot } from '../api/boot.ts';
import { SessionProvider } from '../live/session-provider.tsx';
import { savePreference } from '../ui/preference.ts';
import { useLocation, useNavigationType } from '../ui/router.tsx';
import type { Language } from '../words/languages.ts';
import { WordsProvider } from '../words/words.tsx';
import { PageErrorBoundary } from './page-error-boundary.tsx';
import { AppRoutes } from './routes.tsx';
import { SiteLayout } from './site-layout.tsx';

/** Everything inside the router. The browser and the server render it alike. */
export function App({ boot, language }: { boot: PageBoot; language: Language }) {
  return (
    <WordsProvider first={language} onChange={keepLanguage}>
      <SessionProvider boot={boot}>
        <PageErrorBoundary>
          <ScrollAndFocus />
          <SiteLayout>
            <AppRoutes />
          </SiteLayout>
        </PageErrorBoundary>
      </SessionProvider>
    </WordsProvider>
  );
}

function keepLanguage(language: Language): void {
  savePreference('language', language);
}

/**
 * Opens a page at the top, or at its #hash, and moves the focus to its content. Going back keeps the scroll position,
 * as browsers do.
 */
function ScrollAndFocus() {
  const { pathname, hash, key } = useLocation();
  const navigationType = useNavigationType();
  const last = useRef({ pathname, key });
  useEffect(() => {
    // Clicks before hydration are lost; tests wait for this attribute.
    document.documentElement.dataset.hydrated = '';
  }, []);
  useEffect(() => {
    const { pathname: before, key: seen } = last.current;
    last.current = { pathname, key };
    if (hash !== '' && navigationType !== 'POP') return whenPresent(hash, (element) => element.scrollIntoView());
    // A new query string on the same page does not scroll.
    if (key === seen || navigationType === 'POP' || pathname === before) return;
    window.scrollTo(0, 0);
    // An open dialog keeps the focus.
    if (document.querySelector('[data-holds-page]')) return;
    document.getElementById('content')?.focus({ preventScroll: true });
  }, [pathname, hash, key, navigationType]);
  return null;
}

/** Returns the element id in a hash. A malformed hash is not decoded. */
function elementIdOf(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return hash.slice(1);
  }
}

/** Calls `onFound` once the element exists, which may belong to a page that is still loading. */
function whenPresent(hash: string, onFound: (element: HTMLElement) => void): () => void {
  const look = () => {
    const element = document.getElementById(elementIdOf(hash));
    if (element) {
      observer.disconnect();
      onFound(element);
    }
  };
  const observer = new MutationObserver(look);
  observer.observe(document.body, { childList: true, subtree: true });
  look();
  return () => observer.disconnect();
}
