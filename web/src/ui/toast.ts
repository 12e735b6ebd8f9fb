import { showFallbackToast } from './fallback-toast.ts';

/** A toast. One with the id of a toast on screen replaces it: text, action and time. */
export type Toast = {
  kind: 'success' | 'error' | 'info';
  text: string;
  id?: string;
  action?: {
    text: string;
    run: () => void;
    /** For an action that may become impossible while the toast is shown: its button disappears then. */
    availability?: Availability;
  };
};

export type Availability = { subscribe: (listener: () => void) => () => void; isAvailable: () => boolean };

const fetchHost = () => import('./toast-host.tsx');
let host: ReturnType<typeof fetchHost> | null = null;

/** Shows a toast, top right, for 5,000 ms. The toast library is loaded with the first one; the others wait in order. */
export function notify(toast: Toast): void {
  prepareToasts().then(
    ({ showToast }) => showToast(toast),
    (problem) => {
      console.error(toast.text, problem);
      showFallbackToast(toast.text);
    },
  );
}

/** Loads the library ahead, so that a toast about a lost connection can still be shown. */
export function prepareToasts(): ReturnType<typeof fetchHost> {
  host ??= fetchHost().catch((problem) => {
    host = null;
    throw problem;
  });
  return host;
}
