/** The part of Trusted Types that is needed to name the service worker's file. */
type TrustedTypes = {
  createPolicy: (
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ) => {
    createScriptURL: (url: string) => string;
  };
};

/**
 * Installs the service worker once the page has loaded, so that the app opens without a connection. Browsers have none
 * over plain http.
 */
export function registerWorker(): void {
  const { serviceWorker } = navigator as Partial<Navigator>;
  if (!import.meta.env.PROD || !serviceWorker) return;
  const register = () =>
    serviceWorker
      .register(trusted('/sw.js'), { updateViaCache: 'none' })
      .catch((problem) => console.warn('The app is not available offline.', problem));
  if (document.readyState === 'complete') void register();
  else addEventListener('load', register, { once: true });
}

/** The page allows no plain string as the address of a script. */
function trusted(url: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  return trustedTypes?.createPolicy('service-worker', { createScriptURL: (one) => one }).createScriptURL(url) ?? url;
}
