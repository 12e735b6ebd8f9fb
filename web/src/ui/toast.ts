import { showFallbackToast } from './fallback-toast.ts';

/** A short message in the corner of the page. It replaces a toast on screen that has the same `id`. */
export type Toast = {
  kind: 'success' | 'error' | 'info';
  text: string;
  id?: string;
  action?: {
    text: string;
    run: () => void;
    /** Whether the action is still possible. Its button disappears when it no longer is. */
    availability?: Availability;
  };
};

export type Availability = { subscribe: (listener: () => void) => () => void; isAvailable: () => boolean };

const fetchHost = () => import('./toast-host.tsx');
let host: ReturnType<typeof fetchHost> | null = null;

/**
 * Shows a toast at the top right for 5,000 ms. The first toast loads the toast library; toasts that follow meanwhile
 * wait and are shown in order.
 */
export function notify(toast: Toast): void {
  prepareToasts().then(
    ({ showToast }) => showToast(toast),
    (problem) => {
      console.error(toast.text, problem);
      showFallbackToast(toast.text);
    },
  );
}

/** Loads the toast library before it is needed, so that a toast about a lost connection can be shown. */
export function prepareToasts(): ReturnType<typeof fetchHost> {
  host ??= fetchHost().catch((problem) => {
    host = null;
    throw problem;
  });
  return host;
}
