import { queryClient } from '../api/query-client.ts';
import { trustedScript } from '../ui/trusted-script.ts';

const WAIT_MS = 2_000;

/**
 * Installs the service worker, so that the app opens without a connection. It fetches every file of the app, so it waits
 * until the page has loaded its data. Browsers have no service worker over plain http. Returns a function that stops
 * the waiting.
 */
export function registerWorker(): (() => void) | undefined {
  const { serviceWorker } = navigator as Partial<Navigator>;
  if (!import.meta.env.PROD || !serviceWorker) return undefined;
  const timer = setInterval(() => {
    if (document.readyState !== 'complete' || queryClient.isFetching() > 0) return;
    clearInterval(timer);
    serviceWorker
      .register(trustedScript('/sw.js'), { updateViaCache: 'none' })
      .catch((problem) => console.warn('The app is not available offline.', problem));
  }, WAIT_MS);
  return () => clearInterval(timer);
}
