import './styles.css';
import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { readBoot } from './api/boot.ts';
import { App } from './app/app.tsx';
import { firstPages } from './app/routes.tsx';
import { readPreference } from './ui/preference.ts';
import { BrowserRouter } from './ui/router.tsx';
import { loadArea } from './words/catalogues.ts';
import { defaultLanguage, isLanguage } from './words/languages.ts';

void start();

async function start(): Promise<void> {
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no #root');
  const kept = readPreference('language');
  const language = isLanguage(kept) ? kept : defaultLanguage;
  const prepare = () =>
    Promise.all([loadArea(language, 'site'), ...firstPages(location.pathname).map((page) => page.prepare(language))]);
  const app = (
    <StrictMode>
      <BrowserRouter>
        <App boot={readBoot()} language={language} />
      </BrowserRouter>
    </StrictMode>
  );
  // The server may have drawn the page already; then it only comes to life, in slices that let people scroll.
  if (root.firstElementChild) {
    await retryUntilLoaded(prepare);
    startTransition(() => void hydrateRoot(root, app));
  } else {
    // An empty page rather says what is missing.
    await prepare().catch(() => {});
    createRoot(root).render(app);
  }
}

const RETRY_MS = 3_000;

/** A page that is drawn can be read meanwhile. */
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
