import { createStore } from '../ui/store.ts';

/** The browser's offer to install the app, which only some browsers make. */
type InstallOffer = Event & { prompt: () => Promise<unknown> };

const offer = createStore<InstallOffer | null>(null);

if (typeof window !== 'undefined') {
  addEventListener('beforeinstallprompt', (event) => {
    // Browsers show their own banner otherwise, at a moment of their choice.
    event.preventDefault();
    offer.set(event as InstallOffer);
  });
  addEventListener('appinstalled', () => offer.set(null));
}

/** Returns the function that installs the app, or null where the browser does not offer it. */
export function useInstallApp(): (() => void) | null {
  const current = offer.use();
  if (current === null) return null;
  return () => {
    offer.set(null);
    void current.prompt();
  };
}

/** Asks the browser not to clear the storage of this site when the device runs short of space. */
export async function persistStorage(): Promise<void> {
  const { storage } = navigator as Partial<Navigator>;
  await storage?.persist?.().catch(() => false);
}
