import { trustedScript } from '../ui/trusted-script.ts';

/**
 * Installs the service worker once the page has loaded, so that the app opens without a connection. Browsers have none
 * over plain http.
 */
export function registerWorker(): void {
  const { serviceWorker } = navigator as Partial<Navigator>;
  if (!import.meta.env.PROD || !serviceWorker) return;
  const register = () =>
    serviceWorker
      .register(trustedScript('/sw.js'), { updateViaCache: 'none' })
      .catch((problem) => console.warn('The app is not available offline.', problem));
  if (document.readyState === 'complete') void register();
  else addEventListener('load', register, { once: true });
}
