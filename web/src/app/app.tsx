import { useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import type { PageBoot } from '../api/boot.ts';
import { SessionProvider } from '../live/session-provider.tsx';
import { savePreference } from '../ui/preference.ts';
import type { Language } from '../words/languages.ts';
import { WordsProvider } from '../words/words.tsx';
import { PageErrorBoundary } from './page-error-boundary.tsx';
import { AppRoutes } from './routes.tsx';
import { SiteLayout } from './site-layout.tsx';

/** Everything inside a router: in the browser and, with the same result, on the server. */
export function App({ boot, language }: { boot: PageBoot; language: Language }) {
  return (
    <WordsProvider first={language} onChange={keepLanguage}>
      <SessionProvider boot={boot}>
        <PageErrorBoundary>
          <PageStart />
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

/** A followed link starts at the top of its page, or at its #part; going back returns to where one was, as browsers do. */
function PageStart() {
  const { pathname, hash, key } = useLocation();
  const how = useNavigationType();
  const last = useRef({ pathname, key });
  useEffect(() => {
    // A press on a page that is drawn but not yet hydrated is lost; tests wait for this mark.
    document.documentElement.dataset.hydrated = '';
  }, []);
  useEffect(() => {
    const { pathname: before, key: seen } = last.current;
    last.current = { pathname, key };
    if (hash !== '' && how !== 'POP') return whenThere(hash, (part) => part.scrollIntoView());
    // The same page with another search has not moved.
    if (key === seen || how === 'POP' || pathname === before) return;
    window.scrollTo(0, 0);
    // Whoever has opened a dialog meanwhile is typing in it.
    if (document.querySelector('[data-holds-page]')) return;
    document.getElementById('content')?.focus({ preventScroll: true });
  }, [pathname, hash, key, how]);
  return null;
}

/** Anybody may write anything into an address. */
function nameIn(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return hash.slice(1);
  }
}

/** The part may belong to a page that is still being fetched. */
function whenThere(hash: string, found: (part: HTMLElement) => void): () => void {
  const look = () => {
    const part = document.getElementById(nameIn(hash));
    if (part) {
      watcher.disconnect();
      found(part);
    }
  };
  const watcher = new MutationObserver(look);
  watcher.observe(document.body, { childList: true, subtree: true });
  look();
  return () => watcher.disconnect();
}
