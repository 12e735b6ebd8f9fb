import './styles.css';
import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { readBoot } from './api/boot.ts';
import { callAs } from './api/client.ts';
import { isLoggingOut } from './api/session.ts';
import { App } from './app/app.tsx';
import { firstPages } from './app/routes.tsx';
import { readPreference } from './ui/preference.ts';
import { BrowserRouter } from './ui/router.tsx';
import { loadArea } from './words/catalogues.ts';
import { defaultLanguage, isLanguage } from './words/languages.ts';
import { speaking } from './words/words.tsx';

void start();

async function start(): Promise<void> {
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no #root');
  // After a logout without a connection, the server has rendered this page for a user who has left.
  if (isLoggingOut()) root.replaceChildren();
  const kept = readPreference('language');
  const language = isLanguage(kept) ? kept : defaultLanguage;
  const boot = readBoot();
  // Pages may prefetch data before anything is rendered, for a user who may read it.
  if (boot.user?.emailVerified && boot.user.house !== null && !isLoggingOut()) callAs(boot.user);
  const prepare = () =>
    Promise.all([
      loadArea(language, 'site'),
      firstPages(location.pathname).then((pages) => Promise.all(pages.map((page) => page.prepare(language)))),
    ]);
  const app = (
    <StrictMode>
      <BrowserRouter>
        <App boot={boot} language={language} />
      </BrowserRouter>
    </StrictMode>
  );
  // Makes the number formats in a task of their own. The first takes 20 ms, and more on a phone, and would delay hydration.
  setTimeout(() => speaking(language));
  // A page rendered by the server is hydrated, as a transition so that scrolling stays smooth.
  if (root.firstElementChild) {
    await retryUntilLoaded(prepare);
    startTransition(() => void hydrateRoot(root, app));
  } else {
    // On an empty page, the app itself shows an error if something could not be loaded.
    await prepare().catch(() => {});
    createRoot(root).render(app);
  }
}

const RETRY_MS = 3_000;

/** Retries until `load` succeeds. Meanwhile the page rendered by the server can be read. */
async function retryUntilLoaded(load: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await load();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}
