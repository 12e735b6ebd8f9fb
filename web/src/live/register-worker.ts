import { queryClient } from '../api/query-client.ts';
import { trustedScript } from '../ui/trusted-script.ts';

const CHECK_EVERY_MS = 2_000;
const MAX_WAIT_MS = 20_000;

/**
 * Installs the service worker, so that the app opens without a connection. It fetches every file of the app, so it waits
 * until the page has loaded its data. Browsers have no service worker over plain http. Returns a function that stops
 * the waiting.
 */
export function registerWorker(): (() => void) | undefined {
  const { serviceWorker } = navigator as Partial<Navigator>;
  if (!import.meta.env.PROD || !serviceWorker) return undefined;
  const latest = Date.now() + MAX_WAIT_MS;
  const timer = setInterval(() => {
    const isLoading = document.readyState !== 'complete' || queryClient.isFetching() > 0;
    if (isLoading && Date.now() < latest) return;
    clearInterval(timer);
    serviceWorker
      .register(trustedScript('/sw.js'), { updateViaCache: 'none' })
      .catch((problem) => console.warn('The app is not available offline.', problem));
  }, CHECK_EVERY_MS);
  return () => clearInterval(timer);
}
